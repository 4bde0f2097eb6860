import { Pieces, ToDevice } from './pieces.ts';
import { PlayQueue } from './play-queue.ts';
import { MICROPHONE, type MicrophoneOptions, type PlayerOptions, SPEAKER, type ToSpeaker } from './sound-messages.ts';

/** What is used of the global scope of an audio worklet (Web Audio API §1.32), which the types of the page do not have. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(
  name: string,
  processor: new (options: {
    readonly processorOptions: never;
  }) => AudioWorkletProcessor & {
    process(inputs: readonly Float32Array[][], outputs: readonly Float32Array[][]): boolean;
  },
): void;
declare const sampleRate: number;
declare const currentTime: number;

/** Of a loudness that is shown. */
const LEVEL_EVERY_S = 0.05;

/** Hands over what the microphone hears in pieces of 20 ms, with their loudness and the time at which each ended. */
class Microphone extends AudioWorkletProcessor {
  readonly #pieces: Pieces;
  constructor({ processorOptions }: { readonly processorOptions: MicrophoneOptions }) {
    super();
    this.#pieces = new Pieces(sampleRate, processorOptions.rateHz);
  }
  process([input]: readonly Float32Array[][]): boolean {
    for (const { samples, level } of this.#pieces.push(input ?? [])) {
      this.port.postMessage({ samples, level, atS: currentTime }, [samples.buffer]);
    }
    return true;
  }
}

/** Plays what it is sent, and tells which marks were reached, when a voice begins to sound, and how loud it is. */
class Speaker extends AudioWorkletProcessor {
  readonly #queue = new PlayQueue({ sampleRateHz: sampleRate });
  readonly #toDevice: ToDevice;
  #power = 0;
  #powerOf = 0;
  #isOver = false;

  constructor({ processorOptions }: { readonly processorOptions: PlayerOptions }) {
    super();
    this.#toDevice = new ToDevice(processorOptions.rateHz, sampleRate);
    this.port.onmessage = ({ data }: MessageEvent<ToSpeaker>) => this.#take(data);
  }

  process(_inputs: readonly Float32Array[][], [output]: readonly Float32Array[][]): boolean {
    const [out] = output ?? [];
    if (!out) return !this.#isOver;
    const { marks, soundsFrom } = this.#queue.read(out);
    for (const name of marks) this.port.postMessage({ type: 'mark', name });
    if (soundsFrom !== undefined) {
      this.port.postMessage({ type: 'sounds', atS: currentTime + soundsFrom / sampleRate });
    }
    this.#measure(out);
    return !this.#isOver;
  }

  #take(message: ToSpeaker): void {
    if (message.type === 'audio') this.#queue.push(this.#toDevice.push(message.samples));
    else if (message.type === 'mark') this.#queue.mark(message.name);
    else if (message.type === 'clear') this.#queue.clear();
    else this.#isOver = true;
  }

  #measure(out: Float32Array): void {
    for (const sample of out) this.#power += sample * sample;
    this.#powerOf += out.length;
    if (this.#powerOf < LEVEL_EVERY_S * sampleRate) return;
    this.port.postMessage({ type: 'level', level: Math.sqrt(this.#power / this.#powerOf) });
    this.#power = 0;
    this.#powerOf = 0;
  }
}

registerProcessor(MICROPHONE, Microphone);
registerProcessor(SPEAKER, Speaker);
