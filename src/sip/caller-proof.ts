import type { SenderFacts } from '../call/admission.ts';
import { type CallEnd, callEnd } from '../call/call-end.ts';
import type { Unproven } from './authenticator.ts';
import type { SrfRequest } from './drachtio.ts';
import type { Reply } from './request-replies.ts';

/** Asks a caller who has to say it who he is. Never rejects. */
export type Prove = (req: SrfRequest) => Promise<CallerProof | Unproven>;
export type CallerProof = Pick<SenderFacts, 'username' | 'phone'>;

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
  const end = callEnd('gateway', why === 'unavailable' ? 'store-unavailable' : 'not-allowed', `digest: ${why}`);
  return { reply, end };
}
