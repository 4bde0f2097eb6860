import { digitRuns } from '../../language/number-words.ts';
import { digitsValue } from '../../language/values/digits.ts';
import { wordsOf } from '../../language/words.ts';
import { placeholdersIn } from '../text/redact/placeholders.ts';
import { tokensIn } from './value-tokens.ts';

/** Below this a value is found in words that have nothing to do with it. */
const VALUE_CHARS_MIN = 3;
/** Shorter ones are said in many sentences. */
const NUMBER_DIGITS_MIN = 3;
/** Parts of names that stand in many names, and in other words. */
const NAME_PARTICLES = new Set('bin ibn bint abu abd the van von del عبد بنت ابن ابو أبو ال بن'.split(' '));
/** For a value that matches and is not found again: letters whose lower case is longer. */
const NAMELESS = '[Value 0]';
const LETTER = '\\p{L}\\p{M}\\p{N}';
/** One-letter words that Arabic writes together with the next: and, for, with, so, like. */
const PROCLITIC = '[ولبفك]?';

/**
 * Finds values that a conversation has shown to be personal wherever else they stand: the name that was given after "my
 * name is" also in the agent's "thank you, Khalid".
 */
export class KnownValues {
  readonly #standIns = new Map<string, string>(); // value in lower case -> placeholder

  /** A number is known however it is said: in one, and digit by digit as it is read back. */
  add(value: string, standIn: string): void {
    const digits = numberIn(value);
    const forms = digits === undefined ? [value] : [value, digits, [...digits].join(' '), digitsValue(digits).say.en];
    for (const form of forms) {
      const key = form.trim().toLowerCase();
      if (key.length >= VALUE_CHARS_MIN && !this.#standIns.has(key)) this.#standIns.set(key, standIn);
    }
  }

  /** A name, and each of its parts. */
  addName(name: string, standIn: string): void {
    this.add(name, standIn);
    for (const part of name.split(/[\s-]+/)) if (!NAME_PARTICLES.has(part.toLowerCase())) this.add(part, standIn);
  }

  /** The text with every known value replaced; what is a placeholder already is left alone. */
  replaceIn(text: string): string {
    const pattern = this.#pattern();
    if (!pattern) return text;
    const replace = (piece: string): string =>
      piece.replace(pattern, (_, proclitic: string, value: string) => {
        return `${proclitic}${this.#standIns.get(value.toLowerCase()) ?? NAMELESS}`;
      });
    const pieces: string[] = [];
    let at = 0;
    for (const { start, end } of [...placeholdersIn(text), ...tokensIn(text)].sort((a, b) => a.start - b.start)) {
      if (start < at) continue;
      pieces.push(replace(text.slice(at, start)), text.slice(start, end));
      at = end;
    }
    return [...pieces, replace(text.slice(at))].join('');
  }

  #pattern(): RegExp | undefined {
    if (this.#standIns.size === 0) return undefined;
    const values = [...this.#standIns.keys()].sort((a, b) => b.length - a.length);
    const any = values.map((value) => value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
    return new RegExp(`(?<![${LETTER}])(${PROCLITIC})(${any})(?![${LETTER}])`, 'giu');
  }
}

/** The digits of a value that is one number, written or said: `0551234567`, `four five two one`. */
function numberIn(value: string): string | undefined {
  const words = wordsOf(value).map(({ text }) => text);
  const [run, ...others] = digitRuns(words);
  const isAll = run !== undefined && others.length === 0 && run.start === 0 && run.end === words.length;
  return isAll && run.digits.length >= NUMBER_DIGITS_MIN ? run.digits : undefined;
}
