import { pattern } from '../../../language/pattern.ts';
import { match } from './numeral.ts';
import { COLON, type Scan, SPACE } from './scan.ts';
import { type Classified, classified } from './token.ts';

const EMAIL = /[A-Za-z\d][\w.+-]{0,63}@[A-Za-z\d-]{1,63}(?:\.[A-Za-z\d-]{1,63}){1,8}/y;
const URL = /(?:https?:\/\/|ftp:\/\/|www\.)[A-Za-z\d](?:[\w./~%+#=&?@:-]{0,300}[\w/])?/iy;
const DOMAIN = pattern('y')`
  [A-Za-z\d][A-Za-z\d-]{0,62}(?:\.[A-Za-z\d-]{1,63}){0,6}\.(?:com|net|org|sa|ae|kw|qa|bh|om|eg|jo|uk|us|io|ai|co|gov|edu|app|dev|me|tv|
  info|shop|store|online|tech|bank|ly|gl|be|link|site|xyz|cloud)(?![\w@-]|\.\w)(?::\d{2,5}(?!\d))?(?:\/[\w./~%+#=&?-]{0,200}[\w/]|
  \?[\w.%+=&-]{0,200}\w)?
`;
const FILE = pattern('y')`
  (?:[A-Za-z\d][\w.-]{0,40}\/){0,6}[A-Za-z\d][\w-]{0,60}\.
  (?:pdf|docx?|xlsx?|pptx?|csv|txt|zip|rar|jpe?g|png|gif|mp[34]|wav|exe|apk|json|xml|html?|md|ya?ml|js|ts|py|css|
  sql|log|ini|conf|sh|bat|dll|iso|mov|avi|mkv|svg|webp|eml|ics|tar|gz)(?![\w@-]|\.\w)
`;

/** An e-mail, web address, domain or file name; also where it begins with a digit. */
export function electronic(scan: Scan, at: number): Classified | undefined {
  if (!scan.mayBeAddress(at)) return undefined;
  const { text } = scan;
  const found = match(EMAIL, text, at) ?? match(URL, text, at) ?? match(DOMAIN, text, at) ?? match(FILE, text, at);
  if (found === undefined) return undefined;
  return classified({ kind: 'electronic', text: found }, at, at + found.length);
}

const PATH = pattern('y')`
  ~?\/[A-Za-z][\w.-]{0,40}(?:\/[\w.-]{1,40}){1,8}|\/(?:etc|home|usr|var|tmp|opt|bin|dev|root|mnt|lib|srv|proc)(?![\w/-])
`;

/** `/etc/hosts`, `~/projects/app`: at the first sign. */
export function filePath(scan: Scan, at: number): Classified | undefined {
  const found = at === 0 || scan.text.charCodeAt(at - 1) === SPACE ? match(PATH, scan.text, at) : undefined;
  if (found === undefined) return undefined;
  const path = found.replace(/[.-]+$/, '');
  return classified({ kind: 'electronic', text: path }, at, at + path.length);
}

const DRIVE_PATH = /[A-Za-z]:\\(?:[\w.$%~()\\-]{0,200}[\w\\])?/y;

/** `C:\Users\report.pdf`. */
export function drivePath(scan: Scan, at: number): Classified | undefined {
  const found = scan.text.charCodeAt(at + 1) === COLON ? match(DRIVE_PATH, scan.text, at) : undefined;
  return found === undefined ? undefined : classified({ kind: 'electronic', text: found }, at, at + found.length);
}

const SOFTWARE_VERSION = /[vV]\d{1,4}(?:\.\d{1,4}){1,4}(?![A-Za-z\d])/y;

/** `v2.5`. */
export function softwareVersion(scan: Scan, at: number): Classified | undefined {
  const found = match(SOFTWARE_VERSION, scan.text, at);
  if (found === undefined) return undefined;
  return classified({ kind: 'version', parts: found.slice(1).split('.'), named: true }, at, at + found.length);
}
