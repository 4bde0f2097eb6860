import { type CallEnd, callEnd } from '../call/call-end.ts';
import type { CallObservation } from '../call/call-observer.ts';
import type { Ticking } from '../call/call-ticker.ts';
import type { Leg, LegInfo } from '../call/leg.ts';
import type { Agent } from '../core/agent.ts';
import type { Clock, Timer } from '../core/clock.ts';
import { Heartbeat } from '../core/heartbeat.ts';
import type { Logger } from '../core/logger.ts';
import { sentence } from '../core/notice.ts';
import type { MediaEndpoint } from '../media/description.ts';
import type { MediaPort, MediaPortOptions } from '../media/media-port.ts';
import { WAITING_MS_MAX } from './caller-audio.ts';
import type { StreamFault } from './stream-fault.ts';
import { CALLER_HUNG_UP, StreamLeg } from './stream-leg.ts';
import { StreamOutbox } from './stream-outbox.ts';
import { type StreamOutput, StreamPort } from './stream-port.ts';
import type { StreamFarewell, StreamFrame, StreamMessage, StreamProtocol, StreamStart } from './stream-protocol.ts';
import type { StreamRecorders } from './stream-recorder.ts';
import { type StreamAction, type StreamState, streamTransition } from './stream-state.ts';

/** From the connection to admission, and from there to the start of a call. */
const ADMISSION_MS_MAX = 10_000;
const START_MS_MAX = 10_000;
const WATCH_EVERY_MS = 1_000;
/** A closing handshake that takes longer is cut short. */
const CLOSE_MS_MAX = 5_000;
/** Messages that came before it was known whose they are: reading stops at once, but some may be on their way. */
const UNREAD_MAX = 32;

/** The part of a `ws` WebSocket that a connection needs. */
export interface StreamSocket {
  readonly bufferedAmount: number;
  readonly isPaused: boolean;
  send(data: StreamFrame): void;
  ping(): void;
  pause(): void;
  resume(): void;
  close(code: number, reason: string): void;
  terminate(): void;
}

export interface ConnectionDeps {
  readonly receive: (leg: Leg, agent?: Agent) => Promise<void>;
  readonly recorder: StreamRecorders;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly queueMs: number;
  readonly timeoutMs: number;
}

/** Where the connection comes from, and to. */
export interface StreamEnds {
  readonly local: MediaEndpoint;
  readonly remote: MediaEndpoint;
}

/** What happens to a connection, from either side. */
type StreamInput =
  | StreamMessage
  | { readonly type: 'admitted' }
  | { readonly type: 'answered'; readonly callId: string }
  | { readonly type: 'hangup' | 'gone'; readonly end: CallEnd };

/** One WebSocket that carries one call. Every way it ends goes through `#leave`, once. */
export class StreamConnection implements Ticking {
  #state: StreamState = 'admitting';
  readonly #outbox: StreamOutbox;
  readonly #heartbeat: Heartbeat;
  #agent: Agent | undefined;
  #unread: { readonly data: Buffer; readonly isBinary: boolean }[] = [];
  #early: Int16Array[] = [];
  #earlySamples = 0;
  #leg: StreamLeg | undefined;
  #port: StreamPort | undefined;
  #paused = false; // by the far end
  #sinceMs: number; // this state was entered
  #watchedMs: number;
  #answeredAtMs: number | undefined;
  #closing: Timer | undefined;

  constructor(
    readonly id: string,
    private readonly socket: StreamSocket,
    private readonly protocol: StreamProtocol,
    private readonly ends: StreamEnds,
    private readonly deps: ConnectionDeps,
  ) {
    this.#sinceMs = this.#watchedMs = deps.clock.nowMs();
    this.#heartbeat = new Heartbeat(this.#sinceMs);
    this.#outbox = new StreamOutbox(socket);
    socket.pause(); // frames wait until it is known whose they are
  }

  get state(): StreamState {
    return this.#state;
  }

  /** @param agent - who answers; without one the called number says. */
  admit(agent?: Agent): void {
    this.#agent = agent;
    this.#on({ type: 'admitted' });
  }

