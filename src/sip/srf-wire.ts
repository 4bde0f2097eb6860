import { connect, type Socket } from 'node:net';
import type { SipTrace } from '../core/sip-ladder.ts';
import type { SrfClient, SrfDialog, SrfIncomingResponse, SrfResponse } from './drachtio.ts';
import type { LinkWire } from './server-link.ts';
import { tracedFrame } from './traced-frame.ts';

export interface SipServerAddress {
  readonly host: string;
  readonly port: number;
  readonly secret: string;
}

const ADMIN_PORT = 9022;

/** Host, port and secret of `drachtio://:secret@host:9022`. */
export function sipServerAddress({ hostname, port, password }: URL): SipServerAddress {
  return { host: hostname, port: Number(port || ADMIN_PORT), secret: decodeURIComponent(password) };
}

/** Inside drachtio-srf: what its public side does not give, or does for ever and without asking. */
interface SrfAgent {
  readonly wp: {
    on(event: 'connect', listener: (socket: Socket) => void): void;
    on(event: 'msg', listener: (socket: Socket, frame: string) => void): void;
    installListeners(socket: Socket): void;
    send(socket: Socket, message: string): string;
  };
  readonly verbs: Map<string, unknown>;
  readonly mapServer: Map<Socket, { readonly pendingRequests: Map<string, () => void> }>;
  removeRoute(verb: string): void;
  request(options: object, callback: (error: unknown, request?: SentRequest) => void): void;
}
interface SentRequest {
  on(event: 'response', listener: (res: SrfIncomingResponse) => void): void;
}
const agentOf = (srf: SrfClient): SrfAgent | undefined => srf.app?.client as unknown as SrfAgent | undefined;

/**
 * drachtio-srf's connection to a server, one attempt at a time. Its own reconnecting is switched off: it starts anew four
 * times a second when the secret is refused, and never notices a server that has fallen silent.
 */
export class SrfWire implements LinkWire {
  #socket: Socket | undefined;
  #dropped = false;

  constructor(
    private readonly srf: SrfClient,
    private readonly address: SipServerAddress,
    private readonly trace?: SipTrace,
  ) {}

  open(): void {
    const { host, port, secret } = this.address;
    const agent = agentOf(this.srf);
    if (!agent) {
      this.srf.connect({ host, port, secret, enablePing: false, reconnect: { maxAttempts: 1 } });
      const { wp } = agentOf(this.srf) ?? {};
      wp?.on('connect', (socket) => this.#onConnect(socket));
      if (this.trace) wp?.on('msg', (_socket, frame) => this.#onFrame(frame));
      return;
    }
    const socket = connect({ host, port }).setNoDelay(true).setKeepAlive(true);
    this.#socket = socket;
    agent.wp.installListeners(socket);
  }

  drop(): void {
    this.#dropped = true;
    this.#socket?.destroy();
  }

  /** False for the end of a connection that was given up before. */
  isCurrent(socket: unknown): boolean {
    return socket === undefined || this.#socket === undefined || socket === this.#socket;
  }

  ping(onPong: () => void): void {
    const agent = agentOf(this.srf);
    if (!agent || !this.#socket) return onPong(); // nobody to ask: nothing is waited for
    agent.mapServer.get(this.#socket)?.pendingRequests.set(agent.wp.send(this.#socket, 'ping'), onPong);
  }

  /**
   * Asks for no new requests any more, now and after a reconnect; those of our dialogs go on coming. One verb is enough: the
   * real server drops every route of an application with the first.
   */
  withdrawRoutes(): void {
    const agent = agentOf(this.srf);
    if (!agent) return;
    if (agent.verbs.has('invite')) agent.removeRoute('invite');
    agent.verbs.clear();
  }

  /** What came by an earlier connection goes on over this one. */
  adopt(what: SrfDialog | SrfResponse): void {
    const holder = ('sip' in what ? what.req : what) as object as { socket: Socket | undefined };
    holder.socket = this.#socket;
  }

  /** Sends BYE in a dialog that a former connection left at the server; nobody waits for its answer. */
  bye(dialogId: string, headers: Record<string, string>): void {
    agentOf(this.srf)?.request({ method: 'BYE', stackDialogId: dialogId, headers }, () => undefined);
  }

  /** Nothing may throw into the library's read loop. */
  #onFrame(frame: string): void {
    const message = tracedFrame(frame);
    if (message) this.trace?.(message);
  }

  /** The library's first connection makes its own socket: we hear of it when it is there. */
  #onConnect(socket: Socket): void {
    if (this.#socket === undefined && !this.#dropped) this.#socket = socket;
    else if (socket !== this.#socket) socket.destroy();
  }
}
