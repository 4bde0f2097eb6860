import { fold } from '../fold.ts';
import { isFiller } from '../lexicon.ts';
import { type Found, type SlotParser, same } from './slot.ts';
import { readYesNo } from './yesno.ts';

const LEAD_INS = [
  'my new address is',
  'the new address is',
  'new address is',
  'my address is',
  'the address is',
  'change it to',
  'deliver it to',
  'send it to',
  'it should be',
  'it is',
  'its',
  'to',
  'عنواني الجديد هو',
  'عنواني الجديد',
  'العنوان الجديد',
  'عنواني هو',
  'عنواني',
  'العنوان',
  'غيره الى',
  'الى',
].map((lead) => fold(lead).split(' '));
const MAX_TEXT_WORDS = 40;

/** Anything that was said, when it was asked for; leading `my address is`, `it is` and hesitations fall away. */
export const parseText: SlotParser = (words, { asked }): Found | undefined => {
  if (!asked) return undefined;
  const plain = words.map((word) => word.text);
  let start = 0;
  while (start < plain.length && isFiller(plain[start]!)) start += 1;
  const lead = LEAD_INS.find((candidate) => candidate.every((word, i) => plain[start + i] === word));
  if (lead && start + lead.length < plain.length) start += lead.length;
  const yesNo = readYesNo(words);
  // "yes" is no address; "no" may well be the answer to "any notes?"
  if (start >= plain.length || (yesNo?.answer === 'yes' && yesNo.end - yesNo.start === words.length)) return undefined;
  const text = words
    .slice(start, start + MAX_TEXT_WORDS)
    .map((word, i, all) => (i > 0 && all[i - 1]!.raw === word.raw && word.raw !== word.text ? '' : word.raw))
    .filter((raw) => raw !== '')
    .join(' ');
  return { value: { value: text, say: same(text) }, start: 0, end: words.length };
};
