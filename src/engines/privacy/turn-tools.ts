import type { Language } from '../../core/agent.ts';
import { localize } from '../../core/agent.ts';
import type { Clock } from '../../core/clock.ts';
import type { TurnNotes } from '../../core/turn-details.ts';
import type { SlotValue } from '../../language/values/slot.ts';
import type { ValidationMoment } from '../../language/values/validate.ts';
import { STOCK } from '../reply/stock-phrases.ts';
import type { Line } from '../reply/turn-draft.ts';
import type { Restorer } from '../text/redact/placeholders.ts';
import type { AgentTool, ModelToolLimits } from '../tools/contract.ts';
import { hasStandIn } from './crossing.ts';
import { authored, type Outbound } from './outbound.ts';

/** A tool as a model is told of it. */
export interface RemoteTool {
  readonly name: string;
  readonly description: Outbound;
  readonly parameters: Readonly<Record<string, unknown>>;
}
/** `asked`: the caller is asked to agree to it, and with that the turn is over. */
export type RemoteToolAnswer =
  | { readonly type: 'answer'; readonly content: Outbound }
  | { readonly type: 'asked' }
  | { readonly type: 'unknown' };

/** What a model may call in one turn. Its words come with stand-ins and go back with them. */
export interface RemoteTools {
  readonly list: readonly RemoteTool[];
  readonly fillerAfterMs: number;
  filler(name: string, language: Language): string;
  /** Never throws. @param args - JSON as the model wrote it. */
  call(name: string, args: string, signal: AbortSignal): Promise<RemoteToolAnswer>;
}

/** Puts a read-back to the caller; undefined where it could not be told from what is said what was agreed on. */
export type Agree = (
  tool: AgentTool,
  slots: Readonly<Record<string, SlotValue>>,
) => Promise<readonly Line[] | undefined>;

export interface TurnToolsParts {
  readonly tools: readonly AgentTool[];
  readonly limits: ModelToolLimits;
  readonly clock: Clock;
  readonly moment: ValidationMoment;
  readonly agree: Agree;
  readonly variables: Readonly<Record<string, string>>;
  readonly traceparent?: string | undefined;
  readonly note?: ((notes: TurnNotes) => void) | undefined;
  /** Over the boundary; undefined where a text may not leave. */
  further(text: string): Outbound | undefined;
  createRestorer(): Restorer;
  /** Stand-ins that nobody gave out are refused. */
  readonly isChecked: boolean;
}

/** What models are told that is no answer of a tool. */
const SAYS = {
  notJson: 'Not done: the arguments are no JSON object.',
  invented: 'Not done: a value in square brackets that nobody gave. Ask the caller.',
  wrong: (why: string) => `Not done: ${why}.`,
  tooMany: 'Not done: no more calls in this turn. Tell the caller what you know.',
  unspeakable: 'Not done: these values cannot be read back to the caller word for word. Ask for them in plain words.',
  failed: (why: string) => `It failed (${why}). Tell the caller honestly that it did not work; never say that it did.`,
  withheld: 'It worked, and its answer may not be told to you.',
  cut: ' ... (cut here)',
};
/** Of the arguments of a model. */
const DEPTH_MAX = 6;

/** The tools of one turn on this side of the boundary: values are filled in towards them, and taken out of what they answer. */
export class TurnTools implements RemoteTools {
  readonly list: readonly RemoteTool[];
  readonly fillerAfterMs: number;
  /** What the caller is asked to agree to, once something is. */
  question: readonly Line[] | undefined;
  #calls = 0;

  constructor(private readonly parts: TurnToolsParts) {
    this.fillerAfterMs = parts.limits.fillerAfterMs;
    this.list = parts.tools.map(({ name, description, schema }) => ({
      ...{ name, description: authored(description), parameters: schema },
    }));
  }

  filler(name: string, language: Language): string {
    return localize(this.#tool(name)?.filler, language) || STOCK.toolMoment[language][0]!;
  }

  async call(name: string, args: string, signal: AbortSignal): Promise<RemoteToolAnswer> {
    const tool = this.#tool(name);
    if (this.question) return { type: 'asked' };
    if (!tool) return { type: 'unknown' };
    if (this.#calls >= this.parts.limits.callsPerTurn) return says(SAYS.tooMany);
    this.#calls += 1;
    const given = objectIn(args);
    if (!given) return says(SAYS.notJson);
    const restored = this.#restored(given, 0);
    if (restored === INVENTED) return says(SAYS.invented);
    const read = tool.read(restored as typeof given, this.parts.moment);
    if (!read.ok) return says(SAYS.wrong(read.why));
    if (!tool.flow) return this.#run(tool, read.values, signal);
    this.question = await this.parts.agree(tool, read.slots);
    return this.question ? { type: 'asked' } : says(SAYS.unspeakable);
  }

  async #run(
    tool: AgentTool,
    values: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<RemoteToolAnswer> {
    const { clock, note, limits, variables, traceparent, further } = this.parts;
    const startMs = clock.nowMs();
    const result = await tool.run(values, { variables, traceparent }, signal);
    const ms = Math.round(clock.nowMs() - startMs);
    note?.({ tools: [{ tool: tool.label, outcome: result.ok ? 'ok' : result.why, ms }] });
    const text = result.text ?? '';
    const cut = text.length > limits.resultChars ? `${text.slice(0, limits.resultChars)}${SAYS.cut}` : text;
    const content = further(cut);
    if (!result.ok) return says(`${SAYS.failed(result.why)}${content ? ` ${content}` : ''}`);
    return content === undefined ? says(SAYS.withheld) : { type: 'answer', content };
  }

  #tool(name: string): AgentTool | undefined {
    return this.parts.tools.find((one) => one.name === name);
  }

  /** With the values in the place of their stand-ins. */
  #restored(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#restoredText(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= DEPTH_MAX) return INVENTED;
    const entries = Object.entries(value).map(([key, one]) => [key, this.#restored(one, depth + 1)] as const);
    if (entries.some(([, one]) => one === INVENTED)) return INVENTED;
    return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries);
  }

  #restoredText(text: string): string | typeof INVENTED {
    const restorer = this.parts.createRestorer();
    const whole = restorer.push(text) + restorer.end();
    return this.parts.isChecked && hasStandIn(whole) ? INVENTED : whole;
  }
}

const INVENTED = Symbol('a value that nobody gave');

/** Of a JSON object; nothing at all stands for one without values. */
function objectIn(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(json.trim() === '' ? '{}' : json) as unknown;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

const says = (text: string): RemoteToolAnswer => ({ type: 'answer', content: authored(text) });
