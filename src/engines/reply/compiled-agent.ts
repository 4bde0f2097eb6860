import {
  type Agent,
  type AgentDefinition,
  type FlowDefinition,
  type IntentDefinition,
  type KnowledgeItem,
  type Language,
  type Localized,
  type LocalizedList,
  languageOf,
  languagesOf,
  localize,
  type SlotDefinition,
} from '../../core/agent.ts';
import { fold } from '../../language/fold.ts';
import { isCommon, isFiller } from '../../language/lexicon/lexicon.ts';
import { whenMarked } from '../../language/values/slot-filling.ts';
import { wordsOf } from '../../language/words.ts';
import { KnowledgeIndex } from '../document/knowledge.ts';
import { learnSaidActs } from './acts/said-acts.ts';
import { withComplaint } from './complaint-intent.ts';
import { IntentMatcher } from './intent-matcher.ts';
import type { LearntKeep } from './learnt-keep.ts';
import { nounsOf, operationsOf } from './operations.ts';
import { personsOf, withoutIdlePersons } from './persons.ts';
import { type OwnedLookup, withOwners } from './record-owner.ts';
import type { MeaningClass } from './sentence-learning.ts';
import { atOnce, inTurns, type SlowWork } from './slow-work.ts';
import { STOCK_INTENTS, type StockIntent } from './stock-intents.ts';
import { STOCK } from './stock-phrases.ts';
import { type CompiledTemplate, compileTemplate } from './template.ts';

/** What an utterance was found to mean. */
export type Meaning =
  | { readonly kind: 'intent'; readonly intent: IntentDefinition }
  | { readonly kind: 'knowledge'; readonly item: KnowledgeItem }
  | { readonly kind: 'stock'; readonly name: StockIntent };

export interface Guess {
  readonly meaning: Meaning;
  readonly id: string;
  readonly score: number;
  /** Whether the nearest example denies something itself. */
  readonly denies: boolean;
  /** How likely it is that what was said is for no agent, 0..1. */
  readonly other: number;
  /** Whether only one of what was said and the nearest example denies something. */
  readonly denial: boolean;
  /** Whether what was said asks. */
  readonly asks: boolean;
  /** Share of what was said that the sentences of this meaning hold, 0..1. */
  readonly cover: number;
  /** How many of the words are in no sentence of the agent and no everyday words. */
  readonly strange: number;
  /** How likely all of what was said means this by the classifier, 0..1. */
  readonly whole: number;
}

/** A meaning that was chosen by name or key: nothing is guessed. */
export function certainly(id: string, meaning: Meaning): Guess {
  const sure = { score: 1, other: 0, whole: 1, cover: 1, strange: 0 };
  return { id, meaning, ...sure, denies: false, denial: false, asks: false };
}

/** An agent made ready for conversation: matchers built once, looked up many times. Immutable. */
export interface CompiledAgent {
  readonly definition: AgentDefinition;
  readonly language: Language;
  readonly languages: readonly Language[];
  readonly flows: ReadonlyMap<string, FlowDefinition>;
  /** Slots that ask for a second fact, by what only the owner of a row knows. */
  readonly owned: ReadonlyMap<SlotDefinition, OwnedLookup>;
  /** Every value that is asked for somewhere. */
  readonly slots: readonly SlotDefinition[];
  /** Intents offered by name: in menus, examples and when two are close. */
  readonly menu: readonly IntentDefinition[];
  /** @param without - id of a meaning that cannot be meant now. */
  guess(words: readonly string[], without?: string): Guess[];
  meaning(id: string): Meaning | undefined;
  /** What is done for somebody who wishes for a person. */
  readonly person: Guess | undefined;
  /** What is done, by the word that says so: the terms that mark one wish (`cancel`, `الغي`) and its meaning's id. */
  readonly operations: ReadonlyMap<string, string>;
  /** The same by the root of the noun that an Arabic label names it with (`حجز موعد`), where that word is none of `operations`. */
  readonly nouns: ReadonlyMap<string, string>;
  /** Everything the agent may ask, for recognising a question in the history. */
  readonly questions: readonly Question[];
  readonly knowledge: KnowledgeIndex;
  knowledgeItem(id: string): KnowledgeItem | undefined;
}

