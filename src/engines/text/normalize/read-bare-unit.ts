import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import { mayBeUnit, readUnit } from './read-unit.ts';
import { isLetter, type Scan } from './scan.ts';
import { type Classified, classified } from './token.ts';

const list = listsOf('engines/text/normalize/data/read-bare-unit.tsv');

/** Signs as they are written: capitals count. */
const signs = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const ONE = foldedSet('per each every half');
const MANY = foldedSet(...list('many'));
/** Words or names besides. */
const OTHER_WORDS = signs('in at pm am st bar cal gal ton inch pt pc kn bps grams');
/** Nothing else is written so. */
const ALWAYS = signs('km/h km/hr KM/H kph mph kWh KWh kwh Mbps Gbps MB/s mmHg mg/dL mg/dl GHz MHz mAh');
/** After these a unit that things are measured in. */
const BEFORE_MEASURES = foldedSet('in or and');
const MEASURED_IN = signs('km kg cm mm mg mL ml GB MB KB TB sqm lbs');

/** A sign of a unit without figures in English text: `per kg`, `half a km`, `a few km`, `in GB`, `the km/h limit`. */
export function readBareUnit(scan: Scan, at: number): Classified | undefined {
  if (!mayBeUnit(scan.text, at) || isLetter(scan.text.charCodeAt(at - 1))) return undefined;
  const found = readUnit(scan, at, false, false);
  if (found?.of.type !== 'measure') return undefined;
  const sign = scan.text.slice(at, found.end);
  const left = scan.left(at);
  const one = ONE.has(left) || (left === 'a' && ONE.has(scan.left(at, 2)));
  const many = MANY.has(left) || (BEFORE_MEASURES.has(left) && MEASURED_IN.has(sign));
  if (!ALWAYS.has(sign) && (!(one || many) || OTHER_WORDS.has(sign) || scan.text[at - 1] !== ' ')) return undefined;
  return classified({ kind: 'words', words: found.of.unit.en[one ? 0 : 1] }, at, found.end);
}
