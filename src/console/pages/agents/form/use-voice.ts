import { useCallback, useEffect, useRef, useState } from 'react';
import { type ApiError, addressOf, type Input, reach } from '../../../api/client.ts';
import { tellFailed } from '../../../parts/tell.ts';

export type HeardText = Input<'previewVoice'>['body'];
/** What the gateway says at once. */
const CHARACTERS_MAX = 200;

/** One voice is heard at a time. */
let stopOther: (() => void) | undefined;

/** Has the gateway say a short text, and plays it. */
export function useVoice() {
  const [state, setState] = useState<'quiet' | 'coming' | 'playing'>('quiet');
  const end = useRef<() => void>(undefined);
  const stop = useCallback(() => end.current?.(), []);
  useEffect(() => () => end.current?.(), []);
  const play = useCallback(async (heard: HeardText) => {
    stopOther?.();
    const abort = new AbortController();
    const audio = new Audio();
    let url: string | undefined;
    const done = () => {
      abort.abort();
      audio.pause();
      if (url) URL.revokeObjectURL(url);
      url = undefined;
      if (stopOther === done) stopOther = undefined;
      setState('quiet');
    };
    end.current = done;
    stopOther = done;
    setState('coming');
    try {
      const body = JSON.stringify({ ...heard, ...(heard.text !== undefined && { text: shortened(heard.text) }) });
      const headers = { 'content-type': 'application/json' };
      const answer = await reach(addressOf('previewVoice', {}), {
        method: 'POST',
        headers,
        body,
        signal: abort.signal,
      });
      url = URL.createObjectURL(await answer.blob());
      audio.src = url;
      audio.onended = done;
      await audio.play();
      setState('playing');
    } catch (error) {
      const isOwn = abort.signal.aborted;
      done();
      if (!isOwn) tellFailed(error as ApiError);
    }
  }, []);
  return { state, play, stop };
}

/** At the end of a word. */
function shortened(text: string): string {
  if (text.length <= CHARACTERS_MAX) return text;
  return text.slice(0, CHARACTERS_MAX).replace(/\s+\S*$/, '');
}
