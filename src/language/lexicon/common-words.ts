import { listsOf } from '../lists.ts';

const list = listsOf('language/lexicon/data/common-words.tsv');

/** Said around the point: they weigh little, and never decide alone. */
export const WEAK_WORDS: readonly string[] = list('weak-words');

/** Noise of speech: carries nothing at all, and is taken out before matching. */
export const FILLER_WORDS: readonly string[] = list('filler-words');

/**
 * Everyday words of stories and politeness: where an agent does not know one, it says hardly anything about whether the
 * sentence is for the agent.
 */
export const COMMON_WORDS: readonly string[] = list('common-words');

/**
 * What people talk about when they have dialled the wrong place, or test the line: a word of these that the agent's own
 * sentences lack says that the sentence is not for this agent.
 */
export const TOPIC_WORDS: readonly string[] = list('topic-words');
