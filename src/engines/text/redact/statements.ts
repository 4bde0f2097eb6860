import type { Found, Reading } from './reading.ts';
import { STATEMENTS } from './statement-patterns.ts';

/** Memberships, origins, whereabouts, convictions and arrears stated with a name in the middle that no list could have. */
export function findStatements(reading: Reading): Found[] {
  const found: Found[] = [];
  for (const { kind, gate, pattern, person } of STATEMENTS) {
    if (!gate.test(reading.lower)) continue;
    for (const match of reading.lower.matchAll(pattern)) {
      if (person === true && !speaksOfSomebody(reading, match.index + match[0].length)) continue;
      const said = match.groups!['said']!;
      const start = match.index + match[0].indexOf(said);
      found.push(reading.found(kind, start, start + said.length, 0.75));
    }
  }
  return found;
}

/** A person in the sentence before the end of a statement, by word or by name. */
function speaksOfSomebody(reading: Reading, end: number): boolean {
  const last = tokenBefore(reading, end);
  if (last < 0) return false;
  return reading.isNamed(last) || reading.labelsLeft(last, PERSON_CHARS).some(({ meaning }) => meaning === 'person');
}

const PERSON_CHARS = 90;

/** The last token that begins before `end`; -1 when none does. */
function tokenBefore(reading: Reading, end: number): number {
  let low = 0;
  let high = reading.tokens.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (reading.tokens[middle]!.start < end) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
