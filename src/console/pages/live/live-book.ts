import { Pace } from '../../api/pace.ts';

export type Role = 'caller' | 'agent' | 'person';

/** A call that goes on, or has just ended. A new object wherever something of it is new. */
export interface LiveRow {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly agentId: string;
  readonly agent: string;
  readonly from: string;
  readonly to: string;
  readonly startedAt: string;
  readonly answeredAt: string | null;
  readonly last: { readonly role: Role; readonly text: string } | undefined;
  /** What the caller is saying; may still be revised. */
  readonly interim: string;
  readonly end: { readonly reason: string; readonly atMs: number } | undefined;
}

/** As `listCalls` tells of it. */
export interface ListedLive {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly agent_id: string;
  readonly agent: string;
  readonly from: string;
  readonly to: string;
  readonly started_at: string;
  readonly answered_at: string | null;
  readonly last_words?: { readonly role: Role; readonly text: string } | null;
}

interface Heard {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Shown for so long after its end, so that one sees how it ended. */
const LINGER_MS = 6_000;
/** A page is drawn anew no more often than this, however much is said. */
const TELL_EVERY_MS = 120;
/** More than one gateway holds. */
const ROWS_MAX = 2_000;
const ENDED_MAX = 2_000;
const ROLES: readonly unknown[] = ['caller', 'agent', 'person'];

/** The calls that go on: a list that was asked for, and what has happened since. The newest first. */
export class LiveBook {
  readonly #rows = new Map<string, LiveRow>();
  /** When each was heard of, as a number of events. */
  readonly #born = new Map<string, number>();
  readonly #ended = new Set<string>();
  /** Of those whose words are told by events, which are newer than those of a list. */
  readonly #spoken = new Set<string>();
  #heard = 0;
  #shown: readonly LiveRow[] = [];
  readonly #watchers = new Set<() => void>();
  readonly #pace = new Pace(TELL_EVERY_MS, () => this.#tell());

  /** The same array until something is new. */
  rows = (): readonly LiveRow[] => this.#shown;

  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#pace.stop();
    };
  };

  /** To be taken before a list is asked for, and given with it: what happens meanwhile is newer than the list. */
  mark(): number {
    return this.#heard;
  }

  /**
   * A list of what goes on, asked for at `mark`.
   *
   * @param isWhole - what is not in it goes on no more, but for what has begun since.
   */
  list(calls: readonly ListedLive[], mark: number, isWhole: boolean): void {
    const listed = new Set(calls.map(({ id }) => id));
    for (const [id, row] of this.#rows) {
      if (isWhole && !listed.has(id) && !row.end && (this.#born.get(id) ?? 0) <= mark) this.#drop(id);
    }
    for (const call of calls) if (!this.#ended.has(call.id)) this.#listOne(call);
    this.#pace.wish();
  }

  #listOne(call: ListedLive): void {
    const before = this.#rows.get(call.id);
    if (!before) return this.#add(rowOf(call));
    const words = call.last_words ?? undefined;
    const isSame = before.last?.text === words?.text;
    this.#change(call.id, {
      answeredAt: before.answeredAt ?? call.answered_at,
      ...(!isSame && !this.#spoken.has(call.id) && { last: words }),
    });
  }

  /** @param nowMs - of the browser. */
  hear({ type, data }: Heard, nowMs: number): void {
    const { id } = data;
    if (typeof id !== 'string') return;
    this.#heard += 1;
    if (type === 'call.started') this.#start(id, data);
    else if (this.#rows.has(id)) this.#hearOf(id, type, data, nowMs);
    if (type === 'call.ended') this.#noteEnd(id);
    this.#pace.wish();
  }

  /** Lets go of those that ended a while ago. */
  sweep(nowMs: number): void {
    for (const [id, { end }] of this.#rows) {
      if (!end || nowMs - end.atMs < LINGER_MS) continue;
      this.#drop(id);
      this.#pace.wish();
    }
  }

  #hearOf(id: string, type: string, data: Heard['data'], nowMs: number): void {
    const { at, text, role, end } = data;
    if (type === 'call.answered' && typeof at === 'string') this.#change(id, { answeredAt: at });
    if (type === 'call.interim' && typeof text === 'string') this.#change(id, { interim: text });
    if (type === 'call.turn' && typeof text === 'string' && isRole(role)) {
      this.#spoken.add(id);
      this.#change(id, { last: { role, text }, ...(role === 'caller' && { interim: '' }) });
    }
    if (type === 'call.ended') {
      const { reason } = (end ?? {}) as { readonly reason?: unknown };
      this.#change(id, { interim: '', end: { reason: typeof reason === 'string' ? reason : '', atMs: nowMs } });
    }
  }

  #start(id: string, data: Heard['data']): void {
    const { direction, agent_id, agent, from, to, at } = data;
    const texts = { agent_id, agent, from, to, started_at: at };
    if (!Object.values(texts).every((one) => typeof one === 'string')) return;
    if (this.#rows.has(id) || this.#ended.has(id)) return;
    const given = texts as Record<keyof typeof texts, string>;
    const way = direction === 'outbound' ? direction : 'inbound';
    this.#add(rowOf({ ...{ id, direction: way, answered_at: null }, ...given }));
  }

  #add(row: LiveRow): void {
    if (this.#rows.size >= ROWS_MAX) return;
    this.#rows.set(row.id, row);
    this.#born.set(row.id, this.#heard);
  }

  #change(id: string, change: Partial<LiveRow>): void {
    const row = this.#rows.get(id)!;
    const isNew = Object.entries(change).some(([name, value]) => row[name as keyof LiveRow] !== value);
    if (isNew) this.#rows.set(id, { ...row, ...change });
  }

  #drop(id: string): void {
    this.#rows.delete(id);
    this.#born.delete(id);
    this.#spoken.delete(id);
  }

  #noteEnd(id: string): void {
    this.#ended.add(id);
    const [oldest] = this.#ended;
    if (this.#ended.size > ENDED_MAX) this.#ended.delete(oldest!);
  }

  #tell(): void {
    this.#shown = [...this.#rows.values()].sort((a, b) => newer(a, b));
    for (const watcher of [...this.#watchers]) watcher();
  }
}

/** Times of one gateway in ISO 8601, which sort as texts; ids where they are the same, so that rows keep their places. */
const newer = (a: LiveRow, b: LiveRow): number =>
  a.startedAt === b.startedAt ? (a.id < b.id ? 1 : -1) : a.startedAt < b.startedAt ? 1 : -1;

const isRole = (role: unknown): role is Role => ROLES.includes(role);

const rowOf = (call: ListedLive): LiveRow => ({
  ...{ id: call.id, direction: call.direction, agentId: call.agent_id, agent: call.agent },
  ...{ from: call.from, to: call.to, startedAt: call.started_at, answeredAt: call.answered_at },
  ...{ last: call.last_words ?? undefined, interim: '', end: undefined },
});
