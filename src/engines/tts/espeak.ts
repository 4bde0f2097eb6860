import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { createResampler, type Resampler } from '../../audio/resampler.ts';
import type { Clock } from '../../core/clock.ts';
import { errorText, ServiceError } from '../../core/errors.ts';
import { sentence } from '../../core/notice.ts';
import { isShortage, Shortage } from '../../core/shortage.ts';
import type { Voice } from '../../core/voice.ts';
import type { TtsEngine, TtsRequest, TtsStream } from './contract.ts';
import { concat, DEFAULT_TRIM, SilenceTrimmer } from './silence-trimmer.ts';
import { timelyReads } from './timely-reads.ts';
import { WavPipeReader } from './wav-pipe-reader.ts';

export interface EspeakOptions {
  readonly clock: Clock;
  /** Program and leading arguments; only tests give another. */
  readonly command?: readonly [string, ...string[]];
  /** Longest wait for the next bytes of a running child, the first ones too. */
  readonly readTimeoutMs?: number;
  /** A child that speaks longer than this is stopped as a failure. */
  readonly audioMaxSeconds?: number;
}

const READ_TIMEOUT_MS = 3000; // the first bytes come after 9 ms on an idle machine
const AUDIO_MAX_SECONDS = 1800; // 5,000 characters at half speed take about 1,000 s
const PROBE_TIMEOUT_MS = 2000;
const PROBE_AGAIN_MS = 5000; // an operator who installs the package need not restart
const STDERR_MAX_CHARS = 500;

const WORDS_PER_MINUTE = { min: 80, max: 450 } as const; // what the program accepts
const PITCH_MAX = 99;
/** The program's pitch scale is exponential: 0 is half and 100 double the frequency of 50, so 24 semitones are 100 steps. */
const PITCH_STEPS_PER_SEMITONE = 100 / 24;
/** Everything a shell, a terminal or the program's own markup might take for a command; white space stays white space. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]+/gu;
const LONE_SURROGATE = /[\ud800-\udfff]/gu;
const VOICE_NAME = /^[a-z][a-z0-9-]*(?:\+[A-Za-z][A-Za-z0-9]*)?$/;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** The command line for one sentence. The text itself goes to standard input: it may be long or start with a dash. */
export function espeakArguments(voice: Voice['espeak'], speed: number, pitchSemitones: number): string[] {
  if (!VOICE_NAME.test(voice.voice))
    throw new ServiceError('synthesis_failed', '', { cause: new Error('bad voice name') });
  const wordsPerMinute = clamp(voice.wordsPerMinute * speed, WORDS_PER_MINUTE.min, WORDS_PER_MINUTE.max);
  const pitch = clamp(voice.pitch + pitchSemitones * PITCH_STEPS_PER_SEMITONE, 0, PITCH_MAX);
  const format = ['-b', '1', '--stdin', '--stdout']; // -b 1: UTF-8
  return ['-v', voice.voice, '-s', String(wordsPerMinute), '-p', String(pitch), ...format];
}

/** What is handed to the program: one line of valid UTF-8 without control characters. */
export function espeakText(text: string): string {
  return text.replace(CONTROL, ' ').replace(LONE_SURROGATE, '').trim();
}

/**
 * Debian's `espeak-ng`, one process a sentence: it cannot take the gateway down, is killed at barge-in, and its licence
 * stays its own. Audio is passed on while the program still writes; a slow reader slows the program (pipe of 64 KB).
 */
export class EspeakTts implements TtsEngine {
  readonly name = 'espeak';
  readonly #children = new Set<Child>();
  readonly #command: readonly [string, ...string[]];
  readonly #readTimeoutMs: number;
  readonly #audioMaxSeconds: number;
  #closed = false;
  #probe: { readonly found: boolean; readonly why: string; readonly short: boolean; readonly atMs: number } | undefined;

  constructor(readonly options: EspeakOptions) {
    this.#command = options.command ?? ['espeak-ng'];
    this.#readTimeoutMs = options.readTimeoutMs ?? READ_TIMEOUT_MS;
    this.#audioMaxSeconds = options.audioMaxSeconds ?? AUDIO_MAX_SECONDS;
  }

