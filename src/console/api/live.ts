import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { ownHeaders } from './client.ts';
import { Pace } from './pace.ts';
import { readEvents, type ServerEvent } from './server-events.ts';

/** An event of `GET /live`: its type, and what the document says it has. */
export interface LiveEvent {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: Record<string, unknown>;
}
export type LiveState = 'connecting' | 'open' | 'lost';
type Listener = (event: LiveEvent) => void;

const RETRY_MS = [1_000, 2_000, 4_000, 8_000] as const;
/** The gateway says something every 15 s, be it a comment: more silence is a connection that is dead. */
const SILENCE_MS_MAX = 40_000;

/** One connection to the live events for all pages; open while somebody listens. It comes back by itself, from where it was. */
class LiveConnection {
  readonly #listeners = new Set<Listener>();
  readonly #watchers = new Set<() => void>();
  #state: LiveState = 'connecting';
  #query = '';
  #lastId: string | undefined;
  #failures = 0;
  #abort: AbortController | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  state = (): LiveState => this.#state;

  watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#open();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#close();
    };
  }

  /** What is asked for besides, such as `levels=...`: the connection is made anew where that has changed. */
  ask(query: string): void {
    if (query === this.#query) return;
    this.#query = query;
    if (this.#listeners.size === 0) return;
    this.#close();
    this.#open();
  }

  /** Another account, or another person: nothing of before is asked for. */
  restart(): void {
    this.#lastId = undefined;
    if (this.#listeners.size === 0) return;
    this.#close();
    this.#open();
  }

  #open(): void {
    const abort = new AbortController();
    this.#abort = abort;
    this.#tell('connecting');
    void this.#read(abort).catch(() => {
      if (this.#abort !== abort) return; // Closed by us; one that was silent for too long is not.
      this.#tell('lost');
      const wait = RETRY_MS[Math.min(this.#failures++, RETRY_MS.length - 1)];
      this.#retry = setTimeout(() => this.#open(), wait);
    });
  }

  #close(): void {
    clearTimeout(this.#retry);
    const abort = this.#abort;
    this.#abort = undefined;
    abort?.abort();
  }

  /** Until the connection ends, which it does by an error. */
  async #read(abort: AbortController): Promise<never> {
    const headers = { ...ownHeaders(), ...(this.#lastId !== undefined && { 'last-event-id': this.#lastId }) };
    let silence = setTimeout(() => abort.abort(), SILENCE_MS_MAX);
    try {
      const answer = await fetch(`/manage/v1/live${this.#query && `?${this.#query}`}`, {
        headers,
        signal: abort.signal,
      });
      if (!answer.ok || !answer.body) throw new Error(`live ${answer.status}`);
      this.#failures = 0;
      this.#tell('open');
      for await (const event of readEvents(answer.body)) {
        clearTimeout(silence);
        silence = setTimeout(() => abort.abort(), SILENCE_MS_MAX);
        if (event !== 'comment') this.#hear(event);
      }
      throw new Error('the connection ended');
    } finally {
      clearTimeout(silence);
    }
  }

  #hear({ id, type, data }: ServerEvent): void {
    if (id !== undefined) this.#lastId = id;
    let read: unknown;
    try {
      read = JSON.parse(data);
    } catch {
      return;
    }
    const event = { id, type, data: (read ?? {}) as Record<string, unknown> };
    for (const listener of [...this.#listeners]) listener(event);
  }

  #tell(state: LiveState): void {
    this.#state = state;
    for (const watcher of [...this.#watchers]) watcher();
  }
}

export const live = new LiveConnection();

/** Calls `listener` for each live event while the page is there. */
export function useLiveEvents(listener: Listener, isWanted = true): void {
  const current = useRef(listener);
  useEffect(() => {
    current.current = listener;
  });
  useEffect(() => (isWanted ? live.listen((event) => current.current(event)) : undefined), [isWanted]);
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(live.watch, live.state);
}

/** What is shown is asked for again no more often than this: a busy gateway tells of hundreds of things a second. */
const AGAIN_MS = 2_000;

/** Asks the named operations again when an event of these types has come, or events may have been missed. */
export function useLiveRefresh(operations: readonly string[], types: readonly string[], isWanted = true): void {
  const client = useQueryClient();
  const again = useRef(() => {});
  again.current = () => {
    for (const operation of operations) void client.invalidateQueries({ queryKey: [operation] });
  };
  const [pace] = useState(() => new Pace(AGAIN_MS, () => again.current()));
  useEffect(() => () => pace.stop(), [pace]);
  useLiveEvents(({ type }) => {
    if (type === 'reset' || types.includes(type)) pace.wish();
  }, isWanted);
}

/** Also asks for what passes, such as `levels=all`, while the page is there. */
export function useLiveQuery(query: string): void {
  useEffect(() => {
    live.ask(query);
    return () => live.ask('');
  }, [query]);
}
