import { useCallback, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { ask } from '../../../api/client.ts';
import { Level } from '../../../audio/levels.ts';
import { TalkCall } from '../../../audio/talk-call.ts';
import { NO_TALK, type TalkState, talkAfter } from '../../../audio/talk-state.ts';

export interface Talk {
  readonly state: TalkState;
  readonly levels: { readonly own: Level; readonly agent: Level };
  readonly isMuted: boolean;
  start(): void;
  mute(isMuted: boolean): void;
  press(digits: string): void;
  hangUp(): void;
}

/** A call with an agent as it is edited; without a definition as it is saved. Ends with the page. */
export function useTalk(agentId: string, definition: object | undefined): Talk {
  const [state, tell] = useReducer(talkAfter, NO_TALK);
  const [isMuted, setMuted] = useState(false);
  const levels = useMemo(() => ({ own: new Level(), agent: new Level() }), []);
  const call = useRef<TalkCall>(undefined);
  useEffect(() => () => call.current?.close(), []);
  const start = useCallback(() => {
    call.current?.close();
    setMuted(false);
    const body = definition ? { definition } : {};
    const pass = () => ask('talkToAgent', { params: { id: agentId }, body });
    const begun = new TalkCall({ levels, pass, tell: (event) => call.current === begun && tell(event) });
    call.current = begun;
    void begun.start();
  }, [agentId, definition, levels]);
  return {
    ...{ state, levels, isMuted, start },
    mute: (wanted) => {
      call.current?.mute(wanted);
      setMuted(wanted);
    },
    press: (digits) => call.current?.press(digits),
    hangUp: () => call.current?.hangUp(),
  };
}
