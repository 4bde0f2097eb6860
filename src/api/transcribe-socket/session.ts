import type { Clock, Timer } from '../../core/clock.ts';
import { errorText, ServiceError } from '../../core/errors.ts';
import { Heartbeat } from '../../core/heartbeat.ts';
import type { Logger } from '../../core/logger.ts';
import type { Metrics } from '../../core/metrics.ts';
import type { SttEngine } from '../../engines/stt/contract.ts';
import type { VadEngine } from '../../engines/vad/contract.ts';
import {
  type ClientFrame,
  closeOf,
  errorFrame,
  finalFrame,
  inSeconds,
  parseClientFrame,
  readStart,
  type SocketFault,
} from './frames.ts';
import { BUFFER_MS_MAX, BUFFER_MS_RESUME, Hearing } from './hearing.ts';
import { Outbox } from './outbox.ts';
import { SessionMeter, type SessionMoney } from './session-meter.ts';
import { type SocketAction, type SocketEvent, type SocketState, socketTransition } from './socket-state.ts';

/** Larger frames are nobody's 100 ms: 48 kHz PCM has 9.6 KB. */
export const FRAME_BYTES_MAX = 128 * 1024;

const TICK_MS = 1_000;
/** From the connection to admission, and from there to a start frame. */
const ADMISSION_MS_MAX = 10_000;
const START_MS_MAX = 10_000;
const IDLE_MS_MAX = 30_000;
/** The last final after `stop` must come within this; before another kind of end it is only waited for a little. */
const DRAIN_MS_MAX = 20_000;
const LAST_WORDS_MS_MAX = 3_000;
/** A closing handshake that takes longer is cut short. */
const CLOSE_MS_MAX = 5_000;

interface Lost {
  readonly reason: string; // in the record of the session
  readonly close?: { readonly code: number; readonly reason: string }; // without it there is nobody to be told
}
const LOST = {
  disconnected: { reason: 'disconnected' },
  silent: { reason: 'no-pong' },
  slow: { reason: 'slow-reader', close: { code: 1008, reason: 'the client reads too slowly' } },
} as const satisfies Record<string, Lost>;

/** The part of a `ws` WebSocket that a session needs. */
export interface SessionSocket {
  readonly bufferedAmount: number;
  readonly isPaused: boolean;
  send(text: string): void;
  ping(): void;
  pause(): void;
  resume(): void;
  close(code: number, reason: string): void;
  terminate(): void;
}

export interface SessionDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'socketsActive' | 'socketsEnded' | 'socketInterimsDropped'>;
  readonly stt: SttEngine & { for?(language: string): SttEngine };
  readonly vad: VadEngine;
  readonly sessions: SessionMoney;
  readonly sessionMsMax: number;
}

/**
 * One live transcription: client frames in, transcripts out. Owns the recogniser's stream and the money of the session;
 * the socket is the route's, which reports what happens to it. Every way it ends goes through `#leave`, once.
 */
export class TranscribeSession {
  readonly #meter: SessionMeter;
  readonly #outbox: Outbox;
  readonly #abort = new AbortController();
  #state: SocketState = 'authenticating';
  #accountId = '';
  #unread: (Buffer | string)[] = [];
  #hearing: Hearing | undefined;
  #ending: SocketFault | undefined; // why it expires; undefined: the client said stop
  #timer: Timer | undefined;
  readonly #connectedMs: number;
  #sinceMs: number; // this state was entered
  #activeMs: number; // audio or keepalive came
  readonly #heartbeat: Heartbeat;
  #lost: Lost = LOST.disconnected;

  constructor(
    readonly id: string,
    private readonly socket: SessionSocket,
    private readonly deps: SessionDeps,
  ) {
    this.#connectedMs = this.#sinceMs = this.#activeMs = deps.clock.nowMs();
    this.#heartbeat = new Heartbeat(this.#connectedMs);
    this.#meter = new SessionMeter(deps.sessions, id, deps.clock);
    this.#outbox = new Outbox(socket, () => deps.metrics.socketInterimsDropped.inc());
    socket.pause(); // frames wait until it is known whose they are
    this.#tickLater();
  }

  get state(): SocketState {
    return this.#state;
  }

