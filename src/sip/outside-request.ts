import type { Clock } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import { type Notice, notice } from '../core/notice.ts';
import type { HostProblem } from '../core/trunk-status.ts';
import type { SrfClient, SrfIncomingResponse, SrfRequest } from './drachtio.ts';
import { distrustIn, isNotPublic } from './status.ts';

/** A request that belongs to no call. */
export interface OutsideRequest {
  readonly method: 'OPTIONS' | 'REGISTER';
  readonly uri: string; // the Request-URI
  readonly nextHop?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `silent`: nothing came in time. Else it could not even be sent, or was not to be. */
export type OutsideAnswer =
  | { readonly response: SrfIncomingResponse; readonly sent: SrfRequest }
  | { readonly failed: HostProblem };

/** Why there is no answer, for people. */
export function unansweredNotice(failed: HostProblem): Notice {
  if (failed === 'silent' || failed === 'unreachable' || failed === 'not-public') return notice(`host.${failed}`);
  return notice('host.distrusted', { code: distrustIn(failed) ?? '' });
}

/** Sends a request outside calls and waits for its final answer; one that comes later is not heard. Never rejects. */
export function askOutside(
  srf: SrfClient,
  { method, uri, nextHop, headers }: OutsideRequest,
  clock: Clock,
  waitMs: number,
): Promise<OutsideAnswer> {
  return new Promise((resolve) => {
    const timer = clock.setTimer(waitMs, () => resolve({ failed: 'silent' }));
    const settle = (answer: OutsideAnswer): void => {
      clock.clearTimer(timer);
      resolve(answer);
    };
    const options = { method, headers: { ...headers }, ...(nextHop === undefined ? {} : { proxy: nextHop }) };
    try {
      srf.request(uri, options, (error, sent) => {
        if (error || !sent) return settle({ failed: unsent(errorText(error)) });
        sent.on('response', (response) => {
          if (response.status < 200) return;
          if (response.source_address) settle({ response, sent });
          else settle({ failed: response.status === 408 ? 'silent' : 'unreachable' }); // made up by the SIP server
        });
      });
    } catch {
      settle({ failed: 'unreachable' }); // there is no connection to the SIP server
    }
  });
}

function unsent(text: string): HostProblem {
  if (isNotPublic(text)) return 'not-public';
  const distrust = distrustIn(text);
  return distrust === undefined ? 'unreachable' : `certificate refused: ${distrust}`;
}
