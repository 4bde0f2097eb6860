import type { NegotiatedMedia } from '../description.ts';

/** How a key leaves by media: as an event (RFC 4733), as a tone, or not at all, for signalling sends it by INFO. */
export type KeySending = 'event' | 'tone' | 'info' | 'none';

type Agreed = Pick<NegotiatedMedia, 'dtmf' | 'dtmfPayloadType'>;

export function keySending({ dtmf = 'auto', dtmfPayloadType }: Agreed): KeySending {
  if (dtmf === 'info') return 'info';
  if (dtmfPayloadType !== undefined) return 'event';
  return dtmf === 'rfc4733' ? 'none' : 'tone';
}

/** Whether keys are looked for in the audio: nobody pays for that who need not. */
export function hearsTones({ dtmf = 'auto', dtmfPayloadType }: Agreed): boolean {
  return dtmf === 'inband' || (dtmf === 'auto' && dtmfPayloadType === undefined);
}
