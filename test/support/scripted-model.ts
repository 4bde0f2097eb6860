import type { ModelHost, ModelHostEvents, StartModel } from '../../src/engines/providers/sherpa/model-host.ts';
import type { FromModel, ToModel } from '../../src/engines/providers/sherpa/process-protocol.ts';
import { joined } from './speech-clips.ts';

export interface ScriptedAnswer {
  readonly text: string;
  readonly language?: string;
  readonly as?: string; // `behind`: after that of the next stretch
}
/** What becomes of the next job: a stretch that is heard, or a sentence that is spoken. */
export type JobFault = 'failed' | 'crash' | 'silent' | 'mute';

interface Open {
  readonly pieces: Int16Array[];
  readonly interim: boolean;
  fault: JobFault | undefined;
}

/** A model's process without a process: it hears and speaks what the test says, by the same messages. */
export class ScriptedModel {
  readonly answers: ScriptedAnswer[] = [];
  /** What each stretch was given. */
  readonly stretches: Int16Array[][] = [];
  readonly asked: string[] = [];
  /** Turns that were to be judged, and what is found of the next ones; without it they wait. */
  readonly judged: Int16Array[] = [];
  readonly verdicts: number[] = [];
  /** Windows of streams that were to be judged, one message after the other; each is answered at once unless it `holdsVoices`. */
  readonly windows: Extract<ToModel, { readonly type: 'windows' }>[] = [];
  holdsVoices = false;
  readonly #held: FromModel[] = [];
  readonly faults: JobFault[] = [];
  sound = new Int16Array(16_000).fill(1_000);
  /** Samples of a sentence after which its process ends, where that is its fault. */
  crashAfter = 4_000;
  starts = 0;
  busiest = 0;
  /** What a process says as soon as it is there; undefined for nothing. */
  greeting: FromModel | undefined = { type: 'ready', memoryMb: 10 };
  #open = new Map<number, Open>();
  #events: ModelHostEvents | undefined;
  #behind: FromModel | undefined;

  get busy(): number {
    return this.#open.size;
  }

  readonly start: StartModel = (_setup, events) => {
    this.starts += 1;
    this.#events = events;
    this.#open = new Map();
    let end = (): void => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    const leave = (): void => {
      this.#open.clear();
      end();
    };
    const host: ModelHost = {
      pid: undefined,
      over,
      hold: () => () => {},
      dismiss: leave,
      kill: leave,
      post: (message) => this.#post(message),
    };
    const { greeting } = this;
    if (greeting) queueMicrotask(() => events.heard(greeting));
    return host;
  };

  /** The process ends. */
  crash(told = ''): void {
    this.#open.clear();
    this.#events?.gone('its process ended with SIGSEGV', told);
  }

  #say(message: FromModel): void {
    const events = this.#events;
    queueMicrotask(() => events?.heard(message));
  }

  #post(message: ToModel): void {
    const { id } = message;
    if (message.type === 'begin') {
      const pieces: Int16Array[] = [];
      this.stretches.push(pieces);
      this.#begin(id, { pieces, interim: message.interim, fault: this.faults.shift() });
    } else if (message.type === 'speak') {
      this.asked.push(message.text);
      this.#begin(id, { pieces: [], interim: false, fault: this.faults.shift() });
      this.#speak(id);
    } else if (message.type === 'windows') this.#listen(message);
    else if (message.type === 'judge') this.#judge(id, message.samples);
    else if (message.type === 'drop') this.#open.delete(id);
    else {
      const open = this.#open.get(id);
      if (open && message.type === 'audio') this.#hear(id, open, message.samples);
      else if (open) this.#finish(id, open);
    }
  }

  #begin(id: number, open: Open): void {
    this.#open.set(id, open);
    this.busiest = Math.max(this.busiest, this.#open.size);
  }

  #judge(id: number, samples: Int16Array): void {
    this.judged.push(samples);
    this.#begin(id, { pieces: [], interim: false, fault: undefined });
    const complete = this.verdicts.shift();
    if (complete === undefined) return;
    this.#open.delete(id);
    this.#say({ type: 'judged', id, complete });
  }

  /** What was held back is said now. */
  releaseVoices(): void {
    for (const message of this.#held.splice(0)) this.#say(message);
  }

  /** As loud as its first sample. */
  #listen(message: Extract<ToModel, { readonly type: 'windows' }>): void {
    const { id, streams, samples } = message;
    this.windows.push(message);
    const likely = Float32Array.from(streams, (_, at) => samples[at * 256]! / 32_767);
    const voices = { type: 'voices', id, streams, likely } as const;
    if (this.holdsVoices) this.#held.push(voices);
    else this.#say(voices);
  }

  #hear(id: number, open: Open, samples: Int16Array): void {
    open.pieces.push(samples);
    this.#say({ type: 'taken', id, samples: samples.length });
    const [first] = (this.answers[0]?.text ?? '').split(' ');
    if (open.interim && first && open.pieces.length === 5) this.#say({ type: 'interim', id, text: first });
  }

  #finish(id: number, { pieces, fault }: Open): void {
    if (fault === 'silent') return;
    this.#open.delete(id);
    if (fault === 'crash') return queueMicrotask(() => this.crash());
    if (fault === 'failed') return this.#say({ type: 'failed', id, why: 'scripted' });
    const { text, language = 'en', as }: ScriptedAnswer = this.answers.shift() ?? { text: '' };
    const stretchMs = joined(...pieces).length / 8;
    const said = text.split(' ').filter((word) => word !== '');
    const at = (n: number): number => (n * stretchMs) / Math.max(1, said.length);
    const words = said.map((word, n) => ({ text: word, startMs: at(n), endMs: at(n + 1) }));
    const final = { type: 'final', id, text, confidence: text === '' ? 0 : 0.9, language, words } as const;
    const due = this.#behind;
    this.#behind = as === 'behind' ? final : undefined;
    for (const told of [as === 'behind' ? undefined : final, due]) if (told) this.#say(told);
  }

  #speak(id: number): void {
    const fault = this.#open.get(id)?.fault;
    const say = (samples: Int16Array): void => this.#say({ type: 'samples', id, samples });
    if (fault === 'silent') return say(this.sound.slice(0, 800));
    if (fault === 'crash') say(this.sound.slice(0, this.crashAfter));
    if (fault === undefined)
      for (let at = 0; at < this.sound.length; at += 4_000) say(this.sound.slice(at, at + 4_000));
    queueMicrotask(() => {
      this.#open.delete(id);
      if (fault === 'crash') this.crash();
      else if (fault === 'failed') this.#say({ type: 'failed', id, why: 'scripted' });
      else this.#say({ type: 'done', id });
    });
  }
}
