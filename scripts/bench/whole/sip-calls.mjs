import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../latency/gateway-process.mjs';
import { AGENT } from '../latency/questions.mjs';
import { answeredInvite, HEADERS, REST } from '../latency/sipp-messages.mjs';

const ALLOW = 'Allow: INVITE, ACK, BYE, CANCEL\n';
const LAST_BYES_MS = 6000;

/**
 * INVITE (timed to its 200), ACK, then the call stays up until sipp is told by an INFO with its Call-ID that it is over, which no
 * gateway sends. A pause would have to be known when the call begins, and when the ramp ends is not.
 */
const scenario = (upMsMax) => `<?xml version="1.0" encoding="UTF-8"?>
<scenario name="whole">
${answeredInvite('[field0]', ALLOW)}
  <recv request="INFO" timeout="${upMsMax}" ontimeout="bye"/>
  <label id="bye"/>
  <send retrans="500"><![CDATA[
BYE [next_url] SIP/2.0
${HEADERS}
To: <sip:[service]@[remote_ip]:[remote_port]>[peer_tag_param]
${REST}
CSeq: 2 BYE
Content-Length: 0

]]></send>
  <recv response="200"/>
</scenario>
`;

/** Calls by sipp, each with its own port for audio, that come at a steady rate and stay up until they are told. */
export class SipCalls {
  #folder = mkdtempSync(join(tmpdir(), 'nidaa-calls-'));
  #over = false;
  #port;

  /** @param limitMs - after that sipp ends by itself, whatever becomes of the bench. */
  static async start(gateway, { ports, callsPerSecond, limitMs }) {
    const calls = new SipCalls();
    await calls.#start(gateway, ports, callsPerSecond, limitMs);
    return calls;
  }

  async #start({ host, sipPort }, ports, callsPerSecond, limitMs) {
    this.host = host;
    this.#port = await freePort(22_000);
    writeFileSync(this.#file('whole.xml'), scenario(limitMs));
    writeFileSync(this.#file('ports.csv'), `SEQUENTIAL\n${ports.map((port) => `${port};`).join('\n')}\n`);
    const args = [
      ...[`${host}:${sipPort}`, '-sf', 'whole.xml', '-inf', 'ports.csv', '-s', AGENT, '-i', host, '-p', this.#port],
      ...['-m', ports.length, '-l', ports.length, '-r', callsPerSecond, '-cid_str', 'whole-%u-%p@bench', '-nostdin'],
      ...['-trace_rtt', '-rtt_freq', 1, '-trace_err', '-error_file', 'errors.log'],
      ...['-trace_stat', '-stf', 'stat.csv', '-fd', '1s', '-timeout', `${Math.ceil(limitMs / 1000)}s`],
    ];
    this.child = spawn('sipp', args.map(String), { cwd: this.#folder, stdio: 'ignore' });
    this.ended = new Promise((resolve) => this.child.once('close', resolve)).then(() => {
      this.#over = true;
    });
    await new Promise((resolve, reject) => this.child.once('spawn', resolve).once('error', reject));
  }

  get pid() {
    return this.child.pid;
  }
  get isOver() {
    return this.#over;
  }

  /** Milliseconds from INVITE to 200 of every call answered so far, in their order. */
  times() {
    const name = readdirSync(this.#folder).find((each) => each.endsWith('_rtt.csv'));
    const rows = name ? this.#read(name).split('\n').slice(1, -1) : []; // the last one may not be whole
    return rows.map((row) => Number(row.split(';')[1]));
  }

  /** What went wrong first: a refusal, or whatever else sipp did not expect. */
  trouble() {
    const log = this.#read('errors.log');
    const [, status, text, rest] = /SIP\/2\.0 ([3-6]\d\d) ([^\r\n]*)([\s\S]*)/.exec(log) ?? [];
    if (status) return `${status} ${text}: ${/^Reason:.*?text="([^"]*)"/m.exec(rest)?.[1] ?? 'no reason given'}`;
    return /^.*?(Aborting call.*|[Tt]imeout.*|Unable.*)$/m.exec(log)?.[1];
  }

  /** sipp's own counts. */
  counts() {
    const [titles, ...rows] = this.#read('stat.csv')
      .trim()
      .split('\n')
      .map((row) => row.split(';'));
    const column = (title) => Number(rows.at(-1)?.[titles.indexOf(title)] ?? 0);
    return {
      placed: column('TotalCallCreated'),
      failed: column('FailedCall(C)'),
      repeated: column('Retransmissions(C)'),
    };
  }

  /** No more calls; those that are up stay so. */
  stop() {
    if (!this.#over) this.child.kill('SIGUSR1');
  }

  /** Hangs up call after call, in the order they came. */
  async hangUp(callsPerSecond, signal) {
    this.stop();
    const placed = Math.max(this.counts().placed, this.times().length); // its counts are a second old
    const socket = createSocket('udp4');
    try {
      const startMs = performance.now();
      for (let call = 1; call <= placed && !this.#over; call += 1) {
        socket.send(this.#hint(call), this.#port, this.host);
        const dueMs = startMs + (call * 1000) / callsPerSecond;
        if (dueMs > performance.now()) await sleep(dueMs - performance.now(), undefined, { signal });
      }
      await Promise.race([this.ended, sleep(LAST_BYES_MS, undefined, { signal, ref: false })]);
    } finally {
      socket.close();
    }
  }

  async close() {
    if (!this.#over) this.child.kill('SIGKILL');
    await this.ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #hint(call) {
    const at = `${this.host}:${this.#port}`;
    return [
      `INFO sip:bench@${at} SIP/2.0`,
      `Via: SIP/2.0/UDP ${at};branch=z9hG4bKover${call}`,
      `From: <sip:over@${at}>;tag=over`,
      `To: <sip:bench@${at}>`,
      `Call-ID: whole-${call}-${this.pid}@bench`,
      'CSeq: 1 INFO',
      'Content-Length: 0',
      '\r\n',
    ].join('\r\n');
  }

  #file(name) {
    return join(this.#folder, name);
  }
  #read(name) {
    try {
      return readFileSync(this.#file(name), 'latin1');
    } catch {
      return ''; // not written yet
    }
  }
}
