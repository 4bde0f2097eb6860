import { createSocket, type Socket } from 'node:dgram';
import type { Clock, Timer } from '../../core/clock.ts';
import { randomToken } from '../../core/ids.ts';
import { type Bencoded, bdecode, bencode, type Dictionary, textAt } from './bencode.ts';

/** Commands of one client that wait at a time: a call asks one question, and gives it up within seconds. */
const WAITING_MAX = 2_000;
/** The first repeat; each next comes after twice as long. Asked again with the same cookie, rtpengine repeats its answer. */
const REPEAT_MS = 150;
const COOKIE_CHARACTERS = 12;

export type NgReply = ReadonlyMap<string, Bencoded>;
/** `silent`: no answer in time, or nobody listens. `full`: too much waits already. */
export type NgProblem = 'silent' | 'full';

export interface NgClientOptions {
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  /** Until a command counts as not answered, repeats included. */
  readonly timeoutMs: number;
  readonly open?: () => Socket;
}

interface Waiting {
  readonly settle: (reply: NgReply | NgProblem) => void;
  readonly timers: Timer[];
}

/**
 * Speaks ng with one rtpengine: a datagram with a cookie and a bencoded dictionary, answered with the same cookie. The socket is
 * connected, so that only that address is heard, and a machine without rtpengine says so at once; cookies cannot be guessed. It is
 * opened anew after a silence: a host name may lead elsewhere by then.
 */
export class NgClient {
  readonly counters = { asked: 0, repeated: 0, stray: 0 };
  readonly #waiting = new Map<string, Waiting>();
  #socket: { readonly ready: Promise<Socket | undefined>; close(): void } | undefined;
  #localAddress: string | undefined;
  #closed = false;

  constructor(private readonly options: NgClientOptions) {}

  /** Ours, as packets to it carry it; undefined before the first. */
  get localAddress(): string | undefined {
    return this.#localAddress;
  }

  /** Never rejects. */
  async ask(command: string, more: Dictionary = {}): Promise<NgReply | NgProblem> {
    if (this.#waiting.size >= WAITING_MAX) return 'full';
    if (this.#closed) return 'silent';
    const { clock, timeoutMs } = this.options;
    this.counters.asked += 1;
    const cookie = randomToken(COOKIE_CHARACTERS);
    const datagram = Buffer.from(`${cookie} ${bencode({ command, ...more })}`);
    const reply = await new Promise<NgReply | NgProblem>((resolve) => {
      const waiting: Waiting = { settle: resolve, timers: [clock.setTimer(timeoutMs, () => resolve('silent'))] };
      this.#waiting.set(cookie, waiting);
      for (let afterMs = REPEAT_MS, gapMs = 2 * REPEAT_MS; afterMs < timeoutMs; afterMs += gapMs, gapMs *= 2) {
        waiting.timers.push(clock.setTimer(afterMs, () => this.#send(datagram, cookie, true)));
      }
      this.#send(datagram, cookie, false);
    });
    for (const timer of this.#waiting.get(cookie)?.timers ?? []) clock.clearTimer(timer);
    this.#waiting.delete(cookie);
    if (reply === 'silent') this.#drop();
    return reply;
  }

  /** What waits is told that nobody answers. Idempotent. */
  close(): void {
    this.#closed = true;
    this.#drop();
    this.#giveUp();
  }

  #send(datagram: Buffer, cookie: string, again: boolean): void {
    if (again) this.counters.repeated += 1;
    void this.#connected().then((socket) => {
      const waiting = this.#waiting.get(cookie);
      if (!waiting) return;
      if (!socket) return waiting.settle('silent');
      try {
        socket.send(datagram, () => undefined); // Refused: told by `error`, too.
      } catch {
        // Closed after a silence in between: the next repeat goes by another.
      }
    });
  }

  #connected(): Promise<Socket | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    this.#socket ??= this.#connect();
    return this.#socket.ready;
  }

  #connect(): { readonly ready: Promise<Socket | undefined>; close(): void } {
    const { host, port, open = () => createSocket({ type: host.includes(':') ? 'udp6' : 'udp4' }) } = this.options;
    const socket = open();
    let isOpen = true;
    const close = (): void => {
      if (isOpen) socket.close();
      isOpen = false;
    };
    const ready = new Promise<Socket | undefined>((resolve) => {
      socket.on('error', () => {
        resolve(undefined);
        this.#giveUp();
      });
      socket.on('message', (message) => this.#onMessage(message));
      // An error here is no `error` of the socket: a name that leads nowhere.
      socket.connect(port, host, ((error?: Error) => {
        if (error || !isOpen) return resolve(undefined);
        this.#localAddress = socket.address().address;
        resolve(socket);
      }) as () => void);
    });
    return { ready, close };
  }

  #onMessage(message: Buffer): void {
    const space = message.indexOf(0x20);
    const waiting = this.#waiting.get(message.toString('latin1', 0, Math.max(space, 0)));
    const value = waiting && bdecode(message.subarray(space + 1));
    if (waiting && value instanceof Map) waiting.settle(value);
    else this.counters.stray += 1;
  }

  /** Nobody listens there. */
  #giveUp(): void {
    for (const { settle } of this.#waiting.values()) settle('silent');
  }

  #drop(): void {
    this.#socket?.close();
    this.#socket = undefined;
  }
}

/** `ok`, `pong`, `error`, `load limit`. */
export const resultOf = (reply: NgReply): string => textAt(reply, 'result') ?? '';
