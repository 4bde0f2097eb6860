import { readFileSync } from 'node:fs';

/** Numbers that cost far more than a call: premium rate, satellite. */
export interface PremiumRange {
  readonly prefix: string; // `+979`; without + as it is dialled nationally
  readonly kind: 'premium' | 'satellite';
  readonly where: string;
}

/** Both `src/trunks/` and its built twin lie two folders below the project, which holds the data once. */
const FILE = new URL('../../src/trunks/data/premium-ranges.tsv', import.meta.url);
/** Shorter ones without + are extensions of somebody's exchange, which cost nothing. */
const NATIONAL_DIGITS_MIN = 7;

let ranges: ReadonlyMap<string, PremiumRange> | undefined;

/** By prefix, read once. */
export function premiumRanges(): ReadonlyMap<string, PremiumRange> {
  ranges ??= new Map(
    readFileSync(FILE, 'utf8')
      .split('\n')
      .filter((line) => /^\+?\d/.test(line))
      .map((line) => {
        const [prefix = '', kind = '', where = ''] = line.split('\t');
        return [prefix, { prefix, kind: kind === 'satellite' ? kind : 'premium', where }];
      }),
  );
  return ranges;
}

/** The longest range that `number` is in; undefined for an ordinary one. */
export function premiumRangeOf(number: string): PremiumRange | undefined {
  if (!number.startsWith('+') && number.length < NATIONAL_DIGITS_MIN) return undefined;
  const known = premiumRanges();
  for (let length = Math.min(number.length, 12); length > 0; length -= 1) {
    const range = known.get(number.slice(0, length));
    if (range) return range;
  }
  return undefined;
}
