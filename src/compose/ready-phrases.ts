import { PHRASES, type Phrase } from '../call/phrases.ts';
import { type Agent, type Language, languageOf, languagesOf, localizeList, personOf } from '../core/agent.ts';
import type { ReplyEngine, ReplyRequest } from '../engines/reply/contract.ts';
import { STOCK } from '../engines/reply/stock-phrases.ts';
import { sentencesOf } from '../language/sentences.ts';

/** Something an agent will say, as it will be given to its voice: the same text at once, or a sentence after the other. */
export interface ReadyPhrase {
  readonly text: string;
  readonly language: Language;
}

/** Said whole, by the call itself. */
const SAID: readonly Phrase[] = ['trouble', 'giveUp', 'tooQuiet', 'nobodyThere', 'oneMoment', 'timeUp'];
const SAID_OF_PERSONS: readonly Phrase[] = ['nobodyThen', 'personBusy', 'personAway', 'personLeft', 'backToTalk'];
/** Said by the dialogue, where the agent has no words of its own. */
const ANSWERED = ['toolMoment', 'toolTrouble', 'giveUp', 'goodbye'] as const satisfies readonly (keyof typeof STOCK)[];
const ANSWERED_OF_PERSONS = ['transfer', 'noTransfer'] as const satisfies readonly (keyof typeof STOCK)[];

/** What is filled in when it is said is another text each time. */
const HOLE = '{{';
export const PHRASES_MAX = 100;

/**
 * What the callers of an agent hear again and again and wait for: greeting with its menu, what is said into silence, apologies,
 * words while something takes long, and of persons. Greeting first; no text twice.
 */
export function readyPhrases(
  agent: Agent,
  reply: Pick<ReplyEngine, 'greeting'>,
  mode: ReplyRequest['mode'],
): readonly ReadyPhrase[] {
  const { definition } = agent;
  const greeting = { text: reply.greeting(agent, {}, mode), language: languageOf(definition.language) };
  const hasPerson = personOf(definition) !== undefined;
  const said = languagesOf(definition).flatMap((language) => {
    const sentences = [
      ...localizeList(definition.noInput ?? STOCK.noInput, language),
      ...localizeList(definition.noMatch ?? STOCK.noMatch, language),
      ...[definition.goodbye, ...(definition.tools ?? []).map(({ filler }) => filler)].map((text) => text?.[language]),
      ...[...ANSWERED, ...(hasPerson ? ANSWERED_OF_PERSONS : [])].flatMap((name) => [...STOCK[name][language]]),
    ].flatMap((text) => sentencesOf(text ?? ''));
    const whole = [...SAID, ...(hasPerson ? SAID_OF_PERSONS : [])].map((name) => PHRASES[name][language]);
    return [...whole, ...sentences].filter((text) => !text.includes(HOLE)).map((text) => ({ text, language }));
  });
  const once = new Map([greeting, ...said].map((phrase) => [`${phrase.language} ${phrase.text}`, phrase]));
  return [...once.values()].filter(({ text }) => text.trim() !== '').slice(0, PHRASES_MAX);
}
