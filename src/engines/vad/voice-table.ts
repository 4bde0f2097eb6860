export type DetectorSays = 'voice' | 'none';
/** `unsure` also where it is away, late, or has not heard enough. */
export type ModelSays = 'voice' | 'unsure' | 'none';
export type Together = 'speech' | 'silence';

/**
 * What two judges of one stream make of it. The detector is quick and takes noise for a voice; the model is slower, by a tenth of a
 * second and more, and does not. So speech begins with the detector, unless the model has plainly heard none; what the model plainly
 * hears is speech, too; and where it knows nothing the detector decides alone.
 */
export const VOICE_TABLE = {
  voice: { voice: 'speech', unsure: 'speech', none: 'silence' },
  none: { voice: 'speech', unsure: 'silence', none: 'silence' },
} as const satisfies Record<DetectorSays, Record<ModelSays, Together>>;
