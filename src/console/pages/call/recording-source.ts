import { useEffect, useState } from 'react';
import { addressOf, chosenAccount, reach } from '../../api/client.ts';

/**
 * Where the player gets the sound: from the gateway piece by piece (`Range`). A player sends no headers, so that for another
 * account than the own one it is fetched whole before.
 */
export function useRecordingSource(
  callId: string,
  isThere: boolean,
): { source: string | undefined; isFailed: boolean } {
  const [held, setHeld] = useState<string>();
  const [isFailed, setFailed] = useState(false);
  const address = addressOf('getCallRecording', { params: { id: callId } });
  const isOthers = chosenAccount() !== undefined;
  useEffect(() => {
    if (!isThere || !isOthers) return undefined;
    const abort = new AbortController();
    let made: string | undefined;
    reach(address, { signal: abort.signal })
      .then((answer) => answer.blob())
      .then((blob) => {
        if (abort.signal.aborted) return;
        made = URL.createObjectURL(blob);
        setHeld(made);
      })
      .catch(() => abort.signal.aborted || setFailed(true));
    return () => {
      abort.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [address, isThere, isOthers]);
  return { source: isThere ? (isOthers ? held : address) : undefined, isFailed };
}