/** Keys 1 to 8: 9 repeats, 0 is a person. */
const MAX_MENU = 8;

export const compileAgent = (definition: AgentDefinition, keep?: LearntKeep): CompiledAgent =>
  atOnce(compiling(definition, keep));

/** @param keep - has what was learnt of the same agent before. */
export function* compiling(file: AgentDefinition, keep?: LearntKeep): SlowWork<CompiledAgent> {
  const written = withComplaint(file);
  const owned = (written.flows ?? []).map((flow) => withOwners(inCountry(flow, written.country), written));
  const definition = { ...written, flows: owned.map(({ flow }) => flow) };
  const meanings = new Map<string, Meaning>();
  const classes: MeaningClass[] = [];
  const add = (id: string, meaning: Meaning, examples: readonly string[], about: readonly string[] = []): void => {
    meanings.set(id, meaning);
    const whole = meaning.kind === 'stock' && meaning.name !== 'human';
    classes.push({ id, whole, about, examples });
  };
  for (const intent of definition.intents ?? []) {
    const labels = [intent.label?.ar, intent.label?.en].filter((label) => label !== undefined);
    // The author's own `human` or `goodbye` takes the stock one's place and knows its sentences too.
    const stock = isStockIntent(intent.name) && intent.name !== 'cancel' ? STOCK_INTENTS[intent.name] : {};
    const examples = [
      ...(intent.examples.ar ?? []),
      ...(intent.examples.en ?? []),
      ...labels,
      ...(stock.ar ?? []),
      ...(stock.en ?? []),
      ...sentencesFor(definition, [intent.name]),
      ...openingChoices(definition.flows?.find((flow) => flow.name === intent.flow)),
    ];
    add(`intent:${intent.name}`, { kind: 'intent', intent }, examples);
    yield;
  }
  const items = definition.knowledge ?? [];
  for (const [index, item] of items.entries()) {
    const { ar = [], en = [] } = item.question;
    const questions = [...ar, ...en, ...sentencesFor(definition, [...ar.slice(0, 1), ...en.slice(0, 1)])];
    add(`knowledge:${index}`, { kind: 'knowledge', item }, questions, sentencesOf(item.answer));
    yield;
  }
  const own = new Set((definition.intents ?? []).map((intent) => intent.name));
  for (const [name, examples] of Object.entries(STOCK_INTENTS) as [
    StockIntent,
    (typeof STOCK_INTENTS)[StockIntent],
  ][]) {
    // An intent `cancel` is about an order, not about this dialogue.
    if (own.has(name) && name !== 'cancel') continue;
    const ends = name === 'goodbye' ? [...(definition.endPhrases?.ar ?? []), ...(definition.endPhrases?.en ?? [])] : [];
    add(`stock:${name}`, { kind: 'stock', name }, [...(examples.ar ?? []), ...(examples.en ?? []), ...ends]);
    yield;
  }
  yield* learnSaidActs(keep);
  const others = sentencesFor(definition, ['other']);
  const matcher = yield* IntentMatcher.making(classes, textsOf(definition), others, { alsoSaidAs: whenMarked, keep });
  yield;
  const language = languageOf(definition.language);
  const persons = personsOf(classes, (id) => handsOver(meanings.get(id)));
  const ownName = wordsOf(definition.name).map(({ text }) => text);
  const operations = operationsOf(definition.intents ?? [], definition.flows ?? []);
  return {
    definition,
    language,
    languages: languagesOf(definition),
    flows: new Map((definition.flows ?? []).map((flow) => [flow.name, flow])),
    owned: new Map(owned.flatMap(({ lookups }) => lookups.map((lookup) => [lookup.slot, lookup] as const))),
    slots: (definition.flows ?? []).flatMap((flow) => flow.slots),
    menu: (definition.intents ?? []).filter(isOffered).slice(0, MAX_MENU),
    guess: (words, without) => {
      const said = withoutName(words, ownName);
      const hello = meanings.get('stock:hello');
      if (said !== words && hello && said.every((word) => isCommon(word) || isFiller(word)))
        return [certainly('stock:hello', hello)];
      return withoutIdlePersons(matcher.rank(said, without), persons, said).map(({ example: _, ...one }) => ({
        ...one,
        meaning: meanings.get(one.id)!,
      }));
    },
    meaning: (id) => meanings.get(id),
    person: [...persons].map((id) => certainly(id, meanings.get(id)!))[0],
    operations,
    nouns: nounsOf(definition.intents ?? [], operations),
    questions: questionsOf(definition),
    knowledge: new KnowledgeIndex(
      items.map((item, index) => ({
        id: String(index),
        questions: [...(item.question.ar ?? []), ...(item.question.en ?? [])],
        text: `${item.answer.ar ?? ''} ${item.answer.en ?? ''}`,
      })),
    ),
    knowledgeItem: (id) => items[Number(id)],
  };
}

