import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../dist/core/clock.js';
import { textAt } from '../../dist/media/edge/bencode.js';
import { NgClient, resultOf } from '../../dist/media/edge/ng-client.js';
import { stopProgram } from './media-programs.mjs';

const HOST = '127.0.0.1';
const START_MS_MAX = 5_000;
const ANSWER_MS_MAX = 4_000;
const LOG_CHARACTERS = 2_000;
/** RTP and RTCP of each of the two sides of a call; and it hands ports out with gaps. */
const PORTS_PER_PHONE = 3;

/** @returns the version of the program; undefined where it is not installed. */
export function rtpengineVersion() {
  const { status, stdout, stderr } = spawnSync('rtpengine', ['--version'], { encoding: 'utf8' });
  return status === 0 ? /Version: (\S+)/.exec(stdout + stderr)?.[1] : undefined;
}

/**
 * rtpengine (Debian: rtpengine-daemon) in user space, with one worker thread, that relays between phones two by two. Spoken to as the
 * gateway does (`src/media/edge`).
 */
export class RtpEngine {
  #child;
  #client;
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
    this.#client = new NgClient({ host: HOST, port: controlPort, clock: systemClock, timeoutMs: ANSWER_MS_MAX });
  }

  get pid() {
    return this.#child.pid;
  }

  /** A call between two phones, by their ports. @returns where the first, and where the second of them sends to. */
  async relay(caller, callee) {
    const call = { 'call-id': `call-${caller}`, 'from-tag': `phone-${caller}` };
    const media = { ICE: 'remove', 'rtcp-mux': ['require'] };
    const offered = await this.#ask('offer', { ...call, ...media, sdp: description(caller) });
    this.#calls.push(call);
    const answer = { ...call, 'to-tag': `phone-${callee}`, ...media, sdp: description(callee) };
    const answered = await this.#ask('answer', answer);
    return [audioPort(answered), audioPort(offered)];
  }

  async deleteCalls() {
    for (const call of this.#calls.splice(0)) await this.#ask('delete', { ...call, 'delete-delay': 0 });
  }

  async stop() {
    await stopProgram(this.#child);
    this.#client.close();
  }

  async #up() {
    for (const untilMs = performance.now() + START_MS_MAX; performance.now() < untilMs; await sleep(50)) {
      // While nobody listens yet that is known at once.
      if (typeof (await this.#client.ask('ping')) === 'object') return;
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) break;
    }
    throw new Error(`rtpengine does not come up: ${this.#log}`);
  }

  /** @returns the description, where the answer has one. */
  async #ask(command, more) {
    const reply = await this.#client.ask(command, more);
    if (typeof reply === 'object' && resultOf(reply) === 'ok') return textAt(reply, 'sdp');
    const reason = typeof reply === 'object' ? textAt(reply, 'error-reason') : reply;
    throw new Error(`rtpengine, ${command}: ${reason} ${this.#log}`);
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
