import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopProgram } from './media-programs.mjs';

const HOST = '127.0.0.1';
const START_MS_MAX = 5_000;
const ANSWER_MS_MAX = 1_000;
/** Asked again with the same cookie, rtpengine repeats its answer. */
const TRIES = 4;
const LOG_CHARACTERS = 2_000;
/** RTP and RTCP of each of the two sides of a call; and it hands ports out with gaps. */
const PORTS_PER_PHONE = 3;

/** @returns the version of the program; undefined where it is not installed. */
export function rtpengineVersion() {
  const { status, stdout, stderr } = spawnSync('rtpengine', ['--version'], { encoding: 'utf8' });
  return status === 0 ? /Version: (\S+)/.exec(stdout + stderr)?.[1] : undefined;
}

/**
 * rtpengine (Debian: rtpengine-daemon) in user space, with one worker thread, that relays between phones two by two. Spoken to by
 * its ng protocol: bencode over UDP, each message after a cookie that its answer repeats.
 *
 * @see https://rtpengine.readthedocs.io/en/latest/ng_control_protocol.html
 */
export class RtpEngine {
  #child;
  #socket = createSocket('udp4');
  #waiting = new Map();
  #messages = 0;
  #calls = [];
  #log = '';

  /** @returns one that answers, with ports for so many phones. */
  static async start(programs, ports, phones) {
    const portMin = ports.span(phones * PORTS_PER_PHONE);
    const engine = new RtpEngine(programs, ports.span(2), portMin, portMin + phones * PORTS_PER_PHONE - 1);
    try {
      await engine.#up();
      return engine;
    } catch (error) {
      await engine.stop();
      throw error;
    }
  }

  constructor(programs, controlPort, portMin, portMax) {
    const args = [
      '--config-file=none',
      '--foreground',
      '--log-stderr',
      '--log-level=4',
      '--table=-1',
      '--num-threads=1',
    ];
    const addresses = [`--interface=${HOST}`, `--listen-ng=${HOST}:${controlPort}`];
    const range = [`--port-min=${portMin}`, `--port-max=${portMax}`];
    this.#child = programs.startServer('rtpengine', [...args, ...addresses, ...range], 'pipe');
    this.#child.stdout.resume();
    this.#child.stderr.on('data', (chunk) => {
      this.#log = (this.#log + chunk).slice(-LOG_CHARACTERS);
    });
    this.#socket.on('message', (message) => this.#answered(message));
    this.#socket.on('error', () => {}); // refused while nobody listens yet: no answer comes, and that is told
    this.#socket.connect(controlPort, HOST);
  }

  get pid() {
    return this.#child.pid;
  }

  /** A call between two phones, by their ports. @returns where the first, and where the second of them sends to. */
  async relay(caller, callee) {
    const call = { 'call-id': `call-${caller}`, 'from-tag': `phone-${caller}` };
    const media = { ICE: 'remove', 'rtcp-mux': ['require'] };
    const offered = await this.#ask({ command: 'offer', ...call, ...media, sdp: description(caller) });
    this.#calls.push(call);
    const answer = { command: 'answer', ...call, 'to-tag': `phone-${callee}`, ...media, sdp: description(callee) };
    const answered = await this.#ask(answer);
    return [audioPort(answered.sdp), audioPort(offered.sdp)];
  }

  async deleteCalls() {
    for (const call of this.#calls.splice(0)) await this.#ask({ command: 'delete', ...call, 'delete-delay': 0 });
  }

  async stop() {
    await stopProgram(this.#child);
    this.#socket.close();
  }

  async #up() {
    await once(this.#socket, 'connect');
    for (const untilMs = performance.now() + START_MS_MAX; performance.now() < untilMs; await sleep(50)) {
      const { result } = await this.#exchange({ command: 'ping' }, 200);
      if (result === 'pong') return;
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) break;
    }
    throw new Error(`rtpengine does not come up: ${this.#log}`);
  }

  async #ask(message) {
    const answer = await this.#exchange(message, ANSWER_MS_MAX);
    if (answer.result === 'ok') return answer;
    throw new Error(`rtpengine, ${message.command}: ${answer['error-reason'] ?? answer.result} ${this.#log}`);
  }

  /** Asks, and asks again. @returns its answer; `{ result: 'no answer' }` without one. */
  async #exchange(message, answerMs) {
    this.#messages += 1;
    const cookie = `${process.pid}-${this.#messages}`;
    const datagram = `${cookie} ${bencode(message)}`;
    const answer = new Promise((resolve) => this.#waiting.set(cookie, resolve));
    for (let tries = 0; tries < TRIES; tries += 1) {
      this.#socket.send(datagram, () => {}); // refused: as above
      const waiting = new AbortController();
      const none = sleep(answerMs, undefined, { signal: waiting.signal }).catch(() => undefined);
      const found = await Promise.race([answer, none]);
      waiting.abort();
      if (found) return found;
    }
    this.#waiting.delete(cookie);
    return { result: 'no answer' };
  }

  #answered(message) {
    const space = message.indexOf(' ');
    const cookie = message.toString('latin1', 0, space);
    this.#waiting.get(cookie)?.(bdecode(message.subarray(space + 1)));
    this.#waiting.delete(cookie);
  }
}

function description(port) {
  return [
    'v=0',
    `o=- 1 1 IN IP4 ${HOST}`,
    's=-',
    `c=IN IP4 ${HOST}`,
    't=0 0',
    `m=audio ${port} RTP/AVP 0`,
    'a=rtpmap:0 PCMU/8000',
    'a=rtcp-mux',
    '',
  ].join('\r\n');
}

function audioPort(sdp) {
  const port = /^m=audio (\d+)/m.exec(sdp)?.[1];
  if (!port) throw new Error(`rtpengine answered without a port: ${sdp}`);
  return Number(port);
}

/** @param value - of strings, whole numbers, arrays and objects. */
export function bencode(value) {
  if (typeof value === 'string') return `${Buffer.byteLength(value)}:${value}`;
  if (Number.isInteger(value)) return `i${value}e`;
  if (Array.isArray(value)) return `l${value.map(bencode).join('')}e`;
  const keys = Object.keys(value).sort();
  return `d${keys.map((key) => bencode(key) + bencode(value[key])).join('')}e`;
}

/** @throws Error when that is not bencode. */
export function bdecode(bytes) {
  let at = 0;
  const upTo = (end) => {
    const stop = bytes.indexOf(end, at);
    if (stop < 0) throw new Error('bencode ends early');
    const text = bytes.toString('latin1', at, stop);
    at = stop + 1;
    return text;
  };
  const next = () => {
    const kind = String.fromCharCode(bytes[at]);
    if (kind >= '0' && kind <= '9') {
      const length = Number(upTo(':'));
      at += length;
      return bytes.toString('utf8', at - length, at);
    }
    at += 1;
    if (kind === 'i') return Number(upTo('e'));
    if (kind !== 'l' && kind !== 'd') throw new Error(`no bencode: ${kind}`);
    const items = [];
    while (at < bytes.length && bytes[at] !== 0x65) items.push(next()); // up to the e
    at += 1;
    if (kind === 'l') return items;
    return Object.fromEntries(items.flatMap((key, i) => (i % 2 ? [] : [[key, items[i + 1]]])));
  };
  return next();
}