function handsOver(meaning: Meaning | undefined): boolean {
  if (meaning?.kind === 'stock') return meaning.name === 'human';
  return meaning?.kind === 'intent' && meaning.intent.action?.type === 'transfer';
}

/** What callers said, by any of the names of what they meant. */
function sentencesFor({ sentences = {} }: AgentDefinition, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => (Object.hasOwn(sentences, name) ? sentences[name]! : []));
}

/** The flow with numbers of the agent's country. */
function inCountry(flow: FlowDefinition, country: string | undefined): FlowDefinition {
  if (country === undefined) return flow;
  return { ...flow, slots: flow.slots.map((slot) => (slot.type === 'phone' ? { country, ...slot } : slot)) };
}

/** `is this Swift Delivery` speaks of no delivery: with nothing else said, it greets. */
function withoutName(words: readonly string[], name: readonly string[]): readonly string[] {
  const at = words.findIndex((_, start) => name.every((word, i) => words[start + i] === word));
  return at < 0 || name.length === 0 || name.length === words.length ? words : words.toSpliced(at, name.length);
}

/** What the agent says and looks up: goods, places and names that callers mention too. */
function textsOf({ flows, knowledge, tables }: AgentDefinition): string[] {
  const said = (text: Localized | undefined): string[] => [text?.ar ?? '', text?.en ?? ''];
  return [
    ...(knowledge ?? []).flatMap(({ answer }) => said(answer)),
    ...(flows ?? []).flatMap(({ slots, confirm }) => [
      ...said(confirm),
      ...slots.flatMap(({ prompts }) => [...(prompts.ar ?? []), ...(prompts.en ?? [])]),
    ]),
    ...Object.values(tables ?? {}).flatMap((rows) => rows.flatMap((row) => Object.values(row).map(String))),
  ];
}

function sentencesOf({ ar, en }: Localized): string[] {
  return [ar ?? '', en ?? ''].flatMap((text) => text.split(/[.!?؟]/)).filter((text) => text.trim() !== '');
}

function isStockIntent(name: string): name is StockIntent {
  return Object.hasOwn(STOCK_INTENTS, name);
}

/** A flow that begins by offering a choice is also wished for by naming one: `تنظيف`. */
function openingChoices(flow: FlowDefinition | undefined): string[] {
  return (flow?.slots[0]?.choices ?? []).flatMap(({ say }) => [...(say.ar ?? []), ...(say.en ?? [])]);
}

/** A person is always on key 0. */
function isOffered(intent: IntentDefinition): boolean {
  return intent.label !== undefined && intent.action?.type !== 'transfer';
}

/** How an option is called when it is offered: its label, else its first example. */
export function labelOf(meaning: Meaning, language: Language): string {
  if (meaning.kind === 'stock') return STOCK_INTENTS[meaning.name][language]?.[0] ?? meaning.name;
  if (meaning.kind === 'knowledge') return firstOf(meaning.item.question, language);
  const { label, examples, name } = meaning.intent;
  return localize(label, language) || firstOf(examples, language) || name;
}

function firstOf(
  list: { readonly ar?: readonly string[]; readonly en?: readonly string[] },
  language: Language,
): string {
  return (list[language] ?? list.ar ?? list.en)?.[0] ?? '';
}

/** The language a localized text will be said in when `wanted` is asked for. */
export function spokenLanguage(text: Localized | undefined, wanted: Language): Language {
  if (text?.[wanted] !== undefined) return wanted;
  return text?.ar !== undefined ? 'ar' : text?.en !== undefined ? 'en' : wanted;
}

