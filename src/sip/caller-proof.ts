import type { SenderFacts } from '../call/admission.ts';
import { type CallEnd, callEnd } from '../call/call-end.ts';
import type { Clock, Timer } from '../core/clock.ts';
import { sentence } from '../core/notice.ts';
import type { Unproven } from './authenticator.ts';
import type { SrfRequest } from './drachtio.ts';
import type { Reply } from './request-replies.ts';

/** Asks a caller who has to say it who he is. Never rejects. */
export type Prove = (req: SrfRequest) => Promise<CallerProof | Unproven>;
export type CallerProof = Pick<SenderFacts, 'trunkId' | 'phone'>;

/** Who he is; or the answer to send, with an end where it is more than a question. */
export type ProofOutcome =
  | { readonly proof: CallerProof }
  | { readonly reply: Reply; readonly end: CallEnd | undefined };

/** @returns undefined for an INVITE that was cancelled meanwhile, and so is answered. */
export async function proofOf(req: SrfRequest, prove: Prove): Promise<ProofOutcome | undefined> {
  let cancelled = false;
  req.on('cancel', () => {
    cancelled = true;
  });
  const proof = await prove(req);
  if (cancelled) return undefined;
  if (!('why' in proof)) return { proof };
  const { why, ...reply } = proof;
  if (why === 'asked' || why === 'stale') return { reply, end: undefined };
  const end = callEnd(
    'gateway',
    why === 'unavailable' ? 'store-unavailable' : 'not-allowed',
    sentence(`end.digest-${why}`),
  );
  return { reply, end };
}

/** A caller who was asked and knows the answer gives it within a round trip or two. */
export const ANSWER_WAIT_MS = 5_000;
/** Questions that are open at a time; of one more nobody is told. */
export const OPEN_MAX = 1_000;

/** Callers who were asked who they are and did not answer: what they are told is a question, what it comes to is a refusal. */
export class OpenQuestions {
  readonly #open = new Map<string, Timer>();
  constructor(private readonly clock: Clock) {}

  /** @param unanswered - called once, unless the same call comes again with an answer. */
  asked(callId: string, unanswered: () => void): void {
    this.answered(callId);
    if (this.#open.size >= OPEN_MAX) return;
    const timer = this.clock.setTimer(ANSWER_WAIT_MS, () => {
      this.#open.delete(callId);
      unanswered();
    });
    this.#open.set(callId, timer);
  }

  /** It came again: what becomes of it then is another matter. */
  answered(callId: string): void {
    this.clock.clearTimer(this.#open.get(callId));
    this.#open.delete(callId);
  }

  close(): void {
    for (const callId of [...this.#open.keys()]) this.answered(callId);
  }
}
