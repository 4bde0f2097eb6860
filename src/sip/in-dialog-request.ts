import type { Clock } from '../core/clock.ts';
import { ChallengeAnswers, type DigestClient } from './digest.ts';
import type { SrfDialog, SrfIncomingResponse, SrfRequestOptions } from './drachtio.ts';

/** A request's final answer comes within 64*T1 = 32 s (RFC 3261 timer F), made up by the server if need be. */
export const REQUEST_ANSWER_MS = 35_000;

/**
 * Sends one request inside a dialog and waits for its final answer; a 401 or 407 is answered where we hold credentials, and
 * only to the host that took our call: a dialog can be moved to any other. ACK for an INVITE is sent by the library.
 *
 * @returns undefined when it could not be sent, or no answer ever came. Never rejects.
 */
export async function requestInDialog(
  dialog: SrfDialog,
  options: SrfRequestOptions,
  clock: Clock,
  digest: DigestClient | undefined,
): Promise<SrfIncomingResponse | undefined> {
  const { method, body = '' } = options;
  const answers = new ChallengeAnswers(digest);
  for (;;) {
    const res = await once(dialog, { ...options, headers: { ...options.headers, ...answers.headers } }, clock);
    if (!res || res.source_address !== dialog.res.source_address) return res;
    // The remote target may have moved since the dialog was made: the URI that was asked is the one to sign.
    if (!answers.take(res, { method, body, uri: res.req?.uri ?? dialog.remote.uri })) return res;
  }
}

function once(dialog: SrfDialog, options: SrfRequestOptions, clock: Clock): Promise<SrfIncomingResponse | undefined> {
  return new Promise((resolve) => {
    const timer = clock.setTimer(REQUEST_ANSWER_MS, () => resolve(undefined));
    const settle = (res: SrfIncomingResponse | undefined): void => {
      clock.clearTimer(timer);
      resolve(res);
    };
    try {
      // A fresh header object each time: the library writes into the one it is given.
      dialog.request({ ...options, headers: { ...options.headers } }, (error, res) => {
        if (error || !res) settle(undefined);
        else if (res.status >= 200) settle(res);
      });
    } catch {
      settle(undefined); // the connection to the SIP server is gone
    }
  });
}
