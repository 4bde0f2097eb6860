import { isIPv6 } from 'node:net';

/** The parts of a SIP or tel URI that routing looks at (RFC 3261 §19.1, RFC 3966). */
export interface SipUri {
  readonly scheme: 'sip' | 'sips' | 'tel';
  readonly user: string; // percent-decoded, parameters and password cut off; the number of a tel URI without separators
  readonly hostPort: string; // empty for tel
}

const URI_CHARACTERS_MAX = 512;

/** @returns undefined for anything that is no such URI. Never throws. */
export function parseSipUri(text: string): SipUri | undefined {
  if (text.length > URI_CHARACTERS_MAX) return undefined;
  const match = /^\s*(sips?|tel):([^\s<>"]+)\s*$/i.exec(text);
  const scheme = match?.[1]?.toLowerCase();
  const rest = match?.[2];
  if (!rest) return undefined;
  if (scheme === 'tel') return { scheme, user: (rest.split(';', 1)[0] ?? '').replace(/[-.()]/g, ''), hostPort: '' };
  if (scheme !== 'sip' && scheme !== 'sips') return undefined;
  const at = rest.lastIndexOf('@');
  const userInfo = at < 0 ? '' : rest.slice(0, at);
  const hostPort = rest.slice(at + 1).split(/[;?]/, 1)[0] ?? '';
  if (!/^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?$/.test(hostPort)) return undefined;
  return { scheme, user: percentDecode(userInfo.split(/[;:]/, 1)[0] ?? ''), hostPort };
}

/** The URI and display name of a From or To value: `"Name" <sip:user@host>;tag=x`, or the bare URI form. */
export function parseNameAddress(value: string): { display: string; uri: SipUri | undefined } {
  const text = value.slice(0, 2 * URI_CHARACTERS_MAX);
  const quoted = /^\s*"((?:[^"\\]|\\.)*)"\s*/.exec(text);
  const rest = quoted ? text.slice(quoted[0].length) : text;
  const open = rest.indexOf('<');
  if (open < 0) return { display: '', uri: parseSipUri(rest.split(';', 1)[0] ?? '') };
  const close = rest.indexOf('>', open);
  const display = quoted ? (quoted[1] ?? '').replace(/\\(.)/g, '$1') : rest.slice(0, open).trim();
  return { display, uri: parseSipUri(rest.slice(open + 1, close < 0 ? undefined : close)) };
}

function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // broken escapes stay as they came
  }
}

const NUMBER = /^\+?[0-9*#().-]{1,40}$/;
const USER = /^[A-Za-z0-9_.!~*'()&=+$,/-]{1,64}$/;

/**
 * The URI that a transfer or outbound target stands for. A number or bare user gets `domain`.
 * @returns undefined for what could smuggle a header, a URI header or another host's parameters. Never throws.
 */
export function targetUri(target: string, domain: string): string | undefined {
  const text = target.trim();
  if (NUMBER.test(text) && /[0-9*#]/.test(text)) {
    return domain === '' ? undefined : `sip:${text.replace(/[().-]/g, '').replaceAll('#', '%23')}@${domain}`;
  }
  if (/^(sips?|tel):/i.test(text)) {
    const uri = parseSipUri(text);
    return uri && /^[^\s<>"?,|\\]+$/.test(text) && (uri.user !== '' || uri.scheme !== 'tel') ? text : undefined;
  }
  if (/^[^@]+@[^@]+$/.test(text)) return targetUri(`sip:${text}`, domain);
  return USER.test(text) && domain !== '' ? `sip:${text}@${domain}` : undefined;
}

/** An address as the host part of a URI. */
export const uriHost = (address: string): string => (isIPv6(address) ? `[${address}]` : address);
