import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import { type Answer, type ApiError, chooseAccount, chosenAccount } from '../api/client.ts';
import { useAsk } from '../api/hooks.ts';
import { live } from '../api/live.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { SignIn } from './sign-in.tsx';

export type Who = Answer<'getSession'>;
export type Scope = Who['scopes'][number];
interface Session {
  readonly who: Who;
  may(scope: Scope): boolean;
}
const Context = createContext<Session | undefined>(undefined);

/** Who has signed in, and what they may do. */
export function useWho(): Session {
  const session = useContext(Context);
  if (!session) throw new Error('nobody has signed in');
  return session;
}

/** What is inside is for people who have signed in: for others there is the form, at the same address. */
export function SessionGate({ children }: { children: ReactNode }) {
  const asked = useAsk('getSession', {}, { everyMs: 60_000 });
  const isOut = asked.error?.status === 401;
  // Of somebody before, or of a database that is no more: whoever asks now may look at their own account only.
  const isForeign = asked.error?.status === 404 && chosenAccount() !== undefined;
  const who = isOut ? undefined : asked.data;
  const session = useMemo(() => who && { who, may: (scope: Scope) => who.scopes.includes(scope) }, [who]);
  useEffect(() => {
    if (!isForeign && !isOut) return;
    chooseAccount(undefined);
    if (isForeign) void asked.refetch();
  }, [isForeign, isOut, asked.refetch]);
  const before = useRef(who?.id);
  useEffect(() => {
    if (before.current !== who?.id) live.restart();
    before.current = who?.id;
  }, [who?.id]);
  if (session) return <Context value={session}>{children}</Context>;
  if (isOut) return <SignIn onDone={() => void asked.refetch()} />;
  return asked.error ? (
    <Failed error={asked.error as ApiError} again={() => void asked.refetch()} />
  ) : (
    <Loading height={400} />
  );
}
