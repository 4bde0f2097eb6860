import type { AudioCodec } from '../description.ts';
import type { Codec } from './codec.ts';
import { PCMA, PCMU } from './g711-codec.ts';
import { G722 } from './g722-codec.ts';

/** Every audio codec that is spoken here. */
export const CODECS: Readonly<Record<AudioCodec, Codec>> = { PCMU, PCMA, G722 };
