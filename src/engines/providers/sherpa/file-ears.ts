import { samplesOf, WIDEBAND_RATE_HZ } from '../../../audio/pcm.ts';
import type { Clock, Timer } from '../../../core/clock.ts';
import { errorText } from '../../../core/errors.ts';
import { StretchRecorder } from '../stretch-recorder.ts';
import { floats } from './floats.ts';
import { heardFrom, NOTHING_HEARD } from './heard-text.ts';
import type { OfflineRecognizer, Vad } from './native.ts';
import { DETECTOR_WINDOW } from './native-configs.ts';
import type { HeardText, ModelWork, Say, ToModel } from './process-protocol.ts';

const STRETCHES_MAX = 512;
/** In less there is no word. */
const STRETCH_MS_MIN = 100;

interface Stretch {
  readonly recorder: StretchRecorder;
}

/** A recogniser that hears a stretch when it is over, one after the other: each takes all of its threads. */
export class FileEars implements ModelWork {
  readonly #stretches = new Map<number, Stretch>();
  readonly #finished: number[] = []; // at most STRETCHES_MAX, being stretches
  #next: Timer | undefined;

  /** @param stretchMsMax - the most of one that the model takes. @param detector - of speech; without it everything is heard. */
  constructor(
    private readonly recogniser: OfflineRecognizer,
    private readonly stretchMsMax: number,
    private readonly detector: Vad | undefined,
    private readonly say: Say,
    private readonly clock: Clock,
  ) {}

  handle(message: ToModel): void {
    const stretch = this.#stretches.get(message.id);
    if (message.type === 'begin') this.#begin(message.id, message.rateHz);
    else if (message.type === 'drop') this.#stretches.delete(message.id);
    else if (message.type === 'audio' && stretch) {
      stretch.recorder.write(message.samples);
      this.say({ type: 'taken', id: message.id, samples: message.samples.length });
    } else if (message.type === 'finish' && stretch) {
      this.#finished.push(message.id);
      this.#schedule();
    }
  }

  #begin(id: number, rateHz: number): void {
    if (this.#stretches.size >= STRETCHES_MAX)
      return this.say({ type: 'failed', id, why: 'too many wait to be heard' });
    this.#stretches.set(id, { recorder: new StretchRecorder(rateHz, WIDEBAND_RATE_HZ, this.stretchMsMax) });
  }

  #schedule(): void {
    if (this.#finished.length === 0) return;
    this.#next ??= this.clock.setTimer(0, () => {
      this.#next = undefined;
      this.#hearOne();
      this.#schedule(); // after the messages that came meanwhile: whoever hung up is not heard
    });
  }

  #hearOne(): void {
    const id = this.#finished.shift();
    const stretch = id === undefined ? undefined : this.#stretches.get(id);
    if (id === undefined || !stretch) return;
    this.#stretches.delete(id);
    try {
      const samples = stretch.recorder.take()?.samples ?? new Int16Array(0);
      this.say({ type: 'final', id, ...this.#recognise(samples) });
    } catch (error) {
      this.say({ type: 'failed', id, why: errorText(error) });
    }
  }

  #recognise(samples: Int16Array): HeardText {
    if (samples.length < samplesOf(STRETCH_MS_MIN, WIDEBAND_RATE_HZ)) return NOTHING_HEARD;
    const given = floats(samples);
    if (this.detector && !hasSpeech(this.detector, given)) return NOTHING_HEARD;
    const stream = this.recogniser.createStream();
    stream.acceptWaveform({ samples: given, sampleRate: WIDEBAND_RATE_HZ });
    this.recogniser.decode(stream);
    return heardFrom(() => this.recogniser.getResult(stream), (samples.length * 1000) / WIDEBAND_RATE_HZ);
  }
}

/** Whether the detector finds speech anywhere; it is as new afterwards. */
function hasSpeech(detector: Vad, samples: Float32Array): boolean {
  try {
    for (let at = 0; at + DETECTOR_WINDOW <= samples.length; at += DETECTOR_WINDOW) {
      detector.acceptWaveform(samples.subarray(at, at + DETECTOR_WINDOW));
      if (detector.isDetected() || !detector.isEmpty()) return true;
    }
    detector.flush();
    return !detector.isEmpty();
  } finally {
    detector.clear();
    detector.reset();
  }
}
