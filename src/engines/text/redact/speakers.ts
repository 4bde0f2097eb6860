import { pattern } from '../../../language/pattern.ts';
import type { Found, Reading } from './reading.ts';

/** `[10:42] Sara: …`, `12/11/24, 10:42 - أبو ريان: …`: who said a line of a chat. Matched on the canonical text. */
const SPEAKER = pattern('g')`
  (?:^|\n)[ \t]*(?:\[[^\]\n]{4,24}\]|[0-9/.-]{6,10},? [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[apصم]m?\.?)?|
  [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[apصم]m?\.?)?)[ \t]*(?:[-–][ \t]*)?([a-z\u0620-\u064a][a-z\u0620-\u064a .'-]{1,38}):
`;
/** Names in front of the lines of a chat log. */
export function findSpeakers(reading: Reading): Found[] {
  const found: Found[] = [];
  for (const match of reading.lower.matchAll(SPEAKER)) {
    const name = match[1]!.trimEnd();
    if (name.split(' ').length > 4) continue;
    const start = match.index + match[0].length - 1 - match[1]!.length;
    found.push(reading.found('Person Name', start, start + name.length, 0.7));
  }
  return found;
}
