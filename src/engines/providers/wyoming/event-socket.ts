import { lookup } from 'node:dns';
import { connect, isIP, type LookupFunction, Socket } from 'node:net';
import { addressFilter } from '../../../core/address-filter.ts';
import type { Clock, Timer } from '../../../core/clock.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import { newLine, tellWire } from '../wire.ts';
import { EventReader, encodeEvent, type WyomingEvent } from './events.ts';

/** Below what a sentence or a word may wait for its server. */
const CONNECT_MS = 2_000;
/** Not taken by the network so far: a minute of speech and what is around it. Whoever is so far behind does not read. */
const WAITING_BYTES_MAX = 2_500_000;

export interface EventSocketRequest {
  readonly url: string; // tcp://host:port
  readonly clock: Clock;
}

export interface EventSocketEvents {
  opened?(): void;
  event(event: WyomingEvent): void;
  /** Once, unless this side closed it. Nothing comes after it. */
  ended(failure: ChatFailure): void;
}

/**
 * One connection to a Wyoming server: a limit to connect, events of a limited size, and what went wrong as a kind of failure. Nothing is
 * sent to an address of the internet, whatever a name leads to: anybody on the way could read it. Never throws.
 */
export class EventSocket {
  readonly #socket: Socket;
  readonly #line = newLine();
  readonly #reader = new EventReader();
  #early: Buffer[] | undefined = []; // sent before it was open
  #timer: Timer | undefined;
  #over = false;
  #hasSpoken = false; // the other side

  constructor(
    private readonly request: EventSocketRequest,
    private readonly events: EventSocketEvents,
  ) {
    const { hostname, port } = new URL(request.url);
    const host = hostname.replace(/^\[|\]$/g, '');
    this.#timer = request.clock.setTimer(CONNECT_MS, () => {
      this.#fail(new ChatFailure('unreachable', 'no connection in time'));
    });
    const isName = isIP(host) === 0;
    this.#socket =
      isName || isOwnNetwork(host)
        ? connect({ host, port: Number(port), noDelay: true, lookup: ownNetworkOnly(lookup) })
        : new Socket().destroy(new InternetAddress());
    this.#socket
      .on('connect', () => this.#onConnect())
      .on('data', (bytes) => this.#onData(bytes))
      .on('error', (error) => this.#onError(error))
      .on('close', () => this.#fail(this.#lost('it hung up')));
  }

  /** Goes out once it is open. Does nothing where it is over. */
  send(type: string, data?: object, payload?: Uint8Array): void {
    if (this.#over) return;
    const event = encodeEvent(type, data, payload);
    tellWire(() => ({
      line: this.#line,
      direction: 'sent',
      kind: 'message',
      about: type,
      ...shown(data, payload),
    }));
    if (this.#early) this.#early.push(event);
    else this.#socket.write(event);
    const waiting = this.#early?.reduce((sum, { length }) => sum + length, 0) ?? this.#socket.writableLength;
    if (waiting > WAITING_BYTES_MAX) this.#fail(new ChatFailure('cut', 'it does not read'));
  }

  /** Idempotent. */
  destroy(): void {
    this.#over = true;
    this.#early = [];
    this.request.clock.clearTimer(this.#timer);
    this.#socket.destroy();
  }

  #onConnect(): void {
    if (this.#over) return;
    this.request.clock.clearTimer(this.#timer);
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const event of early) this.#socket.write(event);
    this.events.opened?.();
  }

  #onData(bytes: Buffer): void {
    try {
      for (const event of this.#reader.push(bytes)) {
        if (this.#over) return;
        this.#hasSpoken = true;
        tellWire(() => ({
          line: this.#line,
          direction: 'received',
          kind: 'message',
          about: event.type,
          ...shown(event),
        }));
        this.events.event(event);
      }
    } catch (error) {
      this.#fail(error instanceof ChatFailure ? error : new ChatFailure('garbage', 'what cannot be read'));
    }
  }

  #onError(error: Error): void {
    if (error instanceof InternetAddress) return this.#fail(new ChatFailure('refused', error.message));
    const code = 'code' in error ? String(error.code) : 'no code';
    this.#fail(this.#lost(code));
  }

  /** Who takes a connection and drops it without a word is no more there than who takes none. */
  #lost(how: string): ChatFailure {
    return new ChatFailure(this.#hasSpoken ? 'cut' : 'unreachable', how);
  }

  #fail(failure: ChatFailure): void {
    if (this.#over) return;
    this.destroy();
    this.events.ended(failure);
  }
}

/** An event by its data, or by its sound where it carries some. */
const shown = (data: object = {}, payload?: Uint8Array): { readonly data: string | Uint8Array } => ({
  data: payload && payload.length > 0 ? payload : JSON.stringify(data),
});

class InternetAddress extends Error {
  constructor() {
    super('an address of the internet');
  }
}

/** Whether an IP address is of this machine or of a private network: RFC 1918, RFC 4193, RFC 6598, and of the link. */
export const isOwnNetwork = addressFilter([
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16'],
  ...['::1', 'fc00::/7', 'fe80::/10'],
]);

/** What a name stands for, unless that is somewhere on the internet. */
export function ownNetworkOnly(look: LookupFunction): LookupFunction {
  return (hostname, options, callback) =>
    look(hostname, options, (error, address, family) => {
      const found = Array.isArray(address) ? address.map((one) => one.address) : [address];
      if (error === null && !found.every(isOwnNetwork)) callback(new InternetAddress(), [], family);
      else callback(error, address, family);
    });
}
