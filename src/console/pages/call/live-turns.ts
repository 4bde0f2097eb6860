/** A turn as the record has it, and as a live event tells of it: fewer fields. */
export interface LiveTurn {
  readonly index: number;
  readonly role: 'caller' | 'agent' | 'person';
  readonly text: string;
  readonly started_ms: number;
  readonly heard_ms: number;
  readonly latency_ms: number | null;
}

/** What the record does not have yet is added; what it has is richer and stays. */
export function withLive<T extends LiveTurn>(recorded: readonly T[], told: readonly LiveTurn[]): (T | LiveTurn)[] {
  const known = new Set(recorded.map(({ index }) => index));
  return [...recorded, ...told.filter(({ index }) => !known.has(index))];
}

/** Reads the data of a `call.turn`; undefined where it is none. */
export function liveTurnOf(data: Readonly<Record<string, unknown>>): LiveTurn | undefined {
  const { index, role, text, started_ms, heard_ms, latency_ms } = data;
  if (role !== 'caller' && role !== 'agent' && role !== 'person') return undefined;
  if (typeof index !== 'number' || typeof text !== 'string' || typeof started_ms !== 'number') return undefined;
  return {
    ...{ index, role, text, started_ms },
    heard_ms: typeof heard_ms === 'number' ? heard_ms : 0,
    latency_ms: typeof latency_ms === 'number' ? latency_ms : null,
  };
}