  /** The token is good and a place is taken: holds the first minute, then greets. */
  async admit(accountId: string): Promise<void> {
    if (this.#state !== 'authenticating') return;
    this.#accountId = accountId;
    try {
      const credit = await this.#meter.begin(accountId);
      if (credit === 'ok') this.#on('admitted');
      else this.fault({ code: 'insufficient_credit' });
    } catch (error) {
      this.deps.logger.warn({ sessionId: this.id, error: errorText(error) }, 'session was not begun');
      this.fault({ code: 'unavailable' });
    }
  }

  /** A message of the client. */
  receive(data: Buffer, isBinary: boolean): void {
    if (this.#state === 'authenticating') return void this.#unread.push(isBinary ? data : data.toString('utf8'));
    this.#handle(isBinary ? data : data.toString('utf8'), data.length);
  }

  /** The client answered a ping. */
  answered(): void {
    this.#heartbeat.answered();
  }

  /** The connection is lost. */
  gone(): void {
    this.#on('gone');
    this.deps.clock.clearTimer(this.#timer); // nothing is left to be cut short
  }

  /** Ends it at once, saying why. */
  fault(fault: SocketFault): void {
    if (this.#isClosed) return;
    this.#ending = fault;
    this.#on('fault');
  }

  /** Ends it when the last final is out, saying why. A session that was stopped by its client comes to its own end. */
  expire(fault: SocketFault): void {
    if (this.#isClosed || (this.#state === 'complete' && fault.code !== 'insufficient_credit')) return;
    this.#ending ??= fault;
    this.#on('expire');
  }

  get #isClosed(): boolean {
    return this.#state === 'closed';
  }

  #handle(message: Buffer | string, bytes: number): void {
    if (this.#isClosed) return;
    if (bytes > FRAME_BYTES_MAX) return this.fault({ code: 'frame_too_large' });
    if (typeof message !== 'string') return this.#on('audio', message);
    const frame = parseClientFrame(message);
    if (!frame) return this.fault({ code: 'invalid_frame' });
    if (frame.type === 'keepalive') this.#activeMs = this.deps.clock.nowMs();
    else if (frame.type === 'start' || frame.type === 'stop') this.#on(frame.type, frame);
  }

  #on(event: SocketEvent, payload?: Buffer | ClientFrame): void {
    const transition = socketTransition(this.#state, event);
    if (!transition) return;
    if (transition.to !== this.#state) this.#sinceMs = this.deps.clock.nowMs();
    this.#state = transition.to;
    this.#do(transition.does, payload);
  }

  #do(action: SocketAction, payload?: Buffer | ClientFrame): void {
    switch (action) {
      case 'greet':
        return this.#greet();
      case 'open':
        return this.#open(payload as Extract<ClientFrame, { type: 'start' }>);
      case 'hear':
        return this.#hear(payload as Buffer);
      case 'settle':
        return this.#hearing?.finish();
      case 'cut':
        return this.#hearing?.cut();
      case 'finish':
        return this.#finish();
      case 'fail':
        return this.#fail(this.#ending ?? { code: 'transcription_failed' });
      case 'refuse-audio':
        return this.#fail({ code: 'not_started' });
      case 'refuse-start':
        return this.#fail({ code: 'already_started' });
      case 'release':
        return this.#release();
    }
  }

  #greet(): void {
    this.#outbox.send({ type: 'authenticated', session_id: this.id });
    for (const message of this.#unread.splice(0)) this.#handle(message, Buffer.byteLength(message));
    if (!this.#isClosed) this.socket.resume();
  }

  #open(frame: Extract<ClientFrame, { type: 'start' }>): void {
    const start = readStart(frame.fields);
    if ('code' in start) return this.fault(start);
    const engine = this.deps.stt.for?.(start.language) ?? this.deps.stt;
    const serves = engine.available(start.language);
    if (!serves.ok) return this.fault({ code: 'unavailable', reason: serves.why });
    const { clock, vad } = this.deps;
    this.#hearing = new Hearing(
      start,
      {
        ...{ clock, engine, vad, meter: this.#meter, accountId: this.#accountId },
        onBuffered: (bufferedMs) => this.#limitReading(bufferedMs),
        onCreditExhausted: () => this.expire({ code: 'insufficient_credit' }),
        onEnded: () => {
          this.#sinceMs = clock.nowMs();
        },
      },
      this.#abort.signal,
    );
    this.#activeMs = clock.nowMs();
    const { language, sampleRateHz, encoding } = start;
    this.#outbox.send({ type: 'opened', session_id: this.id, language, sample_rate: sampleRateHz, encoding });
    void this.#listen(this.#hearing);
  }

  #hear(bytes: Buffer): void {
    this.#activeMs = this.deps.clock.nowMs();
    this.#hearing?.push(bytes);
  }

  /** Stops reading the socket while too much waits: the sender's own buffers fill up, and it waits too. */
  #limitReading(bufferedMs: number): void {
    if (bufferedMs >= BUFFER_MS_MAX && !this.socket.isPaused) {
      this.#heartbeat.answered();
      this.socket.pause();
    } else if (bufferedMs <= BUFFER_MS_RESUME && this.socket.isPaused) this.socket.resume();
  }

  async #listen(hearing: Hearing): Promise<void> {
    let saidInterim = false;
    try {
      for await (const event of hearing.stt) {
        if (this.#isClosed) return;
        if (event.type === 'interim') {
          saidInterim = this.#outbox.interim(event.text) || saidInterim;
          continue;
        }
        const stretch = hearing.settled();
        // Noise that was taken for speech: silence about it, unless an interim has to be taken back.
        if (event.text !== '' || saidInterim) this.#outbox.send(finalFrame({ ...event, ...stretch }));
        this.#outbox.settled();
        saidInterim = false;
        this.#giveUpIfStuck();
      }
      if (this.#state === 'complete') this.#on('drained');
      else this.fault({ code: 'transcription_failed' });
    } catch (error) {
      if (this.#isClosed) return;
      this.deps.logger.warn({ sessionId: this.id, error: errorText(error) }, 'live transcription failed');
      const isFull = error instanceof ServiceError && error.code === 'unavailable';
      this.fault({ code: isFull ? 'unavailable' : 'transcription_failed' });
    }
  }

  #finish(): void {
    if (this.#ending) return this.#fail(this.#ending);
    const audioMs = this.#hearing?.audioMs ?? 0;
    const cents = this.#meter.end(audioMs, 'stop', false);
    this.#outbox.send({ type: 'done', seconds: inSeconds(audioMs), cost_cents: cents });
    this.#leave('stop', false);
    this.socket.close(1000, '');
  }

  #fail(fault: SocketFault): void {
    const isOurs = fault.code === 'transcription_failed' || fault.code === 'unavailable';
    this.#outbox.send(errorFrame(fault));
    this.#leave(fault.code, isOurs);
    const { code, reason } = closeOf(fault);
    this.socket.close(code, reason);
  }

  #release(): void {
    const { reason, close } = this.#lost;
    this.#leave(reason, false);
    if (close) this.socket.close(close.code, close.reason);
    else this.socket.terminate();
  }

  /** The one way out: books, frees, and says what happened in one line. */
  #leave(reason: string, isOurFault: boolean): void {
    const { clock, logger, metrics } = this.deps;
    const audioMs = this.#hearing?.audioMs ?? 0;
    const cents = this.#meter.end(audioMs, reason, isOurFault);
    this.#outbox.close();
    this.#abort.abort();
    this.#hearing?.close();
    this.#unread = [];
    clock.clearTimer(this.#timer);
    this.#timer = clock.setTimer(CLOSE_MS_MAX, () => this.socket.terminate());
    if (this.socket.isPaused) this.socket.resume(); // the closing handshake has to be read
    metrics.socketsEnded.inc({ reason });
    const { droppedInterims } = this.#outbox;
    const fields = {
      sessionId: this.id,
      accountId: this.#accountId,
      audioMs: Math.round(audioMs),
      cents,
      reason,
      droppedInterims,
    };
    logger.info(fields, 'live transcription ended');
  }

  #tickLater(): void {
    this.#timer = this.deps.clock.setTimer(TICK_MS, () => {
      this.#tick(this.deps.clock.nowMs());
      if (!this.#isClosed) this.#tickLater();
    });
  }

