/**
 * The calling side of calls without audio: as little of SIP as a caller needs who calls, stays, takes UPDATEs of the session timer and
 * hangs up, over UDP with its retransmissions (RFC 3261 section 17.1).
 */
import { createSocket } from 'node:dgram';

const HOST = '127.0.0.1';
const T1_MS = 500;
const T2_MS = 4_000;
const GIVE_UP_MS = 64 * T1_MS;
const GREETED_MS = 3_000;
const RECEIVE_BYTES = 4 * 2 ** 20;

const headerOf = (text, name) => new RegExp(`^${name}:[ \\t]*([^\\r\\n]*)`, 'im').exec(text)?.[1];
const headersOf = (text, name) => [...text.matchAll(new RegExp(`^${name}:[^\\r\\n]*`, 'gim'))].map(([line]) => line);

/** @returns a text with its lines as SIP has them. */
const message = (lines, body = '') => {
  const head = [...lines, body && 'Content-Type: application/sdp', `Content-Length: ${body.length}`];
  return `${head.filter(Boolean).join('\r\n')}\r\n\r\n${body}`;
};

const sdp = (version, direction) =>
  ['v=0', `o=bench 1 ${version} IN IP4 ${HOST}`, 's=-', `c=IN IP4 ${HOST}`, 't=0 0', 'm=audio 6000 RTP/AVP 0 101']
    .concat(['a=rtpmap:0 PCMU/8000', 'a=rtpmap:101 telephone-event/8000', 'a=ptime:20', `a=${direction}`, ''])
    .join('\r\n');

/** One call: `dialling`, `up`, `leaving`, then `over` with its `end`. */
class Call {
  state = 'dialling';
  end;
  target;
  to;
  cseq = 1;
  setupMs;
  upAtMs;
  overAtMs;
  #held = false;
  #timer;

  constructor(callers, n, port, number, sessionSeconds) {
    Object.assign(this, { callers, n, port, number, sessionSeconds });
    this.id = `${callers.run}-${n}@bench`;
    this.target = `sip:${number}@${HOST}:${port}`;
    this.to = `<${this.target}>`;
  }

  dial() {
    this.sentAtMs = performance.now();
    this.#invite(sdp(1, 'sendrecv'));
  }

  /** Agents let go who says nothing, but not who has put them on hold. */
  hold() {
    if (this.state !== 'up') return;
    this.cseq += 1;
    this.#invite(sdp(2, 'sendonly'));
  }

