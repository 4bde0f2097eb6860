import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, ask } from '../../../api/client.ts';
import { type ChatInput, type ChatLine, historyOf, isOver } from './chat-state.ts';

export interface Chat {
  readonly lines: readonly ChatLine[];
  readonly isBusy: boolean;
  readonly isOver: boolean;
  readonly error: ApiError | undefined;
  /** Begins with the agent's greeting; forgets what was said. */
  restart(): void;
  send(text: string, input: ChatInput): void;
  /** What could not be answered is asked again. */
  again(): void;
}

type Asked = { readonly text: string; readonly input: ChatInput } | 'greeting';

/** A typed conversation with an agent as it is edited. A change of the definition counts from the next turn. */
export function useChat(agentId: string, definition: object | undefined, isWanted: boolean): Chat {
  const [lines, setLines] = useState<readonly ChatLine[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const run = useRef<AbortController>(undefined);
  const failed = useRef<Asked>(undefined);
  useEffect(() => () => run.current?.abort(), []);

  const turn = useCallback(
    async (before: readonly ChatLine[], asked: Asked) => {
      run.current?.abort();
      const own = new AbortController();
      run.current = own;
      setBusy(true);
      setError(undefined);
      const { text, input } = asked === 'greeting' ? { text: '', input: 'silence' as const } : asked;
      const id = (before.at(-1)?.id ?? 0) + 1;
      const said: readonly ChatLine[] = asked === 'greeting' ? [] : [...before, { id, role: 'caller', text, input }];
      setLines(said);
      const body = {
        ...{ text, history: historyOf(before) },
        ...(input === 'keypad' && { input }),
        ...(definition && { definition }),
      };
      try {
        const tried = await ask('tryAgent', { params: { id: agentId }, body }, { signal: own.signal });
        if (own.signal.aborted) return;
        const answer = asked === 'greeting' ? { text: tried.greeting } : { text: tried.reply, tried };
        setLines([...said, { id: id + 1, role: 'agent', ...answer }]);
      } catch (thrown) {
        if (own.signal.aborted) return;
        failed.current = asked;
        setLines(before);
        setError(thrown instanceof ApiError ? thrown : new ApiError('unreachable', String(thrown), 0));
      } finally {
        if (run.current === own) setBusy(false);
      }
    },
    [agentId, definition],
  );

  const hasBegun = useRef(false);
  useEffect(() => {
    if (!isWanted || hasBegun.current) return;
    hasBegun.current = true;
    void turn([], 'greeting');
  }, [isWanted, turn]);

  return {
    ...{ lines, isBusy, error, isOver: isOver(lines) },
    restart: () => void turn([], 'greeting'),
    send: (text, input) => void turn(lines, { text, input }),
    again: () => void turn(lines, failed.current ?? 'greeting'),
  };
}