  /** A message of the far end. */
  receive(data: Buffer, isBinary: boolean): void {
    if (this.#state !== 'admitting') return this.#on(this.protocol.read(data, isBinary));
    if (this.#unread.length < UNREAD_MAX) this.#unread.push({ data, isBinary });
  }

  /** The far end answered a ping. */
  answeredPing(): void {
    this.#heartbeat.answered();
  }

  /** The connection is lost. */
  gone(): void {
    this.#on({ type: 'gone', end: callEnd('caller', 'caller-hangup', sentence('end.connection-closed')) });
    this.deps.clock.clearTimer(this.#closing);
  }

  /** Ends it, saying why. */
  fault(fault: StreamFault): void {
    this.#on({ type: 'fault', fault });
  }

  /** The gateway ends: a call that is up was told so before. */
  close(): void {
    if (this.#leg) this.#on({ type: 'hangup', end: callEnd('gateway', 'shutdown') });
    else this.fault({ code: 'shutting_down' });
  }

  tick(): void {
    this.#port?.tick();
    if (this.socket.isPaused && this.#state === 'live' && this.#waitingMs <= WAITING_MS_MAX / 2) this.socket.resume();
    const nowMs = this.deps.clock.nowMs();
    if (nowMs - this.#watchedMs < WATCH_EVERY_MS) return;
    this.#watchedMs = nowMs;
    this.#watch(nowMs);
  }

  broken(): void {
    this.fault({ code: 'internal_error' });
  }

  #on(input: StreamInput): void {
    const transition = input.type === 'nothing' ? undefined : streamTransition(this.#state, input.type);
    if (!transition) return;
    if (transition.to !== this.#state) this.#sinceMs = this.deps.clock.nowMs();
    this.#state = transition.to;
    if (transition.to === 'closed') this.#end(transition.does, input);
    else this.#do(transition.does, input);
  }

  #do(action: StreamAction, input: StreamInput): void {
    if (action === 'welcome') this.#welcome();
    if (action === 'hold' || action === 'go-on') this.#paused = action === 'hold';
    if (input.type === 'start') this.#offer(input.start);
    if (input.type === 'answered') this.#open(input.callId);
    if (input.type === 'audio') this.#hear(input.samples);
    if (input.type === 'keys') for (const key of input.digits) this.#leg?.pressed(key);
    if (input.type === 'mark') this.#port?.marked(input.name);
  }

  #end(action: StreamAction, input: StreamInput): void {
    if (action === 'leave') this.#leave(NO_CALL);
    if (action === 'end') this.#leave(this.#farewell(CALLER_HUNG_UP), CALLER_HUNG_UP);
    if (action === 'refuse-audio') this.#leave(this.protocol.refused({ code: 'not_started' }));
    if (action === 'refuse-start') this.#leave(this.protocol.refused({ code: 'already_started' }), BAD_CALLER);
    if (input.type === 'hangup') this.#leave(this.#farewell(input.end));
    if (input.type === 'fault') this.#leave(this.protocol.refused(input.fault), BAD_CALLER);
    if (input.type === 'gone') this.#leave(undefined, input.end);
  }

  #welcome(): void {
    this.#outbox.send(this.protocol.welcome?.());
    for (const { data, isBinary } of this.#unread.splice(0)) this.receive(data, isBinary);
    if (this.#state !== 'closed') this.socket.resume();
  }

  #offer({ streamId, from, called, variables }: StreamStart): void {
    const { local, remote } = this.ends;
    const info: LegInfo = {
      ...{ sipCallId: streamId, from, to: called, called, variables, transport: 'websocket' },
      source: { kind: 'stream', name: this.protocol.name },
      ...{ sourceAddress: `${remote.address}:${remote.port}`, localAddress: local.address },
    };
    this.#leg = new StreamLeg(info, {
      open: (options) => this.#openPort(options),
      answered: (callId) => this.#on({ type: 'answered', callId }),
      hangup: (end) => this.#on({ type: 'hangup', end }),
      observer: (observation) => this.#observed(observation),
    });
    void this.deps.receive(this.#leg, this.#agent);
  }

  #openPort({ callId, onEvent }: MediaPortOptions): MediaPort {
    const { recorder, clock, logger, queueMs, timeoutMs } = this.deps;
    const { codec, inputRateHz } = this.protocol;
    const port = new StreamPort({
      ...{ callId, onEvent, ...this.ends, codec, inputRateHz, output: this.#output() },
      ...{ recorder, clock, logger, queueMs, timeoutMs },
    });
    this.#port = port;
    for (const samples of this.#early.splice(0)) port.heard(samples);
    return port;
  }

  #output(): StreamOutput {
    const connection = this;
    const { protocol } = this;
    const outbox = this.#outbox;
    return {
      get ready() {
        return !connection.#paused && outbox.ready;
      },
      audio: (frame) => outbox.send(protocol.audio(frame)),
      mark: (name) => outbox.send(protocol.mark(name)),
      clear: () => outbox.send(protocol.clear()),
      keys: (digits) => {
        outbox.send(protocol.keys?.(digits));
        return protocol.keys ? 'sent' : 'as-audio';
      },
    };
  }

  #open(callId: string): void {
    this.#answeredAtMs = this.deps.clock.nowMs();
    for (const frame of this.protocol.answered(callId)) this.#outbox.send(frame);
  }

  #hear(samples: Int16Array): void {
    if (this.#port) this.#port.heard(samples);
    else {
      this.#early.push(samples);
      this.#earlySamples += samples.length;
    }
    if (this.#waitingMs < WAITING_MS_MAX || this.socket.isPaused) return;
    this.#heartbeat.answered(); // its answer may lie behind audio that is not read yet
    this.socket.pause();
  }

  /** What the caller said and the call was not given yet. */
  get #waitingMs(): number {
    if (this.#port) return this.#port.waitingMs;
    return (this.#earlySamples * 1000) / this.protocol.inputRateHz;
  }

  #observed(observation: CallObservation): void {
    const frame = this.protocol.observed?.(observation);
    if (observation.type === 'heard' && !observation.final) this.#outbox.sendIfReady(frame);
    else this.#outbox.send(frame);
  }

  #farewell(end: CallEnd): StreamFarewell {
    const talkedMs = this.#answeredAtMs === undefined ? undefined : this.deps.clock.nowMs() - this.#answeredAtMs;
    return this.protocol.ended(end, talkedMs === undefined ? undefined : { seconds: Math.round(talkedMs / 10) / 100 });
  }

  /** @param farewell - undefined where nobody would read it. @param end - what the call is told, if it does not know. */
  #leave(farewell: StreamFarewell | undefined, end?: CallEnd): void {
    const { clock, logger } = this.deps;
    for (const frame of farewell?.frames ?? []) this.#outbox.send(frame);
    this.#outbox.close();
    this.#unread = [];
    this.#early = [];
    if (farewell) {
      this.#closing = clock.setTimer(CLOSE_MS_MAX, () => this.socket.terminate());
      if (this.socket.isPaused) this.socket.resume(); // the closing handshake has to be read
      this.socket.close(farewell.code, farewell.reason.slice(0, 120));
    } else this.socket.terminate();
    const { dropped } = this.#outbox;
    logger.info(
      { stream: this.id, kind: this.protocol.name, reason: farewell?.reason ?? 'gone', dropped },
      'stream ended',
    );
    if (end) this.#leg?.ended(end);
  }

  #watch(nowMs: number): void {
    const inStateMs = nowMs - this.#sinceMs;
    if (this.#state === 'admitting' && inStateMs >= ADMISSION_MS_MAX) this.fault({ code: 'unavailable' });
    if (this.#state === 'starting' && inStateMs >= START_MS_MAX) this.fault({ code: 'start_timeout' });
    if (this.#outbox.isStuck(nowMs)) this.#on({ type: 'gone', end: TOO_SLOW });
    if (this.#state === 'closed' || !this.protocol.pings) return;
    const beat = this.#heartbeat.due(nowMs);
    if (beat === 'ping') this.socket.ping();
    else if (beat === 'lost') this.#on({ type: 'gone', end: NO_PONG });
  }
}

const NO_CALL: StreamFarewell = { frames: [], code: 1000, reason: '' };
const BAD_CALLER = callEnd('caller', 'caller-hangup', sentence('end.protocol-broken'));
const TOO_SLOW = callEnd('network', 'media-timeout', sentence('end.reads-slowly'));
const NO_PONG = callEnd('network', 'media-timeout', sentence('end.no-pong'));
