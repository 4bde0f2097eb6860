import type { Language, SlotDefinition } from '../../core/agent.ts';
import { ownWords } from '../../language/own-words.ts';
import { HESITATIONS, LEAVINGS } from '../../language/phrases/cues.ts';
import { NO_WORDS, YES_WORDS } from '../../language/values/yesno.ts';
import type { SttExpectation } from '../stt/contract.ts';
import { type CompiledAgent, labelOf } from './compiled-agent.ts';
import type { ReplyExpectation } from './contract.ts';
import type { DialogueState } from './dialogue-state.ts';
import { STOCK_INTENTS } from './stock-intents.ts';

/** A grammar with more sentences is neither fast nor selective. */
const MAX_PHRASES = 500;
/** The author's first sentences of an intent and of a question: the most usual ones. More are understood than are listened for. */
const INTENT_PHRASES = 26;
const QUESTION_PHRASES = 8;
const YES_NO_PHRASES = 14;
/** Names of a table that are listened for where one of them is asked for. */
const MAX_OWNERS = 200;
const KEY_TIMEOUT_MS = 3_000;
const MENU_TIMEOUT_MS = 1_500;

const KINDS: Readonly<Record<SlotDefinition['type'], SttExpectation>> = {
  text: 'free',
  name: 'name',
  date: 'date',
  time: 'time',
  number: 'number',
  digits: 'digits',
  phone: 'phone',
  yesno: 'yesno',
  choice: 'free',
};
/** How many keys an answer may have, by type of slot; what a slot bounds itself is kept. */
const KEYS: Readonly<Partial<Record<SlotDefinition['type'], number>>> = {
  digits: 20,
  phone: 15,
  number: 9,
  date: 4,
  time: 4,
};

/** No number that can be called within a country has fewer, but for a few small countries. */
const MIN_PHONE_DIGITS = 8;

/** What may be said and keyed in `state`: hints for the recogniser, most likely first. */
export function expectationOf(agent: CompiledAgent, state: DialogueState): ReplyExpectation {
  const { pending } = state;
  const flow = agent.flows.get(state.flow ?? '');
  const slot =
    pending.kind === 'slot' || pending.kind === 'confirm-slot'
      ? flow?.slots.find((one) => one.name === pending.slot)
      : undefined;
  return {
    hints: {
      phrases: phrasesFor(agent, state, slot),
      expect: kindsOf(agent, state, slot),
      ...digitsOf(agent, slot),
      sentences: sentencesFor(agent),
      ...(state.wished && { language: state.wished }),
    },
    collect: collectOf(state, slot),
  };
}

/** Phrases by what they depend on: states, slots and languages of an agent, which are few. */
const known = new WeakMap<CompiledAgent, Map<string, readonly string[]>>();

/** Made once: every call begins in the same state, and making them takes longer than everything else that is asked of an agent then. */
function phrasesFor(agent: CompiledAgent, state: DialogueState, slot: SlotDefinition | undefined): readonly string[] {
  const { pending, flow, language } = state;
  if (pending.kind === 'choose') return allPhrases(agent, state, slot); // of what is offered
  const ofAgent = known.get(agent) ?? new Map<string, readonly string[]>();
  known.set(agent, ofAgent);
  const key = [language, pending.kind, flow !== undefined, slot && `${flow} ${slot.name}`].join(' ');
  const phrases = ofAgent.get(key) ?? allPhrases(agent, state, slot);
  ofAgent.set(key, phrases);
  return phrases;
}

function allPhrases(agent: CompiledAgent, state: DialogueState, slot: SlotDefinition | undefined): readonly string[] {
  const phrases = new Set<string>();
  for (const language of languagesFrom(agent, state.language)) {
    for (const phrase of phrasesIn(agent, state, slot, language)) phrases.add(phrase);
  }
  return [...phrases].slice(0, MAX_PHRASES);
}

/** Three times those of the shipped agents; more tell a recogniser little, and tables may have any number of rows. */
const MAX_SENTENCES = 5_000;
const sentencesKnown = new WeakMap<CompiledAgent, readonly string[]>();

/** All that is known of what callers of the agent say, whatever they were asked. */
function sentencesFor(agent: CompiledAgent): readonly string[] {
  const known = sentencesKnown.get(agent);
  const made =
    known ?? [...new Set(agent.languages.flatMap((one) => allSentences(agent, one)))].slice(0, MAX_SENTENCES);
  sentencesKnown.set(agent, made);
  return made;
}

function allSentences({ definition, slots }: CompiledAgent, language: Language): string[] {
  const { intents = [], knowledge = [], tables = {}, sentences = {}, endPhrases } = definition;
  return [
    ...Object.values(sentences).flat(),
    ...ownProducts(language),
    ...intents.flatMap(({ examples, label }) => [...(examples[language] ?? []), label?.[language] ?? '']),
    ...knowledge.flatMap(({ question }) => question[language] ?? []),
    ...(endPhrases?.[language] ?? []),
    ...Object.values(STOCK_INTENTS).flatMap((stock) => stock[language] ?? []),
    ...[YES_WORDS, NO_WORDS, LEAVINGS, HESITATIONS].flatMap((list) => phrasesOf(list, language)),
    ...slots.flatMap(({ choices = [] }) => choices.flatMap(({ say }) => say[language] ?? [])),
    ...Object.values(tables).flatMap((rows) => rows.flatMap((row) => Object.values(row).map(String))),
  ].filter((sentence) => sentence.trim() !== '');
}

function languagesFrom(agent: CompiledAgent, first: Language): Language[] {
  return [first, ...agent.languages.filter((language) => language !== first)];
}

