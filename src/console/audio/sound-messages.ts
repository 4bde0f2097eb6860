/** What the page and its audio thread say to each other. */
export const MICROPHONE = 'nidaa-microphone';
export const SPEAKER = 'nidaa-speaker';

export interface MicrophoneOptions {
  /** Of what is handed over. */
  readonly rateHz: number;
}
export interface PlayerOptions {
  /** Of what is brought. */
  readonly rateHz: number;
}

/** 20 ms of a microphone. */
export interface HeardPiece {
  readonly samples: Int16Array<ArrayBuffer>;
  readonly level: number; // root mean square, 0..1
  readonly atS: number; // at which it ended, of the clock of the audio context
}

export type ToSpeaker =
  | { readonly type: 'audio'; readonly samples: Int16Array<ArrayBuffer> }
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'clear' }
  | { readonly type: 'close' };
export type FromSpeaker =
  | { readonly type: 'mark'; readonly name: string }
  | { readonly type: 'sounds'; readonly atS: number }
  | { readonly type: 'level'; readonly level: number };
