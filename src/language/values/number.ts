import { readCardinal } from '../number-words.ts';
import { type Found, type SlotParser, same } from './slot.ts';

/** A count: `four`, `خمسة وعشرين`, `2`. Bounded by `minDigits`/`maxDigits` of the definition when given. */
export const parseNumber: SlotParser = (words, { definition }): Found | undefined => {
  const plain = words.map((word) => word.text);
  for (let at = 0; at < plain.length; at += 1) {
    const read = plain[at] === 'couple' ? { value: 2, end: at + 1, digits: '2' } : readCardinal(plain, at);
    if (!read) continue;
    if (definition.maxDigits !== undefined && read.digits.length > definition.maxDigits) continue;
    return { value: { value: String(read.value), say: same(String(read.value)) }, start: at, end: read.end };
  }
  return undefined;
};
