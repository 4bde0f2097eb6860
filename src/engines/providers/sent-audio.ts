import { encodeMulaw } from '../../audio/g711.ts';
import { littleEndian, type PcmFrame, TELEPHONE_RATE_HZ } from '../../audio/pcm.ts';

/** A frame as services are sent it: mu-law at the telephone's rate, else 16-bit little-endian samples. */
export const sentAudio = ({ samples, sampleRateHz }: PcmFrame): Uint8Array =>
  sampleRateHz === TELEPHONE_RATE_HZ ? encodeMulaw(samples) : littleEndian(samples);
