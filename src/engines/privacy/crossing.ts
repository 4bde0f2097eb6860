import type { PrivacyMode } from '../../core/agent.ts';
import type { Turn } from '../reply/contract.ts';
import { placeholdersIn, type Restorer } from '../text/redact/placeholders.ts';
import { PrivacyBoundary, type Protected } from '../text/redact/reversible.ts';
import { KnownValues } from './known-values.ts';
import { withoutNumbers } from './numbers-said.ts';
import { type Outbound, released } from './outbound.ts';
import { dictatedTurns, isNameGiven } from './personal-answers.ts';
import { disarmed, tokensIn, ValueTokens } from './value-tokens.ts';

/** What people said and what is known of them, as it stands in one request. */
export interface PersonalTexts {
  readonly text: string;
  readonly history: readonly Turn[];
  /** Of people who look on. */
  readonly notes?: readonly string[];
  /** Of this call; those whose value is the author's own default are no secret. */
  readonly variables: Readonly<Record<string, string>>;
  readonly defaults: Readonly<Record<string, string>>;
  /** Whether the agent offers numbered choices: one or two digits are an answer to it then. */
  readonly menus: boolean;
  /** Of the agent's documents: what is personal in them stays at home as well. */
  readonly passages?: readonly string[];
  /** Whether numbers of three digits and more stay at home wherever they stand. */
  readonly numbersHeld?: boolean;
}
export interface OutboundTurn {
  readonly role: Turn['role'];
  readonly text: Outbound;
}
export interface OutboundTexts {
  readonly text: Outbound;
  readonly history: readonly OutboundTurn[];
  readonly notes?: readonly Outbound[];
  readonly variables: Readonly<Record<string, Outbound>>;
  readonly passages: readonly Outbound[];
}

/** What a text has in the place of personal values: kinds, and how many of each. `Value`: held whatever it looks like. */
export function standInsOf(text: Outbound): Readonly<Record<string, number>> {
  const kinds = placeholdersIn(text).map(({ means }) => means.slice(1, -1).replace(/ \d+$/, ''));
  const counts: Record<string, number> = {};
  for (const kind of [...kinds, ...tokensIn(text).map(() => 'Value')]) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

export type Crossing =
  | {
      readonly type: 'crossed';
      readonly texts: OutboundTexts;
      createRestorer(): Restorer;
      /** A further text of the same conversation, such as what a tool answers; undefined where it may not leave. */
      further(text: string): Outbound | undefined;
    }
  /** The mode is `block`, and the text must not leave even redacted. */
  | { readonly type: 'withheld' };

/** What stands for a turn that may not leave. */
const WITHHELD_TURN = '[withheld]';
/**
 * Takes the texts of one request over the privacy boundary. A request holds its whole conversation, so its boundary is
 * the conversation's: placeholders are numbered from its first turn on, and values of two callers can never mix.
 */
export function cross(texts: PersonalTexts, mode: PrivacyMode): Crossing {
  return mode === 'off' ? passed(texts) : new BoundaryCrossing(texts, mode).result();
}

/** The owner of the agent switched the boundary off. */
function passed({ text, history, notes = [], variables, passages = [] }: PersonalTexts): Crossing {
  const texts = {
    text: released(text),
    history: history.map((turn) => ({ role: turn.role, text: released(turn.text) })),
    notes: notes.map(released),
    variables: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, released(value)])),
    passages: passages.map(released),
  };
  const createRestorer = (): Restorer => ({ push: (chunk) => chunk, end: () => '' });
  return { type: 'crossed', texts, createRestorer, further: released };
}

class BoundaryCrossing {
  readonly #boundary = new PrivacyBoundary();
  readonly #tokens = new ValueTokens();
  readonly #known = new KnownValues();

  constructor(
    readonly texts: PersonalTexts,
    readonly mode: Exclude<PrivacyMode, 'off'>,
  ) {}

