import { englishCardinal, englishNumber } from './english-number.ts';
import { parseNumeral } from './numeral.ts';
import type { Scan } from './scan.ts';
import { type Classified, classified } from './token.ts';

/** `24°42'N`, `46° 40' 30" E`, `24.7136° N`. */
const ANGLE = /(\d{1,3}(?:\.\d{1,8})?)°(?:\s?(\d{1,2})['’′](?:\s?(\d{1,2})["”″])?)?(?:\s?([NSEW])(?![A-Za-z\d]))?/y;
const QUARTERS: Readonly<Record<string, string>> = { N: 'north', S: 'south', E: 'east', W: 'west' };

/** A latitude, longitude or bearing in English text; plain degrees are a measure. */
export function readAngle(scan: Scan, at: number): Classified | undefined {
  ANGLE.lastIndex = at;
  const found = ANGLE.exec(scan.text);
  if (found === null || (found[2] === undefined && found[4] === undefined)) return undefined;
  const { numeral } = parseNumeral(found[1]!, 0);
  const words = [
    `${englishNumber(numeral)} degrees`,
    counted(found[2], 'minute'),
    counted(found[3], 'second'),
    QUARTERS[found[4] ?? ''] ?? '',
  ];
  return classified({ kind: 'words', words: words.filter((word) => word !== '').join(' ') }, at, at + found[0].length);
}

function counted(digits: string | undefined, name: string): string {
  if (digits === undefined) return '';
  return `${englishCardinal(Number(digits))} ${name}${Number(digits) === 1 ? '' : 's'}`;
}
