import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket } from 'ws';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { type Handshake, type Refusal, ServiceSockets, type SocketFault } from './service-sockets.ts';

/** What hears on one connection. */
export interface Listening {
  /** All audio that came over it. */
  readonly audio: Buffer;
  take(data: Buffer, isBinary: boolean): void;
  /** Audio that nothing is made of. */
  keep(data: Buffer, isBinary: boolean): void;
}

/** What hears on a connection whose binary messages are audio and nothing else. */
export class AudioTape {
  readonly pieces: Buffer[] = [];
  get audio(): Buffer {
    return Buffer.concat(this.pieces);
  }
  keep(data: Buffer, isBinary: boolean): void {
    if (isBinary) this.pieces.push(data);
  }
}

/** One connection, that hears or speaks. */
export interface ServiceConnection<Listener, Said = string> extends Handshake {
  readonly listening?: Listener;
  /** Texts to speak, and whatever else it was told then. */
  readonly said: Said[];
  isOpen: boolean;
}

type Fault<Own> = SocketFault | Own | undefined;

/** What is heard in one stretch of speech. */
interface Words {
  readonly text: string;
}

const QUIET = 50;

/**
 * A speech service over WebSockets on the loopback, as far as all are alike: whom it takes, what it hears next, how it fails. What it
 * hears is a test's to say; the messages are each service's own.
 */
export abstract class SpeechService<
  Listener extends Listening,
  Heard extends Words,
  Own extends { readonly type: string } = never,
  Said = string,
> {
  readonly connections: ServiceConnection<Listener, Said>[] = [];
  key: string | undefined;
  /** What is heard, a stretch each, in order; then `otherwise`. Nothing in silence. */
  readonly hears: Heard[] = [];
  otherwise: Words & Partial<Heard> = { text: 'where is my order' } as Words & Partial<Heard>;
  speaking = 0; // sentences
  speakingMax = 0; // at once
  protected readonly sockets = new ServiceSockets<Own>(
    (handshake) => this.judge(handshake),
    (socket, handshake, fault) => this.#connected(socket, handshake, fault),
    (request, response) => this.serve(request, response),
  );

  /** @param clock - of its own time: how long it waits for messages. */
  constructor(protected readonly clock: Clock = systemClock) {}

  listen(): Promise<void> {
    return this.sockets.listen();
  }
  get host(): string {
    return this.sockets.host;
  }
  /** Handshakes that came, whether they were taken or not. */
  get arrivals(): number {
    return this.sockets.arrivals;
  }
  get urls(): readonly string[] {
    return this.sockets.urls;
  }
  /** Those that listen. */
  get listening(): readonly Listener[] {
    return this.connections.flatMap(({ listening }) => listening ?? []);
  }
  get open(): number {
    return this.connections.filter(({ isOpen }) => isOpen).length;
  }

  /** The next connections fail so, one each. */
  failNext(...faults: (SocketFault | Own)[]): void {
    this.failNextAt('', ...faults);
  }
  /** The same for those whose path ends so. */
  failNextAt(path: string, ...faults: (SocketFault | Own)[]): void {
    this.sockets.failNextAt(path, ...faults);
  }
  hangUp(code: number): void {
    this.sockets.hangUp(code);
  }
  close(): Promise<void> {
    return this.sockets.close();
  }

  protected abstract judge(handshake: Handshake): Refusal | undefined;
  /** Who hears on a connection; nobody on one that is to speak. */
  protected abstract listener(socket: WebSocket, handshake: Handshake): Listener | undefined;
  /** Greets who came. @returns whether they are heard then. */
  protected greet(_listener: Listener, _handshake: Handshake, _fault: Fault<Own>): boolean {
    return true;
  }
  /** A fault that this service alone has, once its audio is there. */
  protected play(_listener: Listener, _fault: Own): void {}
  protected speak(_socket: WebSocket, _connection: ServiceConnection<Listener, Said>, _fault: Fault<Own>): void {}
  /** What comes without wanting a WebSocket. */
  protected serve(_: IncomingMessage, response: ServerResponse): void {
    response.writeHead(404).end();
  }

  protected heard(samples: Int16Array): Heard {
    const isSilent = samples.every((sample) => Math.abs(sample) < QUIET);
    return isSilent ? ({ text: '' } as Heard) : (this.hears[0] ?? (this.otherwise as Heard));
  }

  protected busy(by: 1 | -1): void {
    this.speaking += by;
    this.speakingMax = Math.max(this.speakingMax, this.speaking);
  }

  #connected(socket: WebSocket, handshake: Handshake, fault: Fault<Own>): void {
    const listening = this.listener(socket, handshake);
    const connection = { ...handshake, said: [], isOpen: true, ...(listening && { listening }) };
    this.connections.push(connection);
    socket.on('close', () => {
      connection.isOpen = false;
    });
    if (fault?.type === 'deaf') return;
    if (!listening) this.speak(socket, connection, fault);
    else if (this.greet(listening, handshake, fault)) this.#hear(socket, listening, fault);
  }

  #hear(socket: WebSocket, listening: Listener, fault: Fault<Own>): void {
    const at = fault && 'afterBytes' in fault ? (fault.afterBytes as number) : Infinity;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (fault?.type === 'silent') return listening.keep(data, isBinary);
      listening.take(data, isBinary);
      if (at === Infinity || listening.audio.length < at) return; // audio is put together for those alone who ask
      const due = fault as SocketFault; // those of a service alone have other names
      if (due.type === 'cut') socket.terminate();
      else if (due.type === 'close') socket.close(due.code);
      else this.play(listening, fault as Own);
    });
  }
}

/** @param clock - of the service's own time. */
export async function started<Service extends { listen(): Promise<void> }>(
  Kind: new (clock: Clock) => Service,
  clock: Clock,
): Promise<Service> {
  const service = new Kind(clock);
  await service.listen();
  return service;
}
