import { fold } from '../fold.ts';
import { isNumberWord } from '../number-words.ts';
import { isCommon, isFiller } from './lexicon.ts';

const NUMBER_LEAD_INS = new Set(['number', 'num', 'رقم', 'رقمه', 'رقمها']);

/** Words that can say what is wanted: without hesitations and numbers, unless nothing else was said. */
export function contentWords(all: readonly string[]): string[] {
  const words = withoutGreetings(all);
  const leadsIn = (word: string, next: string | undefined): boolean =>
    next !== undefined && NUMBER_LEAD_INS.has(word) && isNumberWord(next); // order number 4522 is order 4522
  const content = words.filter((word, i) => !isFiller(word) && !isNumberWord(word) && !leadsIn(word, words[i + 1]));
  return content.length > 0 ? content : words.filter((word) => !isNumberWord(word));
}

const GREETINGS = [
  'hello|hi|hey|hi there|hello there|good morning|good afternoon|good evening|salam|salam alaikum',
  'السلام عليكم|السلام عليكم ورحمه الله|وعليكم السلام|مرحبا|اهلا|هلا|هلا والله|يا هلا|الو|صباح الخير|مساء الخير',
].flatMap((list) => list.split('|').map((phrase) => fold(phrase).split(' ')));
const LONGEST_FIRST = GREETINGS.sort((a, b) => b.length - a.length);

/** Whoever greets and goes on means what follows; who says nothing else greets. */
function withoutGreetings(words: readonly string[]): readonly string[] {
  const rest: string[] = [];
  for (let at = 0; at < words.length; ) {
    const greeting = LONGEST_FIRST.find((phrase) => phrase.every((word, i) => words[at + i] === word));
    if (!greeting) rest.push(words[at]!);
    at += greeting?.length ?? 1;
  }
  return rest.some((word) => !isCommon(word) && !isFiller(word)) ? rest : words;
}