/** The id of the option whose label was said, or said back. */
export function idByLabel(agent: CompiledAgent, label: string): string | undefined {
  const wanted = fold(label);
  const ids = [
    ...(agent.definition.intents ?? []).map((intent) => `intent:${intent.name}`),
    ...(agent.definition.knowledge ?? []).map((_, index) => `knowledge:${index}`),
    ...Object.keys(STOCK_INTENTS).map((name) => `stock:${name}`),
  ];
  return ids.find((id) => {
    const meaning = agent.meaning(id);
    return meaning && (['ar', 'en'] as const).some((language) => fold(labelOf(meaning, language)) === wanted);
  });
}

/** A sentence that leaves something pending, ready to be recognised. */
export interface Question {
  readonly template: CompiledTemplate;
  readonly flow?: string;
  readonly slot?: string;
  readonly kind: 'slot' | 'confirm-slot' | 'confirm-flow' | 'choose' | 'change' | 'no-input' | 'no-match';
  readonly index: number; // which of the prompts, which step of the ladder
}

function questionsOf(definition: AgentDefinition): Question[] {
  const out: Question[] = [];
  const add = (texts: LocalizedList | undefined, question: Omit<Question, 'template' | 'index'>): void => {
    for (const language of ['ar', 'en'] as const) {
      texts?.[language]?.forEach((text, index) => {
        out.push({ ...question, index, template: compileTemplate(text) });
      });
    }
  };
  const one = (text: Localized | undefined): LocalizedList => ({
    ...(text?.ar !== undefined && { ar: [text.ar] }),
    ...(text?.en !== undefined && { en: [text.en] }),
  });
  for (const flow of definition.flows ?? []) {
    add(one(flow.confirm), { kind: 'confirm-flow', flow: flow.name });
    for (const slot of flow.slots) {
      add(one(slot.confirm), { kind: 'confirm-slot', flow: flow.name, slot: slot.name });
      add(slot.prompts, { kind: 'slot', flow: flow.name, slot: slot.name });
    }
  }
  add(STOCK.didYouMean, { kind: 'choose' });
  add(STOCK.didYouMeanOne, { kind: 'choose' });
  add(STOCK.didYouAsk, { kind: 'choose' });
  add(STOCK.whatToChange, { kind: 'change' });
  add(definition.noInput ?? STOCK.noInput, { kind: 'no-input' });
  add(definition.noMatch ?? STOCK.noMatch, { kind: 'no-match' });
  return out;
}

const COMPILED_MAX = 64;

/**
 * Compiled agents by content: an agent read anew from the database for every request is compiled once. The least
 * recently used is dropped beyond `most`.
 */
export class CompiledAgents {
  readonly #byObject = new WeakMap<AgentDefinition, CompiledAgent>();
  readonly #byContent = new Map<string, CompiledAgent>();
  readonly #preparing = new Map<string, Promise<void>>(); // one a caller at most

  constructor(
    private readonly keep?: LearntKeep,
    private readonly most = COMPILED_MAX,
  ) {}

  get(agent: Agent): CompiledAgent {
    const known = this.#byObject.get(agent.definition);
    if (known) return known;
    const content = JSON.stringify(agent.definition);
    const compiled = this.#byContent.get(content) ?? compileAgent(agent.definition, this.keep);
    this.#keep(content, compiled);
    this.#byObject.set(agent.definition, compiled);
    return compiled;
  }

  /** Compiles it in steps: a new agent keeps nobody else on this thread waiting. Whoever cannot wait has it by `get`. */
  async prepare({ definition }: Agent): Promise<void> {
    if (this.#byObject.has(definition)) return;
    const content = JSON.stringify(definition);
    const known = this.#byContent.get(content);
    if (known) {
      this.#keep(content, known);
      this.#byObject.set(definition, known);
      return;
    }
    const running = this.#preparing.get(content);
    if (running) return running;
    const preparing = inTurns(compiling(definition, this.keep)).then((compiled) => {
      if (!this.#byContent.has(content)) this.#keep(content, compiled);
    });
    this.#preparing.set(content, preparing);
    try {
      await preparing;
    } finally {
      this.#preparing.delete(content);
    }
  }

  #keep(content: string, compiled: CompiledAgent): void {
    this.#byContent.delete(content);
    this.#byContent.set(content, compiled);
    if (this.#byContent.size > this.most) this.#byContent.delete(this.#byContent.keys().next().value!);
  }
}