  result(): Crossing {
    const variables = this.#variables();
    const { text, history, notes = [] } = this.texts;
    const noted = notes.map((note): Turn => ({ role: 'agent', text: note })); // before all: no word of theirs is an answer
    const turns: readonly Turn[] = [...noted, ...history, { role: 'caller', text }];
    const made = turns.map((turn) => this.#protect(turn));
    if (made.at(-1) === 'withheld') return { type: 'withheld' };
    const left = turns.map(({ role }, i) => ({ role, text: withoutStandIns(made[i]!) }));
    const dictated = dictatedTurns(left, this.texts.menus);
    const held = turns.map(({ role, text }, i) => {
      const asked = i > 0 && role === 'caller' && left[i - 1]!.role === 'agent' ? turns[i - 1]!.text : '';
      const isName = isNameGiven(asked, left[i]!.text);
      if (!isName && dictated.has(i) && this.texts.numbersHeld) return this.#withoutNumbers(made[i]!, 1);
      return isName || dictated.has(i) ? this.#hold(text.trim(), isName) : made[i]!;
    });
    // Only now everything is known that some turn gave away.
    const out = held.map((text, i) => {
      const kept = made[i] === 'withheld' ? WITHHELD_TURN : this.#known.replaceIn(text);
      return { role: turns[i]!.role, text: released(this.texts.numbersHeld ? this.#withoutNumbers(kept) : kept) };
    });
    const passages = (this.texts.passages ?? []).flatMap((passage) => this.#passage(passage));
    const texts = {
      ...{ variables, history: out.slice(noted.length, -1), text: out.at(-1)!.text },
      ...{ notes: out.slice(0, noted.length).map((note) => note.text), passages },
    };
    const further = (text: string): Outbound | undefined => this.#passage(text)[0];
    return { type: 'crossed', texts, createRestorer: () => this.#createRestorer(), further };
  }

  /** After everything that was said, whose placeholders have their numbers by then. */
  #passage(passage: string): Outbound[] {
    const made = this.#protect({ role: 'agent', text: passage });
    return made === 'withheld' ? [] : [released(this.#known.replaceIn(made))];
  }

  #variables(): Record<string, Outbound> {
    const out: Record<string, Outbound> = {};
    for (const [name, value] of Object.entries(this.texts.variables)) {
      const isDefault = Object.hasOwn(this.texts.defaults, name) && this.texts.defaults[name] === value;
      out[name] = released(isDefault || value.trim() === '' ? value : this.#hold(value, /name/i.test(name)));
    }
    return out;
  }

  #hold(value: string, isName: boolean): string {
    const token = this.#tokens.hold(value);
    if (isName) this.#known.addName(value, token);
    else this.#known.add(value, token);
    return token;
  }

  /** What stands between the stand-ins of a text, without its numbers. */
  #withoutNumbers(text: string, digitsMin?: number): string {
    const hold = (value: string): string => this.#hold(value, false);
    let out = '';
    let at = 0;
    for (const { start, end } of [...placeholdersIn(text), ...tokensIn(text)].sort((a, b) => a.start - b.start)) {
      if (start < at) continue;
      out += withoutNumbers(text.slice(at, start), hold, digitsMin) + text.slice(start, end);
      at = end;
    }
    return out + withoutNumbers(text.slice(at), hold, digitsMin);
  }

  #protect(turn: Turn): string | 'withheld' {
    const made = this.#boundary.protect(disarmed(turn.text));
    if (this.mode === 'block' && made.verdict === 'block') return 'withheld';
    this.#learn(made);
    return made.text;
  }

  /** What was taken out of one text is looked for in all the others. */
  #learn({ text }: Protected): void {
    for (const { means } of placeholdersIn(text)) {
      const value = this.#boundary.restore(means);
      if (value === means) continue;
      if (means.startsWith('[Person Name')) this.#known.addName(value, means);
      else this.#known.add(value, means);
    }
  }

  #createRestorer(): Restorer {
    const inner = this.#boundary.createRestorer();
    return {
      push: (chunk) => this.#tokens.restore(inner.push(chunk)),
      end: () => this.#tokens.restore(inner.end()),
    };
  }
}

function withoutStandIns(text: string): string {
  let left = text;
  for (const { start, end } of [...placeholdersIn(text)].reverse()) left = `${left.slice(0, start)} ${left.slice(end)}`;
  return left;
}

/** Whether a restored text still holds a stand-in: the model made it up, and nobody may hear it. */
export function hasStandIn(text: string): boolean {
  return placeholdersIn(text).length > 0 || tokensIn(text).length > 0 || text.includes(WITHHELD_TURN);
}
