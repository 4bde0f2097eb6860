import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Timer } from '../../core/clock.ts';
import { newUuid } from '../../core/ids.ts';
import type { FaultBarrier } from '../fault-barrier.ts';
import { type AppPort, INTERNAL_FAULT, type MessageOrigin, type SentReply, type UpFrame } from './app-port.ts';
import { type Command, parseCommand, type SipCommand } from './command.ts';
import { FrameReader } from './frame-reader.ts';
import { frameTime, writeFrame } from './frame-writer.ts';

/** An application that does not say who it is within this time is no application. */
const AUTHENTICATE_WITHIN_MS = 5_000;
/** Bytes the application may leave unread before it counts as dead: some 5,000 ordinary frames. */
const UNREAD_BYTES_MAX = 8 * 1024 * 1024;
/** Verbs one connection may route; SIP has 14 methods and three CDR events. */
const VERBS_MAX = 64;

export interface ConnectionOptions {
  readonly secret: string;
  /** What `authenticate` is answered with, after OK. */
  readonly identity: () => { readonly hostports: string; readonly version: string; readonly localHostports: string };
  /** True where the server dialled the application, which then never sends `route`. */
  readonly routesAll: boolean;
  readonly barrier: FaultBarrier;
}

export interface ConnectionEvents {
  onAuthenticated(connection: ControlConnection): void;
  onSip(connection: ControlConnection, command: SipCommand): void;
  /** Once, also for connections that never authenticated. `reason` is for the log. */
  onClosed(connection: ControlConnection, reason: string): void;
}

/** One application on the control protocol: frames, authentication, routed verbs. Owns its socket. */
export class ControlConnection implements AppPort {
  readonly #reader = new FrameReader();
  readonly #verbs = new Set<string>();
  readonly #removedVerbs = new Set<string>();
  #authenticated = false;
  #closed = false;
  #authTimer: Timer | undefined;
  tags: readonly string[] = [];
  readonly counters = { framesIn: 0, framesOut: 0, oversizedOut: 0 };

  constructor(
    private readonly socket: Socket,
    private readonly options: ConnectionOptions,
    private readonly events: ConnectionEvents,
  ) {
    socket.setNoDelay(true); // without it, 40 ms stalls appear on loopback
    socket.setKeepAlive(true);
    const { barrier } = options;
    socket.on(
      'data',
      barrier.handler(
        'socket',
        (segment: Buffer) => this.#onData(segment),
        () => this.close('internal fault'),
      ),
    );
    socket.on(
      'error',
      barrier.handler('socket', (error: Error) => this.close(error.message)),
    );
    socket.on(
      'close',
      barrier.handler('socket', () => this.close('application disconnected')),
    );
    this.#authTimer = barrier.clock.setTimer(AUTHENTICATE_WITHIN_MS, () => this.close('not authenticated in time'));
  }

  get open(): boolean {
    return this.#authenticated && !this.#closed;
  }

  /** True when new requests of this method (lower case) may go to this application. */
  routes(verb: string): boolean {
    if (!this.open) return false;
    return this.#verbs.has(verb) || (this.options.routesAll && !this.#removedVerbs.has(verb));
  }

  sendUp(frame: UpFrame): boolean {
    if (!this.open) return false;
    const tokens = [newUuid(), 'sip', ...this.#originTokens(frame), frame.transactionId, frame.dialogId];
    if (frame.local) tokens.push(frame.local.address, String(frame.local.port));
    return this.#write([...tokens, ''], frame.text);
  }

  reply(commandId: string, reply: SentReply): void {
    if (!this.open) return;
    if (!reply.ok) {
      this.#respond(commandId, 'NOK', reply.reason);
      return;
    }
    const tokens = ['OK', ...this.#originTokens(reply), reply.transactionId];
    if (reply.kind === 'response') tokens.push(reply.dialogId, '');
    const sent = this.#write([newUuid(), 'response', commandId, ...tokens, 'Msg sent:', ''], reply.text);
    if (!sent) this.#respond(commandId, 'NOK', 'message exceeds the frame limit');
  }

  close(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.options.barrier.clock.clearTimer(this.#authTimer);
    this.socket.destroySoon();
    this.events.onClosed(this, reason);
  }

  #originTokens(origin: MessageOrigin): string[] {
    const time = frameTime(this.options.barrier.clock.utc());
    const { source, bytes, transport, address, port } = origin;
    return [source, String(bytes), transport, address, String(port), time];
  }

  #write(tokens: readonly string[], text?: string): boolean {
    if (this.#closed) return false;
    const frame = writeFrame(tokens, text);
    if (!frame) {
      this.counters.oversizedOut += 1;
      return false;
    }
    this.counters.framesOut += 1;
    this.socket.write(frame);
    if (this.socket.writableLength > UNREAD_BYTES_MAX) this.close('application stopped reading');
    return true;
  }

  #respond(commandId: string, ...tokens: string[]): void {
    this.#write([newUuid(), 'response', commandId, ...tokens]);
  }

  #onData(segment: Buffer): void {
    if (this.#closed) return;
    const payloads = this.#reader.push(segment);
    if (typeof payloads === 'string') {
      this.close(`broken frame: ${payloads}`);
      return;
    }
    for (const payload of payloads) {
      if (this.#closed) return;
      this.counters.framesIn += 1;
      // The frames behind it belong to other calls.
      this.options.barrier.run(
        'command',
        () => this.#onCommand(parseCommand(payload)),
        () => this.#respond(payload.slice(0, Math.max(0, payload.indexOf('|'))), 'NOK', INTERNAL_FAULT),
      );
    }
  }

  #onCommand(command: Command): void {
    if (command.type === 'authenticate') {
      this.#authenticate(command.id, command.secret, command.tags);
      return;
    }
    if (!this.#authenticated) {
      this.#respond(command.id, 'NO', 'not authenticated');
      this.close('command before authentication');
      return;
    }
    switch (command.type) {
      case 'route':
        if (this.#verbs.size < VERBS_MAX) this.#verbs.add(command.verb);
        this.#removedVerbs.delete(command.verb);
        this.#respond(command.id, 'OK');
        return;
      case 'remove_route':
        this.#verbs.delete(command.verb);
        if (this.#removedVerbs.size < VERBS_MAX) this.#removedVerbs.add(command.verb);
        this.#respond(command.id, 'OK');
        return;
      case 'ping':
        this.#respond(command.id, 'OK', 'pong');
        return;
      case 'proxy':
        this.#respond(command.id, 'NOK', 'proxy not supported by the embedded SIP server');
        return;
      case 'invalid':
        this.#respond(command.id, 'NOK', command.reason);
        return;
      case 'sip':
        this.events.onSip(this, command);
        return;
      case 'unknown':
        this.#respond(command.id, 'NO', 'Unknown message type');
        this.close('unknown message type');
    }
  }

  #authenticate(id: string, secret: string, tags: readonly string[]): void {
    if (!sameSecret(secret, this.options.secret)) {
      this.#respond(id, 'NO', 'incorrect secret');
      this.close('incorrect secret');
      return;
    }
    this.options.barrier.clock.clearTimer(this.#authTimer);
    const first = !this.#authenticated;
    this.#authenticated = true;
    this.tags = tags;
    const { hostports, version, localHostports } = this.options.identity();
    this.#respond(id, 'OK', hostports, version, localHostports);
    if (first) this.events.onAuthenticated(this);
  }
}

/** Compares digests, so that neither length nor content leaks by timing. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(given), digest(expected));
}
