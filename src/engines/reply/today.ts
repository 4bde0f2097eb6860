import { WEEKDAYS } from '../../language/calendar/day-names.ts';
import { firstPhrase, phraseTable } from '../../language/phrases/phrases-in.ts';
import type { Word } from '../../language/words.ts';

const ASKS_TODAY = phraseTable(
  'what day is it|what day is today|what day are we|which day is it|what is the date|whats the date|what date is it|' +
    'وش اليوم|ايش اليوم|شنو اليوم|اليوم وش|اليوم كم|كم اليوم|وش تاريخ اليوم|كم تاريخ اليوم|كم التاريخ|اي يوم اليوم',
);
const TODAY = new Set(['today', 'اليوم']);
const TAGS = phraseTable('right|isnt it|is it not|correct|yeah|صح|صحيح|مو كذا|مب كذا|مو|ولا لا');
const BETWEEN = new Set(['is', 'its', 'a', 'the', 'هو', 'يوم']);

/** Whether somebody asks what day it is: `what day is it today`, `اليوم الاحد صح`. */
export function asksToday(words: readonly Word[]): boolean {
  if (firstPhrase(words, ASKS_TODAY)) return true;
  return words.some(({ text }, at) => {
    if (!TODAY.has(text)) return false;
    let day = at + 1;
    while (BETWEEN.has(words[day]?.text ?? '')) day += 1;
    const tag = WEEKDAYS.has(words[day]?.text ?? '') ? firstPhrase(words, TAGS, day + 1) : undefined;
    return tag !== undefined && tag.end === words.length;
  });
}
