import { FRAME_MS, FRAME_SAMPLES, type PcmFrame, TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import type { SttStream } from '../engines/stt/contract.ts';
import type { VadDetector } from '../engines/vad/contract.ts';
import type { MediaPort } from '../media/media-port.ts';

/** One stretch of speech of the other side. */
export interface HeardStretch {
  readonly fromMs: number; // since the answer
  readonly toMs: number;
  readonly text?: string; // where a recogniser listened
}

export interface ListenerDeps {
  readonly port: Pick<MediaPort, 'read'>;
  readonly vad: VadDetector;
  readonly stt?: SttStream;
  /** Milliseconds since the answer. */
  readonly nowMs: () => number;
}

/** Silence that is longer than this separates what is heard into stretches. */
const STRETCH_GAP_MS = 700;
/** Given to the recogniser from before the detected onset: first consonants are quiet. */
const PRE_ROLL_FRAMES = 10;
const STRETCHES_MAX = 2_000;

/** Notes when the other side speaks, and its words where a recogniser listens. */
export class Listener {
  readonly #stretches: { fromMs: number; toMs: number; texts: string[] }[] = [];
  readonly #settling: number[] = []; // stretches whose words are being settled, in order
  readonly #frame = new Int16Array(FRAME_SAMPLES);
  readonly #listening: Promise<void>;
  #preRoll: PcmFrame[] = [];
  #filled = 0;
  #frames = 0;
  #open = false; // a stretch is going on, pauses shorter than the gap included
  #lastVoiceMs: number | undefined;

  constructor(private readonly deps: ListenerDeps) {
    this.#listening = this.#collect();
  }

  get speaking(): boolean {
    return this.deps.vad.speaking;
  }
  /** When speech was last heard, undefined while none was. */
  get lastVoiceMs(): number | undefined {
    return this.#lastVoiceMs;
  }
  get heard(): HeardStretch[] {
    return this.#stretches.map(({ fromMs, toMs, texts }) => ({
      ...{ fromMs, toMs },
      ...(texts.length > 0 && { text: texts.join(' ') }),
    }));
  }

  /** Takes what arrived; called every 20 ms. */
  tick(): void {
    for (;;) {
      const read = this.deps.port.read(this.#filled === 0 ? this.#frame : this.#frame.subarray(this.#filled));
      if (read === 0) return;
      this.#filled += read;
      if (this.#filled < FRAME_SAMPLES) continue;
      this.#filled = 0;
      this.#frames += 1;
      this.#push({ samples: this.#frame.slice(), sampleRateHz: TELEPHONE_RATE_HZ });
    }
  }

  /** The call is over: waits for the last words. */
  async finish(): Promise<void> {
    this.tick();
    const last = this.#stretches[this.#stretches.length - 1];
    if (this.#open && this.speaking && last) last.toMs = Math.round(this.deps.nowMs());
    this.#close();
    this.deps.stt?.end();
    await this.#listening;
    this.deps.vad.close();
  }

  #push(frame: PcmFrame): void {
    const { vad, stt, nowMs } = this.deps;
    const change = vad.push(frame);
    if (change) this.#note(change.type, this.#timeOf(change.atSample));
    if (vad.speaking) this.#lastVoiceMs = nowMs();
    if (this.#open) stt?.write(frame);
    else {
      this.#preRoll.push(frame);
      if (this.#preRoll.length > PRE_ROLL_FRAMES) this.#preRoll.shift();
    }
    const quietMs = nowMs() - (this.#lastVoiceMs ?? 0);
    if (this.#open && !vad.speaking && quietMs > STRETCH_GAP_MS) this.#close();
  }

  #note(type: 'start' | 'end', atMs: number): void {
    if (type === 'end') {
      const last = this.#stretches[this.#stretches.length - 1];
      if (last) last.toMs = Math.max(last.fromMs, atMs);
    } else if (!this.#open && this.#stretches.length < STRETCHES_MAX) {
      this.#open = true;
      this.#stretches.push({ fromMs: atMs, toMs: atMs, texts: [] });
      for (const earlier of this.#preRoll) this.deps.stt?.write(earlier);
      this.#preRoll = [];
    }
  }

  #close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#settling.push(this.#stretches.length - 1);
    this.deps.stt?.flush();
  }

  /** Time of a stream position, the frame just handled being "now". */
  #timeOf(sample: number): number {
    const behindMs = this.#frames * FRAME_MS - (sample * 1000) / TELEPHONE_RATE_HZ;
    return Math.max(0, Math.round(this.deps.nowMs() - behindMs));
  }

  async #collect(): Promise<void> {
    const { stt } = this.deps;
    if (!stt) return;
    try {
      for await (const event of stt) {
        if (event.type !== 'final') continue;
        const index = this.#settling.shift() ?? this.#stretches.length - 1;
        if (event.text !== '') this.#stretches[index]?.texts.push(event.text);
      }
    } catch (error) {
      void error; // What was heard is timed all the same; the words are an extra.
    }
  }
}
