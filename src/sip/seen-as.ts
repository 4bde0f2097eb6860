import type { SrfIncomingResponse } from './drachtio.ts';

/** How somebody sees where our requests come from (RFC 3581 §4): behind NAT and on connections it is no address that we know. */
export interface SeenAs {
  readonly by: string; // their address and port
  readonly from: string; // ours, as they have it
}

const VIA_CHARACTERS_MAX = 512;

/** @returns undefined where the answer does not say. Never throws. */
export function seenAs(response: SrfIncomingResponse): SeenAs | undefined {
  const via = (response.get('Via') ?? '').slice(0, VIA_CHARACTERS_MAX).split(',', 1)[0] ?? '';
  const port = /;\s*rport\s*=\s*(\d{1,5})(?=\s*(?:;|$))/i.exec(via)?.[1];
  const address = /;\s*received\s*=\s*([^;\s]+)/i.exec(via)?.[1] ?? '';
  if (port === undefined) return undefined;
  return { by: `${response.source_address}:${response.source_port}`, from: `${address}:${port}` };
}
