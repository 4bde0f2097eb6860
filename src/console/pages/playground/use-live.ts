import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { Level } from '../../audio/levels.ts';
import { MicrophoneError, type MicrophoneProblem } from '../../audio/microphone-problem.ts';
import { type LiveState, LiveTranscription } from './live-transcription.ts';

/** Live transcription of this page's microphone; ends with the page. */
export function useLive() {
  const [state, setState] = useState<LiveState>();
  const [error, setError] = useState<ApiError | null>(null);
  const [problem, setProblem] = useState<MicrophoneProblem>();
  const level = useMemo(() => new Level(), []);
  const live = useRef<LiveTranscription>(undefined);
  useEffect(() => () => live.current?.close(), []);
  const start = useCallback(
    (language: string) => {
      live.current?.close();
      setError(null);
      setProblem(undefined);
      const fail = (thrown: unknown): void => {
        setState((before) => before && { ...before, phase: 'done', interim: '' });
        if (thrown instanceof MicrophoneError) setProblem(thrown.problem);
        else setError(thrown instanceof ApiError ? thrown : new ApiError('unreachable', String(thrown), 0));
      };
      live.current = new LiveTranscription(level, setState, fail);
      void live.current.start(language);
    },
    [level],
  );
  const isRunning = state !== undefined && state.phase !== 'done';
  return { state, error, problem, level, isRunning, start, stop: () => live.current?.stop() };
}
export type Live = ReturnType<typeof useLive>;
