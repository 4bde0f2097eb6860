import { isFiller, isWeak, termsOf } from '../../language/lexicon/lexicon.ts';
import type { Word } from '../../language/words.ts';

/** Said around any number, for any wish. */
export const CARRIES_VALUE = new Set([
  '=want',
  '=not',
  '=wait',
  '=number',
  'number',
  '=thanks',
  '=wrong',
  '=order',
  '=package',
  '=appointment',
]);

export function keysOf(words: readonly Word[]): string[] {
  return termsOf(words.map(({ text }) => text)).map(({ key }) => key);
}

/** Nothing is said of what to do with the value: `order 4521 please`. @param rest - the words beside the values. */
export function saysOnlyWhich(rest: readonly Word[]): boolean {
  const said = rest.filter(({ text }) => !isWeak(text) && !isFiller(text));
  return keysOf(said).every((key) => key !== '=not' && CARRIES_VALUE.has(key));
}
