import { isFiller, isWeak } from '../../../language/lexicon/lexicon.ts';
import type { Span } from '../../../language/phrases/phrases-in.ts';
import type { Word } from '../../../language/words.ts';
import type { CompiledAgent } from '../compiled-agent.ts';
import type { Forbidden } from './forbidden.ts';
import { operationOf } from './operation.ts';

/** `what if it swells at night`: nothing has happened yet. */
const SUPPOSES = new Set(['if', 'suppose', 'supposing', 'لو', 'اذا', 'افرض', 'افرضي', 'نفرض', 'افترض']);
const DOERS = new Set(['i', 'we', 'id', 'somebody', 'someone', 'my']);
/** `if I can cancel`, `if you could`: a wish that is put politely. */
const POLITE_VERBS = new Set([
  'can',
  'could',
  'may',
  'want',
  'wanted',
  'need',
  'would',
  'like',
  'have',
  'ممكن',
  'تقدر',
]);
/** The first person of the perfect: `كنسلت`, `الغينا`. */
const I_DID = /^[\u0600-\u06ff]{2,}(?:ت|نا)$/;
const MAX_TO_VERB = 4;

/** Whether what follows is only supposed. `لو سمحت` is a please. */
export function supposes({ text }: Word, next: Word | undefined): boolean {
  return SUPPOSES.has(text) && !next?.text.startsWith('سمحت');
}

/**
 * Undertakings that somebody only supposes: `if I cancel now, do I get my money back`, `لو كنسلت قبلها بيوم`. Nobody wishes
 * for them, where they are not named again outside of the condition.
 */
export function supposedIn(agent: CompiledAgent, words: readonly Word[]): Forbidden[] {
  const named = (at: number): string | undefined => operationOf(agent, words[at]?.text);
  return words.flatMap((word, start): Forbidden[] => {
    if (!supposes(word, words[start + 1])) return [];
    const at = doneAt(words, start, named);
    const id = at === undefined ? undefined : named(at);
    if (at === undefined || id === undefined) return [];
    const span = { start, end: withWhatBelongs(words, at + 1) };
    const isMeant = words.some((_, other) => (other < span.start || other >= span.end) && named(other) === id);
    return isMeant ? [] : [{ id, sure: false, span }];
  });
}

/** Where the caller is supposed to do something that the agent knows. */
function doneAt(words: readonly Word[], start: number, named: (at: number) => string | undefined): number | undefined {
  let isDoer = false;
  for (let at = start + 1; at <= start + MAX_TO_VERB && at < words.length; at += 1) {
    const { text } = words[at]!;
    if (POLITE_VERBS.has(text)) return undefined;
    if (named(at) !== undefined && (isDoer || I_DID.test(text))) return at;
    isDoer ||= DOERS.has(text);
  }
  return undefined;
}

function withWhatBelongs(words: readonly Word[], from: number): Span['end'] {
  let end = from;
  while (end < words.length && (isWeak(words[end]!.text) || isFiller(words[end]!.text))) end += 1;
  return end;
}
