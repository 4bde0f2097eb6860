import { EventEmitter } from 'node:events';
import type {
  SrfClient,
  SrfDialog,
  SrfIncomingResponse,
  SrfRequest,
  SrfRequestOptions,
  SrfResponse,
  SrfSendOptions,
  SrfUacOptions,
} from '../../src/sip/drachtio.ts';

/** drachtio-srf as `src/sip` uses it, without a server: tests play the network by hand. */
export interface FakeMessageParts {
  readonly method?: string;
  readonly uri?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly source?: string;
  readonly sourceAddress?: string;
  readonly status?: number;
  readonly reason?: string;
  readonly req?: { readonly uri: string };
}

export class FakeMessage extends EventEmitter {
  readonly method: string;
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly source: string;
  readonly source_address: string;
  readonly source_port = 5070;
  readonly protocol = 'udp';
  readonly status: number;
  readonly reason: string;
  readonly payload: { type: string | undefined; content: string }[];
  /** Of a response: the request it answers, as it left. */
  readonly req: { readonly uri: string } | undefined;
  cancels = 0;

  constructor(parts: FakeMessageParts = {}) {
    super();
    this.method = parts.method ?? 'INVITE';
    this.uri = parts.uri ?? 'sip:2000@198.51.100.5';
    this.headers = parts.headers ?? {};
    this.body = parts.body ?? '';
    this.source = parts.source ?? 'network';
    this.source_address = parts.sourceAddress ?? '192.0.2.10';
    this.status = parts.status ?? 200;
    this.reason = parts.reason ?? 'OK';
    this.req = parts.req;
    this.payload = [{ type: this.get('Content-Type'), content: this.body }];
  }
  get(name: string): string | undefined {
    const wanted = name.toLowerCase();
    return Object.entries(this.headers).find(([header]) => header.toLowerCase() === wanted)?.[1];
  }
  has(name: string): boolean {
    return this.get(name) !== undefined;
  }
  cancel(callback: (error: unknown) => void): void {
    this.cancels += 1;
    callback(undefined);
  }
}

export const fakeRequest = (parts: FakeMessageParts = {}): FakeMessage & SrfRequest =>
  new FakeMessage(parts) as FakeMessage & SrfRequest;
export const fakeAnswer = (status: number, parts: FakeMessageParts = {}): SrfIncomingResponse =>
  new FakeMessage({ ...parts, status });

export class FakeResponse implements SrfResponse {
  readonly sent: (SrfSendOptions & { status: number })[] = [];
  finalResponseSent = false;
  /** `refusal`: the SIP server will not send what it is given, for this reason. */
  constructor(private readonly refusal?: string) {}
  send(status: number, options: SrfSendOptions, callback?: (error: unknown) => void): void {
    this.sent.push({ status, ...options });
    if (status >= 200) this.finalResponseSent = true;
    callback?.(this.refusal ?? null);
  }
  get last(): (SrfSendOptions & { status: number }) | undefined {
    return this.sent.at(-1);
  }
}

export class FakeDialog extends EventEmitter implements SrfDialog {
  readonly id = 'call;from-tag=a';
  readonly sip = { callId: 'call', localTag: 'b', remoteTag: 'a' };
  readonly local = { uri: 'sip:gateway@198.51.100.5', sdp: '', contact: '<sip:gateway@198.51.100.5>' };
  remote = { uri: 'sip:alice@192.0.2.10', sdp: '' };
  res = new FakeMessage();
  req = new FakeMessage();
  readonly requests: (SrfRequestOptions & { answer(status: number, parts?: FakeMessageParts): void; fail(): void })[] =
    [];

  request(options: SrfRequestOptions, callback: (error: unknown, res?: SrfIncomingResponse) => void): void {
    this.requests.push({
      ...options,
      answer: (status, parts) => callback(null, fakeAnswer(status, parts)),
      fail: () => callback(new Error('unable to find dialog')),
    });
  }
  /** The latest request of this method that we were sent. */
  request_(method: string): (typeof this.requests)[number] {
    const found = this.requests.findLast((one) => one.method === method);
    if (!found) throw new Error(`no ${method} was sent`);
    return found;
  }
  /** A request from the peer whose answer may take a moment. */
  async ask(event: string, parts: FakeMessageParts = {}, res = new FakeResponse()): Promise<FakeResponse> {
    this.receive(event, parts, res);
    await settle();
    return res;
  }
  /** A request from the peer; @returns our answer. */
  receive(event: string, parts: FakeMessageParts = {}, res = new FakeResponse()): FakeResponse {
    const method = event === 'modify' ? 'INVITE' : event.toUpperCase();
    this.emit(event, fakeRequest({ method, ...parts }), res);
    return res;
  }
}

interface UacCall {
  readonly uri: string;
  readonly options: SrfUacOptions;
  readonly sent: FakeMessage;
  provisional(status: number): void;
  refuse(status: number, parts?: FakeMessageParts): void;
  answer(dialog: FakeDialog): void;
}

export class FakeSrf extends EventEmitter implements SrfClient {
  readonly uas: {
    sdp: string;
    headers: Readonly<Record<string, string>>;
    done: (error: unknown, dialog?: SrfDialog) => void;
  }[] = [];
  readonly uac: UacCall[] = [];
  readonly removed: SrfDialog[] = [];
  handler: ((req: SrfRequest, res: SrfResponse) => void) | undefined;
  disconnects = 0;
  /** True: INVITEs are told as sent only by `tellSent`. */
  slow = false;
  tellSent: () => void = () => undefined;

  createUAS(
    _req: SrfRequest,
    _res: SrfResponse,
    options: { localSdp: string; headers: Readonly<Record<string, string>> },
    done: (error: unknown, dialog?: SrfDialog) => void,
  ): void {
    this.uas.push({ sdp: options.localSdp, headers: options.headers, done });
  }
  createUAC(...[uri, options, progress, done]: Parameters<SrfClient['createUAC']>): void {
    const cseq = options.headers['CSeq'] ?? '10 INVITE';
    const sent = fakeRequest({
      uri,
      headers: { 'Call-ID': 'out-1', CSeq: cseq, From: `${options.headers['From']};tag=local` },
    });
    this.uac.push({
      uri,
      options,
      sent,
      provisional: (status) => progress.cbProvisional(fakeAnswer(status, { reason: 'Ringing' })),
      refuse: (status, parts) => done(Object.assign(new Error('refused'), { res: fakeAnswer(status, parts) })),
      answer: (dialog) => done(null, dialog),
    });
    this.tellSent = () => progress.cbRequest(null, sent);
    if (!this.slow) this.tellSent();
  }
  request(): void {
    throw new Error('not connected');
  }
  removeDialog(dialog: SrfDialog): void {
    this.removed.push(dialog);
  }
  use(...args: unknown[]): void {
    const [handler] = args;
    if (typeof handler === 'function') this.handler = handler as (req: SrfRequest, res: SrfResponse) => void;
  }
  /** True: nobody answers a connection. */
  deaf = false;
  connect(): void {
    if (!this.deaf) this.emit('connect', null, 'udp/198.51.100.5:5060');
  }
  listen(): void {
    this.emit('connect', null, 'udp/198.51.100.5:5060');
  }
  disconnect(): void {
    this.disconnects += 1;
    this.emit('close');
  }
  /** A request outside any dialog; @returns our answer. */
  receive(parts: FakeMessageParts): { req: FakeMessage; res: FakeResponse } {
    const req = fakeRequest(parts);
    const res = new FakeResponse();
    this.handler?.(req, res);
    return { req, res };
  }
}

/** Lets promise callbacks run. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}
