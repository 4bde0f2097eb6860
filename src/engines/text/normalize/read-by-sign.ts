import { englishCardinal, englishNumber, englishPlural } from './english-number.ts';
import { parseNumeral } from './numeral.ts';
import { readAngle } from './read-angle.ts';
import { readGluedDuration } from './read-duration.ts';
import { hardwareAddress } from './read-serial.ts';
import { readNumberedBook } from './read-verse.ts';
import type { Scan } from './scan.ts';
import { type Classified, classified } from './token.ts';

type Reader = (scan: Scan, at: number) => Classified | undefined;

/** Readers of numbers in English text by the sign or letter directly behind the digits. */
const READERS: ReadonlyMap<number, Reader> = readersBySign([
  ['°', readAngle],
  ['.', (scan, at) => timesAs(scan, at) ?? readAngle(scan, at)],
  ['xX×', timesAs],
  ['p', penceOrLines],
  ['s', groupOfAge],
  ['hm', readGluedDuration],
  ['d', (scan, at) => readGluedDuration(scan, at) ?? hardwareAddress(scan, at)],
  [':ABCDEFabcef', hardwareAddress],
  [' ', readNumberedBook],
]);

function readersBySign(table: readonly (readonly [signs: string, reader: Reader])[]): ReadonlyMap<number, Reader> {
  return new Map(table.flatMap(([signs, reader]) => [...signs].map((sign) => [sign.charCodeAt(0), reader] as const)));
}

/** `3x daily`, `50p`, `1h15m`, `1 Corinthians 13`. */
export function readBySign(scan: Scan, at: number): Classified | undefined {
  return scan.language === 'en' ? READERS.get(scan.digits(at).next)?.(scan, at) : undefined;
}

const TIMES_AS =
  /(\d{1,4}(?:\.\d{1,2})?)[xX×](?= (?:a|per|each|the|daily|weekly|monthly|yearly|more|less|better|[a-z]{3,}er)\b|\/(?:day|week|month|year)\b)/y;

/** `3x daily`, `2.5x faster`; a 10x zoom stays a label. */
function timesAs(scan: Scan, at: number): Classified | undefined {
  TIMES_AS.lastIndex = at;
  const found = TIMES_AS.exec(scan.text);
  if (found === null) return undefined;
  const { numeral } = parseNumeral(found[1]!, 0);
  return classified({ kind: 'words', words: `${englishNumber(numeral)} times` }, at, at + found[0].length);
}

const AGE_GROUP = /(?:under|over)-$/i;
const PLURAL_AGE = /(\d{1,2})s(?![A-Za-z\d])/y;

/** The `23s` of `under-23s`. */
function groupOfAge(scan: Scan, at: number): Classified | undefined {
  if (!AGE_GROUP.test(scan.text.slice(Math.max(0, at - 6), at))) return undefined;
  PLURAL_AGE.lastIndex = at;
  const found = PLURAL_AGE.exec(scan.text);
  if (found === null) return undefined;
  return classified(
    { kind: 'words', words: englishPlural(englishCardinal(Number(found[1]))) },
    at,
    at + found[0].length,
  );
}

const PENCE_OR_LINES = /(\d{1,2}|480|720|1080|1440|2160)p(?![A-Za-z\d])/y;

/** `50p`, `1080p`. */
function penceOrLines(scan: Scan, at: number): Classified | undefined {
  PENCE_OR_LINES.lastIndex = at;
  const found = PENCE_OR_LINES.exec(scan.text);
  if (found === null) return undefined;
  const value = Number(found[1]);
  const lines = `${englishCardinal(Math.floor(value / 100))} ${englishCardinal(value % 100)} P`;
  const words = value >= 480 ? lines : `${englishCardinal(value)} ${value === 1 ? 'penny' : 'pence'}`;
  return classified({ kind: 'words', words }, at, at + found[0].length);
}
