import type { CallEnd } from '../call/call-end.ts';
import type { TalkErrorCode } from '../core/talk-errors.ts';

/** Why a connection carries no call, or none any more. Codes are those of the talk socket. */
export interface StreamFault {
  readonly code: TalkErrorCode;
  readonly detail?: string; // fills in the message; shown to the client
}

const FAULT_OF: Partial<Record<CallEnd['reason'], TalkErrorCode>> = {
  'no-such-number': 'unknown_agent',
  'agent-not-live': 'agent_not_live',
  'no-credit': 'insufficient_credit',
  'account-limit': 'too_many_sessions',
  busy: 'too_many_sessions',
  draining: 'shutting_down',
  shutdown: 'shutting_down',
  internal: 'internal_error',
};

/** How a refused call is told to a client of the API. */
export const faultOf = ({ reason }: CallEnd): StreamFault => ({ code: FAULT_OF[reason] ?? 'unavailable' });
