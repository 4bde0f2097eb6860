import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Clock, Timer } from '../../core/clock.ts';
import { type ErrorCode, errorText, ServiceError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { Shortage } from '../../core/shortage.ts';
import type { Voice } from '../../core/voice.ts';
import { workerUrl } from '../../core/worker-url.ts';
import type { TtsEngine, TtsRequest, TtsStream } from './contract.ts';
import { decodeSamples, encodeJson, FRAME, FrameReader } from './speech-frames.ts';
import { timelyReads } from './timely-reads.ts';

/** A process that does not greet a connection in this time is taken for dead. */
const HELLO_TIMEOUT_MS = 1000;
/** Longer than the process itself waits for the program, so that its own account of a failure comes first. */
const READ_TIMEOUT_MS = 5000;
const START_AGAIN_MS = 5000;
/** After so long without a sentence it is let go: what agents always say was made before, and a quiet gateway needs no such process. */
const IDLE_MS = 30_000;
const MEMORY_MB = 64;

type Child = ChildProcessByStdio<Writable, Readable, null>;

export interface EspeakProcessDeps {
  readonly direct: TtsEngine; // speaks in this process: while the other one is not up, and when it fails
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The same synthesiser, working in a small process of its own (see `espeak-process-main.ts` for why): started when a call rings or a
 * sentence comes, let go when nobody has spoken for a while, started anew when it dies. A sentence that it cannot begin is spoken the
 * direct way, so nobody depends on it.
 */
export class EspeakProcess implements TtsEngine {
  readonly name: string;
  readonly #sockets = new Set<Socket>();
  #child: Child | undefined;
  #path: string | undefined; // of the socket, once the process listens there
  #startedMs = Number.NEGATIVE_INFINITY;
  #idle: Timer | undefined;
  /** Folders that could not be removed when their process ended: without a free descriptor nothing can be. */
  readonly #left = new Set<string>();
  #closed = false;
  constructor(private readonly deps: EspeakProcessDeps) {
    this.name = deps.direct.name;
  }

  available(): ReturnType<TtsEngine['available']> {
    return this.deps.direct.available();
  }

  soundOf(voice: Voice): string {
    return this.deps.direct.soundOf(voice);
  }

  /** Whether sentences are made in the other process. */
  get up(): boolean {
    return this.#path !== undefined;
  }

  /** Its process id, while it runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Where its socket is, once it listens there. */
  get folder(): string | undefined {
    return this.#path && dirname(this.#path);
  }

  warmUp(): void {
    this.#start();
    this.#restWhenIdle(); // not before the call has said something
  }

  async *synthesize(request: TtsRequest, signal: AbortSignal): TtsStream {
    this.#start();
    const socket = this.#closed || signal.aborted ? undefined : await this.#connect();
    if (!socket) {
      yield* this.deps.direct.synthesize(request, signal);
      return;
    }
    const stop = (): void => void socket.destroy();
    signal.addEventListener('abort', stop, { once: true });
    let begun = false;
    try {
      if (signal.aborted) return; // while it connected
      socket.write(encodeJson(FRAME.order, request));
      for await (const samples of this.#samples(socket)) {
        if (signal.aborted) return;
        begun = true;
        yield samples;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (begun || this.#closed || !(error instanceof Lost)) throw asServiceError(error);
      yield* this.deps.direct.synthesize(request, signal);
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const socket of this.#sockets) socket.destroy();
    this.#drop();
    await this.deps.direct.close();
  }

  /** @throws Lost when the connection broke, ServiceError when the sentence failed or the process is silent. */
  async *#samples(socket: Socket): TtsStream {
    const reader = new FrameReader();
    const child = this.#child;
    let greeted = false;
    const limitMs = (): number => (greeted ? READ_TIMEOUT_MS : HELLO_TIMEOUT_MS);
    const stop = (): void => void (greeted ? socket.destroy() : child?.kill('SIGKILL'));
    try {
      for await (const bytes of timelyReads(socket, this.deps.clock, limitMs, stop)) {
        for (const { kind, payload } of reader.push(bytes)) {
          greeted = true;
          if (kind === FRAME.done) return;
          if (kind === FRAME.failed) throw failure(payload);
          if (kind === FRAME.samples) yield decodeSamples(payload);
        }
      }
    } catch (error) {
      throw greeted && error instanceof ServiceError ? error : new Lost(errorText(error));
    }
    throw new Lost('the speech process went away');
  }

  #connect(): Promise<Socket | undefined> {
    const path = this.#path;
    if (path === undefined) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const socket = connect(path, () => resolve(socket));
      this.deps.clock.clearTimer(this.#idle);
      this.#sockets.add(socket);
      socket.on('error', () => {}); // 'close' follows
      socket.once('close', () => {
        this.#sockets.delete(socket);
        this.#restWhenIdle();
        resolve(undefined);
      });
    });
  }

  #start(): void {
    const { clock, logger } = this.deps;
    if (this.#child || this.#closed || clock.nowMs() - this.#startedMs < START_AGAIN_MS) return;
    this.#startedMs = clock.nowMs();
    for (const folder of [...this.#left]) this.#remove(folder);
    let folder: string | undefined;
    try {
      folder = mkdtempSync(join(tmpdir(), 'nidaa-speech-'));
      const path = join(folder, 'socket');
      this.#watch(launch(path), path);
    } catch (error) {
      if (folder !== undefined) this.#remove(folder);
      logger.warn({ error: errorText(error) }, 'speech process not started, sentences are made in this one');
    }
  }

  #watch(child: Child, path: string): void {
    this.#child = child;
    child.stdin.on('error', () => {}); // 'close' follows
    child.stdout.once('data', () => {
      if (this.#child !== child) return;
      this.#path = path;
      this.#restWhenIdle();
    });
    const gone = (why: unknown): void => {
      this.#remove(dirname(path));
      if (this.#child !== child) return;
      this.#drop();
      this.deps.logger.warn({ why }, 'speech process ended, a new one starts with the next sentence');
    };
    child.on('error', (error) => gone(errorText(error)));
    child.once('close', (code, killedBy) => gone(code ?? killedBy));
  }

  #remove(folder: string): void {
    try {
      rmSync(folder, { recursive: true, force: true });
      this.#left.delete(folder);
    } catch {
      this.#left.add(folder); // the next start tries again
    }
  }

  #restWhenIdle(): void {
    const { clock } = this.deps;
    clock.clearTimer(this.#idle);
    if (this.#child && this.#sockets.size === 0) this.#idle = clock.setTimer(IDLE_MS, () => this.#drop());
  }

  /** Lets the process go; it ends with its standard input, and its socket's folder with it. */
  #drop(): void {
    const child = this.#child;
    this.deps.clock.clearTimer(this.#idle);
    this.#child = undefined;
    this.#path = undefined;
    child?.stdin.destroy();
  }
}

/** The connection broke before the sentence was over. */
class Lost extends Error {}

function launch(path: string): Child {
  const main = fileURLToPath(workerUrl(import.meta.url, './espeak-process-main'));
  const child = spawn(process.execPath, [`--max-old-space-size=${MEMORY_MB}`, main, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
    windowsHide: true,
  });
  child.unref();
  // Without a free descriptor Node makes no pipes, whatever the types say, and tells why by an event: unheard it would end
  // the gateway.
  if (!(child.stdin as Writable | null) || !(child.stdout as Readable | null)) {
    child.on('error', () => {});
    throw new Shortage('no file descriptor for the speech process');
  }
  return child;
}

/** What the process says of a sentence that failed. */
export interface Failure {
  readonly code: ErrorCode;
  readonly why: string;
  readonly short: boolean; // nothing left in that process or machine
}

function failure(payload: Buffer): ServiceError {
  const { code, why, short } = JSON.parse(payload.toString('utf8')) as Failure;
  return new ServiceError(code, '', { cause: short ? new Shortage(why) : new Error(why) });
}

function asServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('unavailable', '', { cause: error });
}
