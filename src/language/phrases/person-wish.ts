import { isFiller, isWeak } from '../lexicon/lexicon.ts';
import { listsOf } from '../lists.ts';
import { firstInflected, inflectedAt, inflectedForms, type PhraseTable, phraseTable } from './phrases-in.ts';

const list = listsOf('language/phrases/data/person-wish.tsv');
const table = (...names: string[]): PhraseTable => phraseTable(names.flatMap((name) => list(name)).join('|'));

const CONNECT = table('connect');
const TALK = table('talk');
const WANT = table('want', 'talk', 'connect');
const STAFF = table('staff');
const WHO = table('staff', 'specialist');
const MACHINE = table('machine');
const BESIDE = table('beside');

/** Between the verb and who is wanted. */
const MAX_BETWEEN = 5;
/** Beside somebody who is only named: `manager please`, `a real person now`. */
const MAX_BESIDE = 1;
/** `someone from customer service please`. */
const MAX_TO_PLEASE = 3;
const PLEASE = new Set(['please', 'سمحت', 'سمحتي', 'سمحتوا', 'فضلك']);
/** Before somebody who is called, or spoken of: `يا دكتور`, `my manager`. */
const SPOKEN_OF = new Set(['يا', 'my', 'your', 'his', 'her', 'our', 'their']);

/** `talk to an asian`, `اكلم موضف`: misheard, it is somebody all the same. */
const MAX_SHORT = 4;
const TALK_TO = /(?:^| )(?:(?:talk|speak) (?:to|with)|اكلم) (?!my |the |our )\S/;

function isTalkTo(plain: readonly string[]): boolean {
  return TALK_TO.test(plain.join(' '));
}

/** How plainly a sentence wishes for a person: `plain` for talking to one or being connected, `maybe` for wanting or naming one. */
export type PersonWish = 'plain' | 'maybe';

/**
 * A wish for a person has a shape: to speak to somebody, to be connected, somebody wanted or named and hardly anything else, or
 * no machine wanted. Who only speaks of people (`my niece works in a call centre`) wishes for none.
 */
export function personWishIn(plain: readonly string[]): PersonWish | undefined {
  const words = plain.map((text) => ({ text, raw: text }));
  const forms = inflectedForms(words);
  const follows = (verbs: PhraseTable, who: PhraseTable): boolean =>
    words.some((_, at) => {
      const verb = inflectedAt(forms, at, verbs);
      const limit = (verb?.end ?? 0) + MAX_BETWEEN;
      return verb && words.some((_, i) => i >= verb.end && i <= limit && inflectedAt(forms, i, who));
    });
  if (firstInflected(words, CONNECT) || follows(TALK, WHO)) return 'plain';
  if (follows(WANT, STAFF) || firstInflected(words, MACHINE)) return 'maybe';
  if (words.length <= MAX_SHORT && isTalkTo(plain)) return 'maybe';
  const named = firstInflected(words, STAFF);
  if (!named) return undefined;
  if (plain.slice(named.end, named.end + MAX_TO_PLEASE).some((text) => PLEASE.has(text))) return 'maybe';
  if (SPOKEN_OF.has(plain[named.start - 1] ?? '')) return undefined;
  const others = plain.filter((text, at) => (at < named.start || at >= named.end) && !isWeak(text) && !isFiller(text));
  const beside = others.filter((text) => !BESIDE.has(text) && !STAFF.has(text));
  return beside.length <= MAX_BESIDE ? 'maybe' : undefined;
}
