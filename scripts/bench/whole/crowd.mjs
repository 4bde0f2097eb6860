import { setTimeout as sleep } from 'node:timers/promises';
import { endingsOf } from '../soak/memory.mjs';
import { ProcessorTimes, residentBytes } from './processors.mjs';
import { SipCalls } from './sip-calls.mjs';
import { rank } from './table.mjs';

const LOOK_EVERY_MS = 250;
const SETTLE_MS = 1500;
const LOG_MS_MAX = 4000;
const HANG_UP_FASTER = 2; // than calls come
const QUIET_MS_MAX = 20_000;
const MB = 1024 * 1024;

/** One figure of the gateway's own; 0 where it has none yet. */
async function metric(gateway, name) {
  const text = await (await fetch(gateway.metrics)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
}

/** Why the gateway refused a call first, by its log, and what it warned of before. */
function refusalInLog(gateway) {
  const lines = gateway.log().split('\n').flatMap(parsed);
  const at = lines.findIndex(
    ({ msg, party, answered }) => msg?.startsWith('call refused') || (party === 'gateway' && answered === false),
  );
  const refused = lines[at];
  if (!refused) return undefined;
  const warning = lines.slice(0, at).findLast(({ level }) => level === 'warn' || level === 'error');
  const told = [
    refused.reason ?? refused.msg,
    refused.detail,
    warning && `${warning.msg} ${warning.error ?? ''}`.trim(),
  ];
  return told.filter((each) => each !== undefined).join('; ');
}

/** A line of the log; the first one that is left may have lost its beginning. */
function parsed(line) {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** Many calls with audio both ways: they come one after the other, stay up, and hang up. */
export class Crowd {
  #rtp;
  #sip;
  #times;
  #timesTold = 0;
  #unheardTold = 0;
  #lostBefore;
  #refused;
  #restBytes;
  constructor(gateway, signal) {
    this.gateway = gateway;
    this.signal = signal;
  }

  /** @param holdMs - how long they may stay up once they are, at most. */
  async start(program, { calls, callsPerSecond, holdMs }) {
    this.calls = calls;
    this.callsPerSecond = callsPerSecond;
    this.rampMs = (calls * 1000) / callsPerSecond;
    this.#restBytes = residentBytes(this.gateway.pid);
    this.#lostBefore = await metric(this.gateway, 'nidaa_rtp_lost_packets_total');
    this.#rtp = await program.start(calls);
    const { ports } = this.#rtp;
    const limitMs = Math.ceil(2 * this.rampMs + holdMs + 60_000);
    this.#sip = await SipCalls.start(this.gateway, { ports, callsPerSecond, limitMs });
    this.#times = new ProcessorTimes(this.gateway.pid, { sipp: this.#sip.pid, rtp: this.#rtp.pid, bench: process.pid });
  }

  get ports() {
    return { min: this.#rtp.ports[0], max: this.#rtp.ports.at(-1) + 1 };
  }

  /**
   * Lets calls come until all are up, one is refused or a packet is lost.
   *
   * @param onRow - is told of every `rowCalls` more.
   * @returns why no more came, and how many were up then.
   */
  async grow(rowCalls, onRow) {
    const untilMs = performance.now() + 1.5 * this.rampMs + 20_000;
    let next = rowCalls;
    for (;;) {
      await sleep(LOOK_EVERY_MS, undefined, { signal: this.signal });
      const look = await this.#rtp.look();
      this.#refused ??= refusalInLog(this.gateway); // its log is kept for a second or so
      const why = this.#whyNoMore(look, performance.now() > untilMs);
      if (why === undefined && look.up < next) continue;
      await onRow(await this.row());
      next += rowCalls;
      if (why === undefined) continue;
      this.#sip.stop();
      return { why: await this.#reasonOf(why), up: look.up };
    }
  }

  /** Those that are up stay so for `ms`; how that was. */
  async hold(ms) {
    await sleep(SETTLE_MS, undefined, { signal: this.signal }); // the last ones hear their greeting begin
    await this.row();
    await sleep(ms, undefined, { signal: this.signal });
    return this.row();
  }

  /** What came since the last row. */
  async row() {
    const used = this.#times.take();
    const window = await this.#rtp.window();
    const times = this.#sip.times().slice(this.#timesTold);
    this.#timesTold += times.length;
    const unheard = window.unheard - this.#unheardTold;
    this.#unheardTold = window.unheard;
    const grown = residentBytes(this.gateway.pid) - this.#restBytes;
    const tickP99Ms = 1000 * (await metric(this.gateway, 'nidaa_media_tick_lateness_p99_seconds'));
    return { ...window, unheard, setup: rank(times), used, tickP99Ms, mbEach: grown / MB / Math.max(1, window.up) };
  }

  /** Hangs up. @returns set-up times, counts of both sides, and what the gateway says of the calls. */
  async leave() {
    await this.#sip.hangUp(this.callsPerSecond * HANG_UP_FASTER, this.signal);
    const untilMs = performance.now() + QUIET_MS_MAX;
    while ((await metric(this.gateway, 'nidaa_calls_active')) > 0 && performance.now() < untilMs) {
      await sleep(LOOK_EVERY_MS, undefined, { signal: this.signal });
    }
    const lost = (await metric(this.gateway, 'nidaa_rtp_lost_packets_total')) - this.#lostBefore;
    const sip = this.#sip.counts();
    return {
      ...{ times: this.#sip.times(), lost, sip, rtp: await this.#rtp.end() },
      endings: await endingsOf(this.gateway),
    };
  }

  /** Ends the programs, whatever became of them. */
  async close() {
    await this.#sip?.close();
    await this.#rtp?.end();
  }

  /** A busy gateway writes of a refusal only when it has done with the call. */
  async #reasonOf(why) {
    const untilMs = performance.now() + (this.#sip.trouble() ? LOG_MS_MAX : 0);
    while (this.#refused === undefined && performance.now() < untilMs) {
      await sleep(LOOK_EVERY_MS, undefined, { signal: this.signal });
      this.#refused = refusalInLog(this.gateway);
    }
    return this.#refused === undefined ? why : `${why} (the gateway: ${this.#refused})`;
  }

  #whyNoMore({ up, heardCalls, lost, unheard }, late) {
    const trouble = this.#sip.trouble();
    if (trouble) return `sipp was told ${trouble}`;
    if (lost > 0) return `the first ${lost} packets to callers are missing`;
    if (unheard > 0) return `the gateway misses the first ${unheard} packets of callers`;
    if (heardCalls >= this.calls) return `all ${this.calls} are up`;
    if (up < heardCalls) return `${heardCalls - up} calls ended by themselves`;
    if (this.#sip.isOver) return 'sipp ended';
    return late ? 'it took too long' : undefined;
  }
}
