import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLiveEvents } from '../../api/live.ts';

/** A busy gateway tells of hundreds of turns a second: lists are asked for again no more often than this. */
const AGAIN_MS = 1_500;

/** Lists of calls are asked for again when one begins, is talked on, or ends. */
export function useFreshCalls(): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isEnded = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLiveEvents(({ type }) => {
    if (!type.startsWith('call.') && type !== 'reset') return;
    isEnded.current ||= type === 'call.ended' || type === 'reset';
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      // What has ended changes both lists; words change that of calls that go on.
      const isBoth = isEnded.current;
      isEnded.current = false;
      void client.invalidateQueries({
        queryKey: ['listCalls'],
        predicate: ({ queryKey }) => isBoth || (queryKey[2] as { state?: string } | undefined)?.state === 'live',
      });
    }, AGAIN_MS);
  });
}