  #tick(nowMs: number): void {
    const inStateMs = nowMs - this.#sinceMs;
    if (this.#state === 'authenticating' && inStateMs >= ADMISSION_MS_MAX) this.fault({ code: 'unavailable' });
    if (this.#state === 'awaiting-start' && inStateMs >= START_MS_MAX) this.fault({ code: 'start_timeout' });
    if (this.#state === 'complete' && this.#hearing?.ended) this.#limitDraining(inStateMs);
    if (this.#state === 'open') {
      if ((this.#hearing?.bufferedMs ?? 0) > 0) this.#activeMs = nowMs; // it is us who do not read
      if (nowMs - this.#activeMs >= IDLE_MS_MAX) this.expire({ code: 'idle_timeout' });
    }
    if (nowMs - this.#connectedMs >= this.deps.sessionMsMax) this.expire({ code: 'session_too_long' });
    this.#giveUpIfStuck();
    if (this.#isClosed) return;
    const beat = this.#heartbeat.due(nowMs);
    if (beat === 'ping') this.socket.ping();
    else if (beat === 'lost') this.#giveUp(LOST.silent);
  }

  #limitDraining(inStateMs: number): void {
    if (this.#ending && inStateMs >= LAST_WORDS_MS_MAX) this.#on('drained');
    else if (inStateMs >= DRAIN_MS_MAX) this.fault({ code: 'transcription_failed' });
  }

  /** A client that takes nothing: no frame would reach it. */
  #giveUpIfStuck(): void {
    if (!this.#isClosed && this.#outbox.isStuck(this.deps.clock.nowMs())) this.#giveUp(LOST.slow);
  }

  #giveUp(lost: Lost): void {
    this.#lost = lost;
    this.#on('gone');
  }
}
