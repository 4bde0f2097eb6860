import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { type Answer, type ApiError, ask } from '../../api/client.ts';
import { useLiveEvents, useLiveQuery } from '../../api/live.ts';
import { everySecond } from './clock.tsx';
import { LevelHub } from './level-hub.ts';
import { LiveBook, type LiveRow } from './live-book.ts';

/** Of the list that is begun with, and of what the page shows: levels of more are not told. */
export const CALLS_SHOWN_MAX = 50;
const LISTED_MAX = 200;
/** Events are of one gateway; calls of others on the same database are seen by asking. */
const LIST_EVERY_MS = 20_000;
const WANTED = 'interim=true&levels=all';

export interface LiveCalls {
  readonly rows: readonly LiveRow[];
  readonly hub: LevelHub;
  readonly isKnown: boolean;
  readonly error: ApiError | null;
  again(): void;
}

/** The calls that go on, as they go on. */
export function useLiveCalls(): LiveCalls {
  const [book] = useState(() => new LiveBook());
  const [hub] = useState(() => new LevelHub());
  const rows = useSyncExternalStore(book.watch, book.rows);
  const listed = useQuery<{ readonly page: Answer<'listCalls'>; readonly mark: number }, ApiError>({
    queryKey: ['listCalls', 'live'],
    queryFn: async ({ signal }) => {
      const mark = book.mark();
      return { mark, page: await ask('listCalls', { query: { state: 'live', limit: LISTED_MAX } }, { signal }) };
    },
    ...{ refetchInterval: LIST_EVERY_MS, staleTime: 0, gcTime: 0 },
  });
  const { data, refetch } = listed;
  useEffect(() => {
    if (data) book.list(data.page.items, data.mark, data.page.next === null);
  }, [book, data]);
  useLiveQuery(WANTED);
  useLiveEvents((event) => {
    if (event.type === 'call.levels') hub.tell((event.data['levels'] ?? {}) as Record<string, unknown>);
    else if (event.type === 'reset') void refetch();
    else if (event.type.startsWith('call.')) book.hear(event, Date.now());
  });
  useEffect(() => everySecond(() => book.sweep(Date.now())), [book]);
  return { rows, hub, isKnown: data !== undefined, error: data ? null : listed.error, again: () => void refetch() };
}
