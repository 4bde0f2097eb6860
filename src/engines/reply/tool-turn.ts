import { createHash } from 'node:crypto';
import type { AgentAction, FlowDefinition, Localized } from '../../core/agent.ts';
import { type Clock, delay } from '../../core/clock.ts';
import type { ToolSource } from '../tools/contract.ts';
import type { ReplyEvent, ReplyRequest } from './contract.ts';
import { callTool, type HttpToolLimits, type HttpToolResult, toolLabel } from './http-tool.ts';
import type { Fetcher } from './tool-fetcher.ts';
import type { TurnDraft } from './turn-draft.ts';

export type ToolAction = Extract<AgentAction, { type: 'http' | 'tool' }>;
/** As `HttpToolResult`, of any tool. */
export type ToolResult =
  | { readonly ok: true; readonly facts: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly why: string };

export interface ToolTurnDeps {
  readonly clock: Clock;
  readonly fetcher?: Fetcher;
  readonly tools?: ToolSource;
  readonly limits: HttpToolLimits;
}

const NEVER = new AbortController().signal;

/** The tool of an action, ready to be called: under what name it goes into records, what fills its silence. */
export interface ReadyTool {
  readonly label: string;
  readonly filler: Localized | undefined;
  /** It may not be called twice for the same words, nor be given up half-way. */
  readonly changes: boolean;
  readonly values: Readonly<Record<string, string>>;
  call(signal: AbortSignal): Promise<ToolResult>;
}

export function readyTool(action: ToolAction, draft: TurnDraft, request: ReplyRequest, deps: ToolTurnDeps): ReadyTool {
  const { clock, fetcher, limits } = deps;
  const traceparent = request.used?.traceparent;
  if (action.type === 'http') {
    const lookup = (name: string): string | undefined => draft.canonical(name);
    return {
      ...{ label: toolLabel(action), filler: undefined, changes: action.method !== 'GET', values: slotsOf(draft) },
      call: (signal): Promise<HttpToolResult> => callTool(action, lookup, fetcher, limits, signal, clock, traceparent),
    };
  }
  const tool = deps.tools?.toolsOf(request.agent).find(({ name }) => name === action.tool);
  const values = slotsOf(draft, tool?.flow);
  return {
    ...{ label: tool?.label ?? action.tool, filler: tool?.filler, changes: true, values },
    call: async (signal) =>
      tool?.run(values, { variables: request.variables, traceparent }, signal) ?? { ok: false, why: 'no-tool' },
  };
}

function slotsOf(draft: TurnDraft, flow?: FlowDefinition): Readonly<Record<string, string>> {
  const names = flow?.slots.map(({ name }) => name);
  const slots = Object.entries(draft.state.slots).filter(([name]) => names?.includes(name) ?? true);
  return Object.fromEntries(slots.map(([name, { value }]) => [name, value]));
}

/** A caller who goes on speaking takes his turn back, and it is answered anew: within seconds. */
const KEPT_MS = 15_000;
const KEPT_MAX = 500;

/**
 * What was called for the same words of the same conversation a moment ago is not called again: its outcome counts. A turn is
 * answered anew when its caller goes on; what changes something was done by then, or is under way and goes on.
 */
export class RecentCalls {
  readonly #calls = new Map<string, { readonly atMs: number; readonly result: Promise<ToolResult> }>();

  constructor(private readonly clock: Clock) {}

  /** Never rejects where `tool.call` does not. Aborting `signal` ends the wait, and the call only where it changes nothing. */
  async call(tool: ReadyTool, request: ReplyRequest, step: number, signal: AbortSignal): Promise<ToolResult> {
    if (!tool.changes) return tool.call(signal);
    const nowMs = this.clock.nowMs();
    for (const [key, { atMs }] of this.#calls) if (nowMs - atMs >= KEPT_MS) this.#calls.delete(key);
    const key = keyOf(tool, request, step);
    const result = this.#calls.get(key)?.result ?? tool.call(NEVER);
    if (!this.#calls.has(key) && this.#calls.size < KEPT_MAX) this.#calls.set(key, { atMs: nowMs, result });
    return Promise.race([result, aborted(signal)]);
  }
}

function keyOf({ label, values }: ReadyTool, { agent, history, variables }: ReplyRequest, step: number): string {
  const what = JSON.stringify([agent.id, agent.version, history, variables, label, values, step]);
  return createHash('sha256').update(what).digest('base64');
}

function aborted(signal: AbortSignal): Promise<ToolResult> {
  return new Promise((resolve) => {
    const done = (): void => resolve({ ok: false, why: 'aborted' });
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
}

/** How long a letter takes to be said, about. */
const LETTER_MS = 60;

/**
 * Waits for `work`; where it takes longer than `afterMs` of silence, `filler` is said meanwhile.
 *
 * @param said - what is being said while the work begins.
 */
export async function* withFiller<T>(
  work: Promise<T>,
  filler: () => ReplyEvent | undefined,
  wait: { readonly clock: Clock; readonly afterMs: number; readonly said: string; readonly signal: AbortSignal },
): AsyncGenerator<ReplyEvent, T> {
  const over = new AbortController();
  const either = AbortSignal.any([over.signal, wait.signal]);
  const silence = delay(wait.clock, wait.afterMs + wait.said.length * LETTER_MS, either);
  try {
    const first = await Promise.race([work.then(() => 'done'), silence.then(() => 'silence')]);
    const event = first === 'silence' && !wait.signal.aborted ? filler() : undefined;
    if (event) yield event;
  } finally {
    over.abort();
  }
  return work;
}
