import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { newUuid } from '../../src/core/ids.ts';
import { parseCommand, type SipCommand } from '../../src/sip-server/control/command.ts';
import { FrameReader } from '../../src/sip-server/control/frame-reader.ts';
import { frameTime, writeFrame } from '../../src/sip-server/control/frame-writer.ts';
import { makeResponse, withHeader } from '../../src/sip-server/message/build-message.ts';
import { cseqOf, fromTag, topVia, toTag } from '../../src/sip-server/message/header-values.ts';
import { withTag } from '../../src/sip-server/message/name-addr.ts';
import { isReject, parseSipMessage } from '../../src/sip-server/message/parse-message.ts';
import { serializeSipMessage } from '../../src/sip-server/message/serialize-message.ts';
import {
  header,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '../../src/sip-server/message/sip-message.ts';

/**
 * A drachtio-server as an application sees it, with its ways and not ours: control protocol over TCP, SIP over UDP on
 * loopback. Its ways: new requests go round robin; the first `remove_route` takes every route of an application; an
 * application that goes leaves its dialogs behind, in which the peer then gets 481 while BYE by dialog id still works; a
 * wrong secret is refused and the connection ended; the second INVITE of one dialog is passed up and gets 480 in place of
 * its answer; nobody for a verb: 503. No retransmissions: loopback loses nothing.
 */
interface App {
  readonly socket: Socket;
  readonly routes: Set<string>;
}
interface Transaction {
  readonly app: App;
  readonly request: SipRequest;
  readonly port: number; // where its answers go
}
interface StubDialog {
  readonly app: App;
  readonly localTag: string;
  readonly invite: SipRequest;
  readonly port: number;
  cseq: number;
}

const VERSION = 'v0.9.10';

export class DrachtioStub {
  readonly #apps: App[] = [];
  readonly #server: Server = createServer((socket) => this.#onApp(socket));
  readonly #sip: UdpSocket = createSocket('udp4');
  readonly #transactions = new Map<string, Transaction>(); // by transaction id
  readonly #branches = new Map<string, Buffer | undefined>(); // of requests seen, with the last answer
  readonly #dialogs = new Map<string, StubDialog>();
  readonly #sent = new Map<string, { app: App; id: string; dialogId: string }>(); // our requests, by branch
  #turn = 0;

  private constructor(private readonly secret: string) {
    this.#sip.on('message', (data, from) => this.#onDatagram(data, from.port));
  }

  static async open(secret: string, adminPort = 0): Promise<DrachtioStub> {
    const stub = new DrachtioStub(secret);
    stub.#server.listen(adminPort, '127.0.0.1');
    stub.#sip.bind(0, '127.0.0.1');
    await Promise.all([once(stub.#server, 'listening'), once(stub.#sip, 'listening')]);
    return stub;
  }

  get adminPort(): number {
    return (this.#server.address() as AddressInfo).port;
  }
  get sipPort(): number {
    return this.#sip.address().port;
  }

  async close(): Promise<void> {
    for (const app of this.#apps) app.socket.destroy();
    this.#server.close();
    this.#sip.close();
  }

  // --- applications ---

  #onApp(socket: Socket): void {
    const app: App = { socket, routes: new Set() };
    const reader = new FrameReader();
    this.#apps.push(app);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#apps.splice(this.#apps.indexOf(app), 1));
    socket.on('data', (data) => {
      const frames = reader.push(data);
      if (typeof frames === 'string') return void socket.destroy();
      for (const frame of frames) this.#onFrame(app, frame);
    });
  }

  #onFrame(app: App, frame: string): void {
    const command = parseCommand(frame);
    const { id } = command;
    switch (command.type) {
      case 'authenticate': {
        if (command.secret !== this.secret) {
          this.#reply(app, id, 'NO', 'incorrect secret');
          return void app.socket.end();
        }
        const at = `udp/127.0.0.1:${this.sipPort}`;
        return this.#reply(app, id, 'OK', at, VERSION, at);
      }
      case 'route':
        app.routes.add(command.verb);
        return this.#reply(app, id, 'OK');
      case 'remove_route':
        app.routes.clear();
        return this.#reply(app, id, 'OK');
      case 'ping':
        return this.#reply(app, id, 'OK', 'pong');
      case 'sip':
        return this.#onSipCommand(app, command);
      default:
        return this.#reply(app, id, 'NO', 'Unknown message type');
    }
  }

  #onSipCommand(app: App, command: SipCommand): void {
    const { message, id } = command;
    if (message.kind === 'response') return this.#answer(app, command, message);
    const dialog = this.#dialogs.get(command.dialogId);
    if (!dialog) return this.#reply(app, id, 'NOK', 'Server error: unable to find dialog for dialog id provided');
    const branch = `z9hG4bK${newUuid()}`;
    const own = new Set(['Via', 'From', 'To', 'Call-ID', 'CSeq', 'Max-Forwards', 'Content-Length']);
    const cseq = message.method === 'ACK' ? dialog.cseq : ++dialog.cseq;
    const request: SipRequest = {
      ...message,
      uri: /<([^>]+)>/.exec(header(dialog.invite, 'Contact') ?? '')?.[1] ?? '',
      headers: [
        { name: 'Via', value: `SIP/2.0/UDP 127.0.0.1:${this.sipPort};branch=${branch}` },
        { name: 'Max-Forwards', value: '70' },
        { name: 'From', value: withTag(header(dialog.invite, 'To') ?? '', dialog.localTag) },
        { name: 'To', value: header(dialog.invite, 'From') ?? '' },
        { name: 'Call-ID', value: header(dialog.invite, 'Call-ID') ?? '' },
        { name: 'CSeq', value: `${cseq} ${message.method}` },
        ...message.headers.filter(({ name }) => !own.has(name)),
      ],
    };
    const transactionId = newUuid();
    if (message.method !== 'ACK') this.#sent.set(branch, { app, id: transactionId, dialogId: command.dialogId });
    this.#confirm(app, id, request, transactionId);
    this.#transmit(request, dialog.port);
  }

  /** An answer of the application. */
  #answer(app: App, command: SipCommand, message: SipResponse): void {
    const transaction = this.#transactions.get(command.transactionId);
    if (!transaction) return this.#reply(app, command.id, 'NOK', 'Response not sent due to unknown transaction');
    const { request, port } = transaction;
    const dialogId = `${header(request, 'Call-ID')};from-tag=${fromTag(request)}`;
    const isNew = request.method === 'INVITE' && toTag(request) === undefined;
    if (message.status >= 200) this.#transactions.delete(command.transactionId);
    if (isNew && message.status < 300 && this.#dialogs.has(dialogId)) {
      this.#respond(makeResponse(request, 480, 'Temporarily Unavailable', { toTag: 'merged' }), port);
      return this.#reply(app, command.id, 'NOK', 'dialog already exists, rejecting this request');
    }
    const localTag = this.#dialogs.get(dialogId)?.localTag ?? newUuid().slice(0, 8);
    const given = message.headers.filter(({ name }) => !/^(Via|From|To|Call-ID|CSeq|Content-Length)$/.test(name));
    const asked = header(request, 'Session-Expires');
    const added = [
      { name: 'Contact', value: `<sip:127.0.0.1:${this.sipPort}>` },
      ...(asked === undefined ? [] : [{ name: 'Session-Expires', value: asked }]),
      ...(message.body.length > 0 ? [{ name: 'Content-Type', value: 'application/sdp' }] : []),
    ].filter(({ name }) => message.status < 300 && !given.some((one) => one.name === name));
    const response = makeResponse(request, message.status, message.reason, {
      ...(message.status > 100 && { toTag: localTag }),
      ...{ headers: [...added, ...given], body: message.body },
    });
    if (isNew && message.status === 200) {
      this.#dialogs.set(dialogId, { app, localTag, invite: request, port, cseq: 1 });
    }
    this.#confirm(app, command.id, response, command.transactionId, request.method === 'INVITE' ? dialogId : '');
    this.#respond(response, port);
  }

  // --- the wire ---

  #onDatagram(data: Buffer, port: number): void {
    const message = parseSipMessage(data);
    if (isReject(message)) return;
    if (message.kind === 'response') return this.#onResponse(message);
    const key = `${topVia(message)?.branch} ${message.method}`;
    if (message.method !== 'ACK' && this.#branches.has(key)) {
      const last = this.#branches.get(key);
      if (last) this.#sip.send(last, port, '127.0.0.1');
      return;
    }
    this.#branches.set(key, undefined);
    if (message.method === 'CANCEL') return; // not played
    if (toTag(message) !== undefined) this.#inDialog(message, port);
    else this.#outside(message, port);
  }

  #outside(request: SipRequest, port: number): void {
    const verb = request.method.toLowerCase();
    const willing = this.#apps.filter(({ routes }) => routes.has(verb));
    const app = willing[this.#turn++ % Math.max(1, willing.length)];
    if (!app) return this.#respond(makeResponse(request, 503, 'Service Unavailable', { toTag: 'none' }), port);
    if (verb === 'invite') this.#respond(makeResponse(request, 100, 'Trying'), port);
    const id = newUuid();
    this.#transactions.set(id, { app, request, port });
    this.#pass(app, request, id, '', port);
  }

  #inDialog(request: SipRequest, port: number): void {
    const dialogId = `${header(request, 'Call-ID')};from-tag=${fromTag(request)}`;
    const dialog = this.#dialogs.get(dialogId);
    const reachable = dialog !== undefined && this.#apps.includes(dialog.app);
    if (request.method === 'BYE') this.#dialogs.delete(dialogId);
    if (request.method === 'ACK') {
      if (reachable) this.#pass(dialog.app, request, newUuid(), dialogId, port);
      return;
    }
    if (!reachable) return this.#respond(makeResponse(request, 481, 'Call/Transaction Does Not Exist'), port);
    const id = newUuid();
    this.#transactions.set(id, { app: dialog.app, request, port });
    this.#pass(dialog.app, request, id, dialogId, port);
  }

  #onResponse(response: SipResponse): void {
    const sent = this.#sent.get(topVia(response)?.branch ?? '');
    if (!sent || response.status === 100) return;
    if (cseqOf(response)?.method === 'BYE' && response.status >= 200) this.#dialogs.delete(sent.dialogId);
    if (this.#apps.includes(sent.app)) this.#pass(sent.app, response, sent.id, sent.dialogId, 0);
  }

  #respond(response: SipResponse, port: number): void {
    this.#branches.set(`${topVia(response)?.branch} ${cseqOf(response)?.method}`, serializeSipMessage(response));
    this.#transmit(response, port);
  }
  #transmit(message: SipMessage, port: number): void {
    this.#sip.send(serializeSipMessage(message), port, '127.0.0.1');
  }

  // --- frames ---

  #pass(app: App, message: SipMessage, transactionId: string, dialogId: string, port: number): void {
    const bytes = serializeSipMessage(withHeader(message, 'Content-Length', String(message.body.length)));
    const origin = ['network', String(bytes.length), 'udp', '127.0.0.1', String(port), frameTime(new Date())];
    this.#write(app, [newUuid(), 'sip', ...origin, transactionId, dialogId, ''], bytes.toString('utf8'));
  }
  #confirm(app: App, id: string, message: SipMessage, transactionId: string, dialogId?: string): void {
    const bytes = serializeSipMessage(withHeader(message, 'Content-Length', String(message.body.length)));
    const origin = ['application', String(bytes.length), 'udp', '127.0.0.1', '5060', frameTime(new Date())];
    const ids = dialogId === undefined ? [transactionId] : [transactionId, dialogId, ''];
    this.#write(app, [newUuid(), 'response', id, 'OK', ...origin, ...ids, 'Msg sent:', ''], bytes.toString('utf8'));
  }
  #reply(app: App, id: string, ...tokens: string[]): void {
    this.#write(app, [newUuid(), 'response', id, ...tokens]);
  }
  #write(app: App, tokens: readonly string[], text?: string): void {
    const frame = writeFrame(tokens, text);
    if (frame) app.socket.write(frame);
  }
}