  /** Runs the program once (about 5 ms) and remembers that it is there; while it is missing it is looked for again. */
  available(): { readonly ok: true } | { readonly ok: false; readonly why: string } {
    if (this.#closed) return { ok: false, why: sentence('engine.synthesiser-closed') };
    const nowMs = this.options.clock.nowMs();
    if (!this.#probe?.found && (this.#probe === undefined || nowMs - this.#probe.atMs >= PROBE_AGAIN_MS)) {
      const [program, ...leading] = this.#command;
      const run = spawnSync(program, [...leading, '--version'], { stdio: 'ignore', timeout: PROBE_TIMEOUT_MS });
      const why = run.error ? errorText(run.error) : `exit code ${run.status}`;
      this.#probe = { found: run.status === 0, why, short: isShortage(run.error), atMs: nowMs };
    }
    if (this.#probe.found) return { ok: true };
    const { short, why: error } = this.#probe;
    const code = short ? 'engine.program-not-started' : 'engine.program-does-not-run';
    return { ok: false, why: sentence(code, { program: this.#command[0], error }) };
  }

  soundOf({ espeak }: Voice): string {
    return JSON.stringify([espeak.voice, espeak.pitch, espeak.wordsPerMinute]);
  }

  async *synthesize(request: TtsRequest, signal: AbortSignal): TtsStream {
    const text = espeakText(request.text);
    if (text === '' || signal.aborted) return;
    if (this.#closed) throw new ServiceError('unavailable');
    const voiceArguments = espeakArguments(request.voice.espeak, request.speed, request.pitchSemitones);
    const run = this.#start(voiceArguments, text);
    const stop = (): void => void run.child.kill('SIGKILL');
    signal.addEventListener('abort', stop, { once: true });
    try {
      yield* this.#speech(run, request.sampleRateHz, signal);
    } finally {
      signal.removeEventListener('abort', stop);
      this.#children.delete(run.child);
      run.child.stdout.destroy();
      stop();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const child of this.#children) child.kill('SIGKILL');
    this.#children.clear();
  }

  #start(voiceArguments: string[], text: string): Run {
    const [program, ...leading] = this.#command;
    let child: Child;
    try {
      child = spawn(program, [...leading, ...voiceArguments], { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
    } catch (cause) {
      throw new ServiceError('unavailable', '', { cause }); // no process or file descriptor left
    }
    const exit = new Promise<Exit>((resolve) => {
      child.on('error', (cause) => resolve({ cause })); // not started; later ones mean nothing more
      child.once('close', (code, killedBy) => resolve({ code, killedBy }));
    });
    // Without a free file descriptor Node makes no pipes at all, whatever the types say.
    if (!(child.stdin as Writable | null))
      throw new ServiceError('unavailable', '', { cause: new Shortage('no file descriptor for the synthesiser') });
    this.#children.add(child);
    const run: Run = { child, exit, stderr: '' };
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      run.stderr = (run.stderr + piece).slice(0, STDERR_MAX_CHARS);
    });
    child.stderr.on('error', () => {});
    child.stdin.on('error', () => {}); // it exited before reading: the exit code tells
    child.stdin.end(text, 'utf8');
    return run;
  }

  /** Reads the pipe to its end, then judges the exit code. */
  async *#speech(run: Run, sampleRateHz: number, signal: AbortSignal): TtsStream {
    const reader = new WavPipeReader();
    let voice: SpeechShaper | undefined;
    try {
      const stop = (): void => void run.child.kill('SIGKILL');
      const limitMs = (): number => this.#readTimeoutMs;
      for await (const bytes of timelyReads(run.child.stdout, this.options.clock, limitMs, stop)) {
        if (signal.aborted) return;
        const samples = reader.push(bytes);
        if (samples === 'not-wav') throw failed('the program wrote something that is no WAV');
        if (reader.sampleRateHz === undefined) continue;
        voice ??= new SpeechShaper(reader.sampleRateHz, sampleRateHz, this.#audioMaxSeconds);
        const ready = voice.push(samples);
        if (ready.length > 0) yield ready;
        if (signal.aborted) return;
      }
      const exit = await this.#exit(run);
      if (signal.aborted) return;
      if (exit.cause) throw new ServiceError('unavailable', '', { cause: exit.cause });
      if (this.#closed) throw new ServiceError('unavailable');
      if (exit.code !== 0) throw failed(`exit ${exit.code ?? exit.killedBy}: ${run.stderr.trim()}`);
      const rest = voice?.end();
      if (rest && rest.length > 0) yield rest;
    } catch (error) {
      if (!signal.aborted) throw error instanceof ServiceError ? error : failed(errorText(error));
    }
  }

  /** How the child ended; one that closed its output and lives on is killed. */
  async #exit(run: Run): Promise<Exit> {
    const watchdog = this.options.clock.setTimer(this.#readTimeoutMs, () => run.child.kill('SIGKILL'));
    try {
      return await run.exit;
    } finally {
      this.options.clock.clearTimer(watchdog);
    }
  }
}

interface Exit {
  readonly code?: number | null;
  readonly killedBy?: string | null;
  readonly cause?: Error; // it never ran
}

interface Run {
  readonly child: Child;
  readonly exit: Promise<Exit>;
  stderr: string;
}

/** Silence off both ends, then the wanted rate; counts what it was given. */
class SpeechShaper {
  readonly #trimmer: SilenceTrimmer;
  readonly #resampler: Resampler;
  #samplesLeft: number;

  constructor(fromHz: number, toHz: number, maxSeconds: number) {
    this.#trimmer = new SilenceTrimmer({ ...DEFAULT_TRIM, sampleRateHz: fromHz });
    this.#resampler = createResampler(fromHz, toHz);
    this.#samplesLeft = fromHz * maxSeconds;
  }

  push(samples: Int16Array): Int16Array {
    this.#samplesLeft -= samples.length;
    if (this.#samplesLeft < 0) throw failed('the program speaks without end');
    const speech = this.#trimmer.push(samples);
    return speech.length === 0 ? speech : this.#resampler.push(speech);
  }

  end(): Int16Array {
    return concat(this.#resampler.push(this.#trimmer.end()), this.#resampler.flush());
  }
}

function failed(why: string): ServiceError {
  return new ServiceError('synthesis_failed', '', { cause: new Error(why) });
}

function clamp(value: number, min: number, max: number): number {
  return Math.round(Math.min(max, Math.max(min, value)));
}
