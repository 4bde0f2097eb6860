/** Text frames that the talk socket sends (`/asyncapi.json`, channel `talk`), as far as they are used. */
export type TalkFrame =
  | { readonly type: 'authenticated'; readonly input_sample_rate?: number }
  | { readonly type: 'opened'; readonly call_id: string; readonly sample_rate: number }
  | { readonly type: 'transcript'; readonly text: string; readonly final: boolean }
  | { readonly type: 'sentence'; readonly text: string }
  | TalkTurn
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'clear' }
  | { readonly type: 'dtmf'; readonly digits: string }
  | { readonly type: 'ended'; readonly party: string; readonly reason: string; readonly seconds: number }
  | { readonly type: 'error'; readonly error: { readonly code: string; readonly message: string } };

export interface TalkTurn {
  readonly type: 'turn';
  readonly role: 'caller' | 'agent';
  readonly text: string;
  readonly started_ms: number;
  readonly heard_ms: number;
  readonly latency_ms?: number;
}

const TYPES: readonly string[] = [
  ...['authenticated', 'opened', 'transcript', 'sentence', 'turn', 'mark', 'clear', 'dtmf', 'ended', 'error'],
];

/** @returns undefined for what is none, or of a kind that a newer gateway knows. */
export function readTalkFrame(text: string): TalkFrame | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { type } = (read ?? {}) as { readonly type?: unknown };
  return typeof type === 'string' && TYPES.includes(type) ? (read as TalkFrame) : undefined;
}
