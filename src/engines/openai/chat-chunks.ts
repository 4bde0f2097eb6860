/** What a chat server says while it answers. `tool` is one whole call, given once its arguments are complete; `id` names it in the next round. */
export type ChatEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly id: string; readonly name: string; readonly arguments: string }
  | ({ readonly type: 'usage' } & ChatUsage)
  /** Last. `reason` is the server's own, `stop` where it named none. */
  | { readonly type: 'end'; readonly reason: string };

/** Tokens of a whole answer so far. */
export interface ChatUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** A payload that is no chunk, or the server's own word that it failed (`code` is safe to log). */
export type ChunkProblem = { readonly type: 'malformed' } | { readonly type: 'error'; readonly code: string };

const MAX_TOOL_CALLS = 4;
const MAX_ARGUMENT_CHARS = 4_000;
const DONE = '[DONE]';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Turns the JSON payloads of one streamed completion into events. Tool calls arrive in pieces (name first, arguments a
 * few characters at a time, told apart by `index`) and are put together here.
 */
export class ChatChunks {
  readonly #calls = new Map<number, { id: string; name: string; arguments: string }>();
  #finish: string | undefined;
  /** The server said that nothing more comes. */
  done = false;

  /** The answer came to its end: the server said so, or named why it stopped. */
  get whole(): boolean {
    return this.done || this.#finish !== undefined;
  }

  read(payload: string): ChatEvent[] | ChunkProblem {
    if (payload.trim() === DONE) {
      this.done = true;
      return [];
    }
    const chunk = parseObject(payload);
    if (!chunk) return { type: 'malformed' };
    if (chunk['error'] !== undefined && chunk['error'] !== null) return { type: 'error', code: errorCode(chunk) };
    const events: ChatEvent[] = [];
    const choice = objectOf(arrayOf(chunk['choices'])[0]);
    // A server that does not stream sends the same as `message`, whole.
    const delta = objectOf(choice?.['delta']) ?? objectOf(choice?.['message']);
    const text = delta?.['content'];
    if (typeof text === 'string' && text !== '') events.push({ type: 'text', text });
    for (const [position, call] of arrayOf(delta?.['tool_calls']).entries()) this.#addCall(objectOf(call), position);
    const reason = choice?.['finish_reason'];
    if (typeof reason === 'string') this.#finish = reason.slice(0, 40);
    const usage = usageOf(objectOf(chunk['usage']));
    if (usage) events.push(usage);
    return events;
  }

  /** The tool calls, and the end. */
  finish(): ChatEvent[] {
    const calls = [...this.#calls.values()].filter(({ name }) => name !== '');
    const tools = calls.map((call) => ({ type: 'tool', ...call }) as const);
    return [...tools, { type: 'end', reason: this.#finish ?? 'stop' }];
  }

  #addCall(call: Fields | undefined, position: number): void {
    const given = objectOf(call?.['function']);
    if (!call || !given) return;
    const index = typeof call['index'] === 'number' ? call['index'] : position;
    if (!this.#calls.has(index) && this.#calls.size >= MAX_TOOL_CALLS) return;
    const known = this.#calls.get(index) ?? { id: `call_${index}`, name: '', arguments: '' };
    if (typeof call['id'] === 'string' && call['id'] !== '') known.id = call['id'].slice(0, 100);
    if (typeof given['name'] === 'string') known.name = `${known.name}${given['name']}`.slice(0, 64);
    const args = given['arguments'];
    const piece = typeof args === 'string' ? args : objectOf(args) ? JSON.stringify(args) : '';
    known.arguments = `${known.arguments}${piece}`.slice(0, MAX_ARGUMENT_CHARS);
    this.#calls.set(index, known);
  }
}

/** A JSON object, or undefined for anything else. */
export function parseObject(text: string): Fields | undefined {
  try {
    return objectOf(JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}

/**
 * What an error body names: `code` or `type` where it is one plain word. Its message is never taken: servers repeat
 * the request in it.
 */
export function errorCode(body: Fields | undefined): string {
  const error = objectOf(body?.['error']);
  const named = [error?.['code'], error?.['type']].find(
    (value) => typeof value === 'string' && /^[a-z][a-z0-9_.-]{1,39}$/i.test(value),
  );
  return typeof named === 'string' ? named : 'error';
}

export function objectOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

function usageOf(usage: Fields | undefined): ChatEvent | undefined {
  const [promptTokens, completionTokens] = [usage?.['prompt_tokens'], usage?.['completion_tokens']];
  if (!isCount(promptTokens) || !isCount(completionTokens)) return undefined;
  return { type: 'usage', promptTokens, completionTokens };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
