import { digitRuns } from '../../language/number-words.ts';
import { wordsOf } from '../../language/words.ts';

/** Shorter numbers are amounts, ages, choices: what a sentence means may hang on them. */
const NUMBER_DIGITS_MIN = 3;

/**
 * A text with every number of three digits and more held back, written or said: `order four five two one is late`. For a
 * reader that is to tell what a sentence does and never needs the number.
 *
 * @param hold - the stand-in of a stretch of the text.
 * @param digitsMin - shorter numbers stay.
 */
export function withoutNumbers(text: string, hold: (value: string) => string, digitsMin = NUMBER_DIGITS_MIN): string {
  const pieces = [...text.matchAll(/\S+/g)].map((match) => ({ at: match.index, text: match[0] }));
  // Words of a piece (`14:30` is several) and the piece each belongs to. Stand-ins of what was taken out hold digits too.
  const words = pieces.flatMap((piece, index) => wordsOf(piece.text).map((word) => ({ index, word: word.text })));
  const runs = digitRuns(words.map(({ word }) => word)).filter(({ digits }) => digits.length >= digitsMin);
  let out = '';
  let from = 0;
  for (const { start, end } of runs) {
    const [first, last] = [pieces[words[start]!.index]!, pieces[words[end - 1]!.index]!];
    if (first.at < from) continue;
    out += `${text.slice(from, first.at)}${hold(text.slice(first.at, last.at + last.text.length))}`;
    from = last.at + last.text.length;
  }
  return out + text.slice(from);
}
