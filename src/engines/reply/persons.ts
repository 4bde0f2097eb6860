import { personWishIn } from '../../language/phrases/person-wish.ts';
import { wordsOf } from '../../language/words.ts';
import type { Ranked } from './intent-matcher.ts';
import type { MeaningClass } from './sentence-learning.ts';

/** A phrase of the author's is what it is, whatever its shape; misspelt or misheard too. */
const ITSELF = 0.84;
const PERSON_SHARE = 0.5;

/** The ids of what is a wish for a person: it hands the call over, and most of its sentences have that shape. */
export function personsOf(classes: readonly MeaningClass[], handsOver: (id: string) => boolean): ReadonlySet<string> {
  const persons = classes
    .filter(({ id }) => handsOver(id)) // first, for it is few of them, and to look at the shape of every sentence takes long
    .filter(({ examples }) => {
      const shaped = examples.filter((text) => personWishIn(wordsOf(text).map((word) => word.text)));
      return shaped.length >= examples.length * PERSON_SHARE;
    });
  return new Set(persons.map(({ id }) => id));
}

/** What may be meant, without persons whom nobody wishes for in that sentence. */
export function withoutIdlePersons(
  ranked: readonly Ranked[],
  persons: ReadonlySet<string>,
  said: readonly string[],
): readonly Ranked[] {
  if (!ranked.some(({ id }) => persons.has(id)) || personWishIn(said)) return ranked;
  return ranked.filter(({ id, score }) => score >= ITSELF || !persons.has(id));
}
