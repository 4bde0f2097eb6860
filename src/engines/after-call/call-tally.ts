import type { AgentDefinition } from '../../core/agent.ts';
import type { TurnDetails } from '../../core/turn-details.ts';

/** A turn of a call as far as it tells what the call was about. */
export interface ToldTurn {
  readonly index: number;
  readonly role: 'caller' | 'agent' | 'person';
  readonly text: string;
  readonly details?: TurnDetails | null;
}

/** A value, and the turn of the caller from which on the dialogue had it. */
export interface HeldValue {
  readonly value: string;
  readonly turn: number;
  readonly words: string;
}
export type HeldValues = Readonly<Record<string, HeldValue>>;

/** A flow whose actions were run. */
export interface Goal {
  readonly flow: string;
  readonly values: HeldValues;
}

const GOALS_MAX = 20;
const NAMES_MAX = 50;
const QUESTIONS_MAX = 10;
const WORDS_CHARS_MAX = 300;

/**
 * What the turns of a call come to, kept while they come: a handful of names and values, however long the call. Reads what
 * the dialogue has noted with its turns (`TurnNotes`), so the record of a call gives the same.
 */
export class CallTally {
  /** Flows that were done, in order. */
  goals: readonly Goal[] = [];
  /** Flows that were begun, in order. */
  readonly begun: string[] = [];
  /** Intents and the like that were heard, by name. */
  readonly meant: string[] = [];
  /** Questions that were answered, as ids of what was meant. */
  readonly questions: string[] = [];
  /** Turns of the caller; of how many it was judged whether they were understood; how many were. */
  said = 0;
  judged = 0;
  understood = 0;
  /** The flow that was under way after the last turn. */
  open: string | undefined;
  /** The agent sent the caller on to a person. */
  sentOn = false;
  #held: HeldValues = {};
  #confirmed: readonly string[] = [];
  #latest: readonly Goal[] = []; // of the last turn of the caller

  constructor(private readonly definition: AgentDefinition) {}

  add({ index, role, text, details }: ToldTurn): void {
    if (role === 'agent') this.#answer(details ?? {});
    else if (role === 'caller') this.#said(index, text, details ?? {});
  }

  /** Values of the flow under way that were read back and agreed. */
  get confirmed(): HeldValues {
    return Object.fromEntries(Object.entries(this.#held).filter(([name]) => this.#confirmed.includes(name)));
  }

  #answer({ action, tools = [] }: TurnDetails): void {
    if (action === 'transfer') this.sentOn = true;
    // What a tool did not do was not done, whatever was said about it.
    if (tools.some(({ outcome }) => outcome !== 'ok'))
      this.goals = this.goals.filter((goal) => !this.#latest.includes(goal));
  }

  #said(index: number, text: string, details: TurnDetails): void {
    const { understood, meant = [], flow, slots = {}, done = [], settled = slots, confirmed = [] } = details;
    this.said += 1;
    this.#latest = [];
    if (understood === undefined && flow === undefined && meant.length === 0) return; // nobody has taken it
    if (understood !== undefined) this.judged += 1;
    if (understood) this.understood += 1;
    for (const id of meant) this.#mean(id);
    const values = this.#heldOf(settled, index, text);
    this.#latest = done.map((name) => ({ flow: name, values }));
    this.goals = [...this.goals, ...this.#latest].slice(-GOALS_MAX);
    this.#held = this.#heldOf(slots, index, text);
    for (const name of [...done, ...(flow === undefined ? [] : [flow])]) once(this.begun, name);
    this.open = flow !== undefined && !done.includes(flow) ? flow : undefined;
    this.#confirmed = this.open === undefined ? [] : confirmed;
  }

  /** A value that stays the same rests on the words that it came with. */
  #heldOf(slots: Readonly<Record<string, string>>, turn: number, text: string): HeldValues {
    const words = text.slice(0, WORDS_CHARS_MAX);
    const held = Object.entries(slots).map(([name, value]) => {
      const before = Object.hasOwn(this.#held, name) ? this.#held[name] : undefined;
      return [name, before?.value === value ? before : { value, turn, words }];
    });
    return Object.fromEntries(held);
  }

  #mean(id: string): void {
    const at = id.indexOf(':');
    const [kind, name] = [id.slice(0, at), id.slice(at + 1)];
    if (kind === 'knowledge' || kind === 'document') return once(this.questions, id, QUESTIONS_MAX);
    once(this.meant, name);
    const intent = this.definition.intents?.find((one) => one.name === name);
    if (kind === 'intent' && intent && intent.flow === undefined && intent.action?.type !== 'transfer')
      once(this.questions, id, QUESTIONS_MAX);
  }
}

function once(names: string[], name: string, max = NAMES_MAX): void {
  if (names.length < max && !names.includes(name)) names.push(name);
}
