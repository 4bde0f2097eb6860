import type { PrivacyMode } from '../../core/agent.ts';
import type { Turn } from '../reply/contract.ts';
import { placeholdersIn, type Restorer } from '../text/redact/placeholders.ts';
import { PrivacyBoundary, type Protected } from '../text/redact/reversible.ts';
import { KnownValues } from './known-values.ts';
import { type Outbound, released } from './outbound.ts';
import { isDictated, isNameGiven } from './personal-answers.ts';
import { disarmed, tokensIn, ValueTokens } from './value-tokens.ts';

/** What people said and what is known of them, as it stands in one request. */
export interface PersonalTexts {
  readonly text: string;
  readonly history: readonly Turn[];
  /** Of this call; those whose value is the author's own default are no secret. */
  readonly variables: Readonly<Record<string, string>>;
  readonly defaults: Readonly<Record<string, string>>;
  /** Keys of the telephone: what they wrote is a number of the caller's, not a word. */
  readonly keyed: boolean;
}
export interface OutboundTurn {
  readonly role: Turn['role'];
  readonly text: Outbound;
}
export interface OutboundTexts {
  readonly text: Outbound;
  readonly history: readonly OutboundTurn[];
  readonly variables: Readonly<Record<string, Outbound>>;
}

export type Crossing =
  | { readonly type: 'crossed'; readonly texts: OutboundTexts; createRestorer(): Restorer }
  /** The mode is `block`, and the text must not leave even redacted. */
  | { readonly type: 'withheld' };

/** What stands for a turn that may not leave. */
const WITHHELD_TURN = '[withheld]';
/** One and two keys choose from a menu; more are an identifier or a secret. */
const MENU_KEYS_MAX = 2;
const DIGIT = /[0-9٠-٩۰-۹]/g;
const ONLY_KEYS = /^[\s0-9٠-٩۰-۹*#+().-]+$/;

/**
 * Takes the texts of one request over the privacy boundary. A request holds its whole conversation, so its boundary is
 * the conversation's: placeholders are numbered from its first turn on, and values of two callers can never mix.
 */
export function cross(texts: PersonalTexts, mode: PrivacyMode): Crossing {
  return mode === 'off' ? passed(texts) : new BoundaryCrossing(texts, mode).result();
}

/** The owner of the agent switched the boundary off. */
function passed({ text, history, variables }: PersonalTexts): Crossing {
  const texts = {
    text: released(text),
    history: history.map((turn) => ({ role: turn.role, text: released(turn.text) })),
    variables: Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, released(value)])),
  };
  const createRestorer = (): Restorer => ({ push: (chunk) => chunk, end: () => '' });
  return { type: 'crossed', texts, createRestorer };
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
    const turns = this.texts.history;
    const history = turns.map((turn, i) => ({ role: turn.role, out: this.#protect(turn, turns[i - 1]) }));
    const last = this.#protect({ role: 'caller', text: this.texts.text }, turns.at(-1), this.texts.keyed);
    if (last === 'withheld') return { type: 'withheld' };
    // Only now everything is known that some turn gave away.
    const release = (text: string): Outbound => released(this.#known.replaceIn(text));
    const texts = {
      variables,
      history: history.map(({ role, out }) => ({
        role,
        text: out === 'withheld' ? released(WITHHELD_TURN) : release(out),
      })),
      text: release(last),
    };
    return { type: 'crossed', texts, createRestorer: () => this.#createRestorer() };
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

  #protect(turn: Turn, before?: Turn, keyed = false): string | 'withheld' {
    const digits = turn.text.match(DIGIT)?.length ?? 0;
    const isKeys = keyed || (turn.role === 'caller' && ONLY_KEYS.test(turn.text));
    if (isKeys && digits > MENU_KEYS_MAX) return this.#hold(turn.text.trim(), false);
    const made = this.#boundary.protect(disarmed(turn.text));
    if (this.mode === 'block' && made.verdict === 'block') return 'withheld';
    this.#learn(made);
    if (turn.role === 'agent') return made.text;
    const left = withoutStandIns(made.text);
    const isName = before?.role === 'agent' && isNameGiven(before.text, left);
    return isName || isDictated(left) ? this.#hold(turn.text.trim(), isName) : made.text;
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
