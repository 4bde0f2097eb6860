import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Call, CallTurn } from '../../api/generated/operations.ts';
import { useLiveEvents } from '../../api/live.ts';
import { type LiveTurn, liveTurnOf, withLive } from './live-turns.ts';
import { inTime } from './words.ts';

/** Turns of a call in time; those of a call that goes on as they come. What is new of the call is asked for again. */
export function useLiveTurns(call: Call): readonly CallTurn[] {
  const client = useQueryClient();
  const [told, setTold] = useState<readonly LiveTurn[]>([]);
  const isLive = call.ended_at === null;
  useLiveEvents(({ type, data }) => {
    if (type === 'reset') return void client.invalidateQueries({ queryKey: ['getCall'] });
    if (data['id'] !== call.id || type === 'call.interim') return;
    const turn = type === 'call.turn' ? liveTurnOf(data) : undefined;
    if (turn) setTold((before) => [...before, turn]);
    else void client.invalidateQueries({ queryKey: ['getCall'] });
  }, isLive);
  return useMemo(() => inTime(withLive<CallTurn>(call.turns, told)), [call.turns, told]);
}

/** That the end of a call was told while it still goes on by its record. */
export function useEnding(id: string, isLive: boolean): boolean {
  const [hasEnded, setEnded] = useState(false);
  useLiveEvents(({ type, data }) => {
    if (type === 'call.ended' && data['id'] === id) setEnded(true);
  }, isLive);
  return hasEnded && isLive;
}

/** How long a call that goes on has gone on by now; as it was, where it is over. */
export function useTalkMs(call: Pick<Call, 'answered_at' | 'ended_at' | 'talk_ms'>): number {
  const isRunning = call.ended_at === null && call.answered_at !== null;
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return isRunning ? Math.max(0, now - Date.parse(call.answered_at!)) : call.talk_ms;
}