function phrasesIn(
  agent: CompiledAgent,
  state: DialogueState,
  slot: SlotDefinition | undefined,
  language: Language,
): string[] {
  const { definition } = agent;
  const choices =
    state.pending.kind === 'slot' ? (slot?.choices ?? []).flatMap((choice) => choice.say[language] ?? []) : [];
  const lookup = slot && agent.owned.get(slot);
  const owners = lookup ? (agent.definition.tables?.[lookup.table] ?? []).map((row) => row[slot.name] ?? '') : [];
  const options = state.pending.kind === 'choose' ? state.pending.options : [];
  const offered = options.map((id) => agent.meaning(id)).map((one) => (one ? labelOf(one, language) : ''));
  const own = (text: readonly string[] | undefined): readonly string[] => text ?? [];
  const stock = (
    state.flow === undefined
      ? (['human', 'repeat', 'goodbye', 'thanks', 'hello', 'help'] as const)
      : (['human', 'repeat', 'cancel', 'goodbye', 'wait'] as const)
  ).flatMap((name) => own(STOCK_INTENTS[name][language]).slice(0, 8));
  return [
    ...choices,
    ...owners.slice(0, MAX_OWNERS),
    ...offered,
    ...ownProducts(language).slice(0, MAX_PRODUCTS),
    ...yesNoIn(language),
    ...(definition.intents ?? []).flatMap((intent) => [
      ...own(intent.examples[language]).slice(0, INTENT_PHRASES),
      ...own(intent.label?.[language] === undefined ? [] : [intent.label[language]]),
    ]),
    ...own(definition.endPhrases?.[language]),
    ...stock,
    ...(state.flow === undefined ? [] : [...phrasesOf(LEAVINGS, language), ...phrasesOf(HESITATIONS, language)]),
    ...(definition.knowledge ?? []).flatMap((item) => own(item.question[language]).slice(0, QUESTION_PHRASES)),
  ].filter((phrase) => phrase.trim() !== '');
}

/** The rest is told as sentences. */
const MAX_PRODUCTS = 100;

/** What callers speak of at this installation, in the letters of the language. */
function ownProducts(language: Language): string[] {
  return ownWords().products.filter((word) => /[\u0600-\u06ff]/.test(word) === (language === 'ar'));
}

function yesNoIn(language: Language): string[] {
  return [YES_WORDS, NO_WORDS].flatMap((list) => phrasesOf(list, language).slice(0, YES_NO_PHRASES));
}

/** Those of a list parted by `|` that are of `language`. */
function phrasesOf(list: string, language: Language): string[] {
  return list.split('|').filter((phrase) => /[\u0600-\u06ff]/.test(phrase) === (language === 'ar'));
}

function kindsOf(agent: CompiledAgent, state: DialogueState, slot: SlotDefinition | undefined): SttExpectation[] {
  const { pending } = state;
  const flow = agent.flows.get(state.flow ?? '');
  if (pending.kind === 'slot' && slot) {
    // A name may be followed by a number at once; a correction names any earlier value.
    const earlier = (flow?.slots ?? [])
      .filter((one) => state.slots[one.name] !== undefined)
      .map((one) => KINDS[one.type]);
    return unique([KINDS[slot.type], ...earlier.filter((kind) => kind !== 'free' && kind !== 'name')]);
  }
  if (pending.kind === 'confirm-slot' && slot) return unique(['yesno', KINDS[slot.type]]);
  if (pending.kind === 'confirm-flow' || pending.kind === 'change') {
    return unique(['yesno', ...(flow?.slots ?? []).map((one) => KINDS[one.type]).filter((kind) => kind !== 'free')]);
  }
  if (pending.kind === 'choose') return ['yesno'];
  // One sentence may hold the wish and its values: "track order four five two one".
  const kinds = (agent.definition.flows ?? []).flatMap((one) => one.slots.map((each) => KINDS[each.type]));
  return unique([
    'free',
    ...kinds.filter((kind) => kind !== 'free' && kind !== 'name'),
    ...(state.served ? (['yesno'] as const) : []),
  ]);
}

/** Of the number that is asked for, else of all that the agent may be told. */
function digitsOf(agent: CompiledAgent, asked: SlotDefinition | undefined): { readonly digits?: number } {
  const numbers = (asked?.type === 'digits' ? [asked] : agent.slots).filter(({ type }) => type === 'digits');
  const lengths = new Set(numbers.map(({ minDigits, maxDigits }) => (minDigits === maxDigits ? maxDigits : undefined)));
  const [digits] = lengths;
  return lengths.size === 1 && digits !== undefined ? { digits } : {};
}

function unique(kinds: readonly SttExpectation[]): SttExpectation[] {
  return [...new Set(kinds)];
}

function collectOf(state: DialogueState, slot: SlotDefinition | undefined): ReplyExpectation['collect'] {
  if (state.pending.kind === 'slot' && slot && KEYS[slot.type] !== undefined) {
    const maxDigits =
      slot.type === 'digits' || slot.type === 'number' ? (slot.maxDigits ?? KEYS[slot.type]!) : KEYS[slot.type]!;
    const minDigits = slot.type === 'phone' ? MIN_PHONE_DIGITS : slot.type === 'digits' ? slot.minDigits : undefined;
    return {
      ...(minDigits !== undefined && { minDigits }),
      maxDigits,
      terminator: '#',
      timeoutMs: slot.type === 'date' ? MENU_TIMEOUT_MS : KEY_TIMEOUT_MS,
    };
  }
  return { maxDigits: 1, terminator: '#', timeoutMs: MENU_TIMEOUT_MS };
}