  #invite(body) {
    const more = [
      `Contact: <sip:bench@${HOST}:${this.callers.port}>`,
      'Allow: INVITE, ACK, BYE, CANCEL, UPDATE',
      'Supported: timer',
      `Session-Expires: ${this.sessionSeconds};refresher=uas`,
    ];
    this.#ask('INVITE', more, body);
  }

  hangUp() {
    if (this.state !== 'up') return;
    this.state = 'leaving';
    this.cseq += 1;
    this.#ask('BYE');
  }

  /** Once more after the end: whoever still has the dialog answers with something else than 481. */
  probe() {
    this.state = 'probing';
    this.cseq += 1;
    this.#ask('BYE');
  }

  response(status, text) {
    const [cseq, method] = headerOf(text, 'CSeq').split(' ');
    if (Number(cseq) !== this.cseq && !(method === 'INVITE' && this.upAtMs)) return;
    if (method === 'INVITE' && this.upAtMs) this.#again(Number(cseq), status, text);
    else if (method === 'INVITE') this.#answered(status, text);
    else if (status >= 200) this.#left(status);
  }

  request(method, text) {
    const reply = [
      'SIP/2.0 200 OK',
      ...headersOf(text, 'Via'),
      ...['From', 'To', 'Call-ID', 'CSeq'].map((name) => headersOf(text, name)[0]),
    ];
    const refreshed = method === 'UPDATE';
    if (refreshed) {
      reply.push(`Contact: <sip:bench@${HOST}:${this.callers.port}>`, ...headersOf(text, 'Session-Expires'));
    }
    this.callers.send(this, message(reply));
    this.callers.count(refreshed ? 'refreshes' : `requests ${method}`);
    if (method !== 'BYE' || this.state === 'over') return;
    this.#over(`hung up: ${/text="([^"]*)"/.exec(headerOf(text, 'Reason') ?? '')?.[1] ?? 'no reason'}`);
  }

  /** The gateway is gone, and with it who would answer. */
  abandon() {
    if (this.state !== 'over') this.#over('gateway killed');
  }

  #answered(status, text) {
    if (status < 200) return this.#stop();
    if (status >= 300) {
      this.#ack(text);
      if (this.state !== 'dialling') return;
      const why = /text="([^"]*)"/.exec(headerOf(text, 'Reason') ?? '')?.[1];
      return this.#over(`refused ${status}${why ? ` ${why}` : ''}`);
    }
    this.#stop();
    this.upAtMs = performance.now();
    this.setupMs = this.upAtMs - this.sentAtMs;
    this.to = headerOf(text, 'To');
    this.target = /<([^>]+)>/.exec(headerOf(text, 'Contact'))?.[1];
    this.state = 'up';
    this.#ack(text);
    setTimeout(() => this.hold(), GREETED_MS);
  }

  /** To an INVITE of a call that is up, or once more to the one that made it so. */
  #again(cseq, status, text) {
    if (status < 200) return cseq === this.cseq && this.#stop();
    if (cseq === this.cseq && this.state === 'up' && cseq > 1 && !this.#held) {
      this.#stop();
      this.#held = true;
      this.callers.count(`hold: ${status}`);
    } else {
      this.callers.count('repeated answer');
    }
    this.#ack(text, cseq, status >= 300);
  }

  #ack(answer, cseq = 1, refused = !this.upAtMs) {
    // That of a refusal belongs to the INVITE (section 17.1.1.3).
    const branch = `${this.n}-${refused ? '' : 'ack'}${cseq}`;
    this.callers.send(this, message(this.#head('ACK', branch, headerOf(answer, 'To'), cseq)));
  }

  #left(status) {
    if (this.state === 'probing') this.callers.count(`dialog asked for again: ${status}`);
    this.#over(status === 200 ? 'left' : `BYE ${status}`);
  }

  #over(end) {
    this.#stop();
    this.end ??= end;
    this.overAtMs ??= performance.now();
    this.state = 'over';
  }

  #head(method, branch, to, cseq = this.cseq) {
    return [
      `${method} ${this.target} SIP/2.0`,
      `Via: SIP/2.0/UDP ${HOST}:${this.callers.port};branch=z9hG4bK${this.callers.run}-${branch};rport`,
      `From: "bench" <sip:bench@${HOST}>;tag=${this.callers.run}t${this.n}`,
      ...[`To: ${to}`, `Call-ID: ${this.id}`, `CSeq: ${cseq} ${method}`, 'Max-Forwards: 70'],
    ];
  }

  /** Sends a request until something comes of it. */
  #ask(method, more = [], body = '') {
    this.#stop();
    const text = message([...this.#head(method, `${this.n}-${this.cseq}`, this.to), ...more], body);
    const startMs = performance.now();
    const again = (waitMs) => {
      this.#timer = setTimeout(() => {
        if (performance.now() - startMs > GIVE_UP_MS) return this.#over(`no answer to ${method}`);
        this.callers.count(`repeated ${method}`);
        this.callers.send(this, text);
        again(method === 'INVITE' ? 2 * waitMs : Math.min(2 * waitMs, T2_MS));
      }, waitMs);
    };
    this.callers.send(this, text);
    again(T1_MS);
  }

  #stop() {
    clearTimeout(this.#timer);
  }
}

/** All callers, on one port. */
export class SipCallers {
  calls = [];
  counts = {};
  run = `b${process.pid}`;
  #byId = new Map();
  #socket = createSocket({ type: 'udp4' });

  async open() {
    this.#socket.on('message', (bytes) => this.#heard(bytes.toString('latin1')));
    await new Promise((resolve, reject) => this.#socket.once('error', reject).bind(0, HOST, resolve));
    this.#socket.setRecvBufferSize(RECEIVE_BYTES);
    this.port = this.#socket.address().port;
  }

  dial(port, number, sessionSeconds) {
    const call = new Call(this, this.calls.length, port, number, sessionSeconds);
    this.calls.push(call);
    this.#byId.set(call.id, call);
    call.dial();
    return call;
  }

  send(call, text) {
    this.#socket.send(text, call.port, HOST, () => undefined);
  }

  count(what) {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }

  close() {
    this.#socket.close();
  }

  #heard(text) {
    const call = this.#byId.get(headerOf(text, 'Call-ID'));
    if (!call) return this.count('of no call');
    const status = /^SIP\/2\.0 (\d{3})/.exec(text)?.[1];
    if (status) call.response(Number(status), text);
    else call.request(/^\S+/.exec(text)[0], text);
  }
}
