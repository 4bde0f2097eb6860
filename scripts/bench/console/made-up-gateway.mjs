/**
 * The built console, served by the gateway's own code, above a management API that answers from here: calls of any number that
 * go on, with their levels ten times a second and their words as they are recognised, and one of an hour that is over.
 */
import Fastify from 'fastify';
import { consoleFiles } from '../../../dist/manage/console-files.js';

/** Levels are told that often. */
const TICK_MS = 100;
const INTERIM_EVERY_MS = 250;
const TURN_EVERY_MS = 4_000;
const HOUR_MS = 3_600_000;
/** As many as the recording of an hour has. */
const PEAK_PAIRS = 10_800;
const SENTENCES = [
  'where is my order, I have been waiting since this morning',
  'can you tell me when the driver comes',
  'أبغى أغير عنوان التوصيل لو سمحت',
  'no, the other number, the one that ends in seven',
];
const STARTED_MS = Date.now();
const iso = (ms) => new Date(ms).toISOString();

const eventOf = (type, data) => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

/**
 * @param calls - that go on.
 * @param isPushed - what happens on them is told when `push` asks for so many tenths of a second of it, as fast as it is read.
 * @returns its address, `push`, and `close`.
 */
export async function startMadeUpGateway(calls, isPushed = false) {
  const pushed = new Pushed(calls);
  const app = Fastify({ forceCloseConnections: true });
  await consoleFiles(app);
  for (const [path, answer] of Object.entries(answersOf(calls))) app.get(`/manage/v1${path}`, async () => answer);
  app.get('/manage/v1/live', (request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    reply.raw.write(': open\n\n');
    if (request.query.levels === undefined) return;
    if (isPushed) return pushed.to(reply.raw);
    reply.raw.once(
      'close',
      inRealTime(calls, (type, data) => reply.raw.write(eventOf(type, data))),
    );
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, push: (ticks) => pushed.push(ticks), close: () => app.close() };
}

const page = (items) => ({ items, next: null });
const headOf = (id, more) => ({
  ...{ id, sip_call_id: `sip-${id}`, direction: 'inbound', agent_id: 'agt_bench', agent: 'Swift Delivery' },
  ...{ agent_version: 1, from: '+966501234567', to: '1000', source: null, talk_ms: 0, end: null },
  ...{ answered_by: null, cost_cents: 0, recording: null, erased_at: null, ended_at: null, ...more },
});
const liveCall = (_, n) =>
  headOf(`call_${n}`, {
    ...{ from: `+9665000${10_000 + n}`, started_at: iso(STARTED_MS - n * 7_000) },
    answered_at: iso(STARTED_MS - n * 7_000 + 900),
  });

function answersOf(calls) {
  const days = Array.from({ length: 7 }, (_, n) => ({
    ...{ day: iso(STARTED_MS - (6 - n) * 86_400_000).slice(0, 10), calls: 40 + n, answered: 38 + n },
    ...{ judged_turns: 300, understood_turns: 280, understood_percent: 93.3 },
  }));
  return {
    '/session': {
      ...{ id: 'per_bench', kind: 'person', name: 'bench@example.com', role: 'owner', account_id: 'acc_bench' },
      scopes: ['read', 'agents', 'calls', 'account'],
    },
    '/account': { balance_alert_cents: null },
    '/overview': {
      ...{ at: iso(STARTED_MS), time_zone: 'Asia/Riyadh', calls: { live: calls, today: 46, days } },
      understood_percent: 93.3,
      last_day: {
        calls: 46,
        answers: { count: 300, p50_ms: 640, p95_ms: 1_200 },
        mos: { calls: 46, median: 4.3, worst: 3.9, worst_call_id: 'hour' },
      },
      money: {
        ...{ spent_today_cents: 420, spent_month_cents: 9_100, balance_cents: 50_000 },
        ...{ reserved_cents: 100, available_cents: 49_900 },
      },
      ...{ trunks: [{ id: 'trk_1', name: 'carrier', state: 'up', registration: null }], problems: [] },
      checklist: [{ item: 'call-understood', done: true }],
    },
    '/calls': page(Array.from({ length: calls }, liveCall)),
    '/orders': page([]),
    '/agents': page([]),
    '/calls/hour': hourOfCall(),
    '/calls/hour/peaks': { version: 1, sample_rate: 8_000, seconds: HOUR_MS / 1_000, channels: [peaks(0), peaks(1)] },
    '/calls/hour/ladder': { items: [] },
  };
}

/** A turn each four seconds, in turns. */
function hourOfCall() {
  const turns = Array.from({ length: HOUR_MS / TURN_EVERY_MS }, (_, index) => {
    const isAgent = index % 2 === 1;
    return {
      ...{ index, role: isAgent ? 'agent' : 'caller', text: SENTENCES[index % SENTENCES.length] },
      ...{ started_ms: index * TURN_EVERY_MS, heard_ms: 2_800, latency_ms: isAgent ? 500 + (index % 30) * 50 : null },
    };
  });
  const none = { slots: {}, withheld: {}, transfers: [], quality: null, quality_over_time: null, variables: null };
  const made = {
    outcome: null,
    outcome_label: null,
    summary: null,
    fields: [],
    analysis: null,
    recording_answer_ms: 0,
  };
  return {
    ...headOf('hour', { started_at: iso(STARTED_MS - HOUR_MS), answered_at: iso(STARTED_MS - HOUR_MS) }),
    ...{ ended_at: iso(STARTED_MS), talk_ms: HOUR_MS, end: { party: 'caller', reason: 'caller-hangup' } },
    ...{ recording: 'ready', dtmf: '', keys: [], cost_lines: [], turns, ...none, ...made },
    answers: { count: turns.length / 2, p50_ms: 640, p95_ms: 1_200 },
  };
}

const peaks = (side) =>
  Array.from({ length: PEAK_PAIRS }, (_, n) => {
    const isLoud = Math.floor((n * 3_600) / PEAK_PAIRS / 4) % 2 === side;
    const loud = isLoud ? 0.15 + 0.6 * Math.abs(Math.sin(n * 0.7) * Math.cos(n * 0.13)) : 0.005;
    return [-loud, loud * 0.9];
  });

/** What happens on the calls within the tenth of a second `tick`, to whoever is told by `send`. */
function tell(calls, tick, send) {
  const idOf = (n) => `call_${n}`;
  const db = (n, side) => (Math.floor(tick / 30 + n) % 2 === side ? -12 - ((tick * 7 + n * 13) % 17) : -90);
  const levels = Array.from({ length: calls }, (_, n) => [idOf(n), [db(n, 0), db(n, 1)]]);
  send('call.levels', { levels: Object.fromEntries(levels) });
  const words = Math.floor((tick * TICK_MS) / INTERIM_EVERY_MS);
  // Half of them talk.
  for (let n = words % 2; n < calls && isBegun(tick, INTERIM_EVERY_MS); n += 2) {
    const all = SENTENCES[n % SENTENCES.length].split(' ');
    send('call.interim', { id: idOf(n), text: all.slice(0, 1 + (words % all.length)).join(' ') });
  }
  const turn = turnAt(tick);
  const role = turn % 2 === 0 ? 'agent' : 'caller';
  for (let n = 0; n < calls && isBegun(tick, TURN_EVERY_MS); n += 1) {
    const text = `${SENTENCES[(n + turn) % SENTENCES.length]} (${turn})`;
    const times = { started_ms: turn * TURN_EVERY_MS, heard_ms: 2_000, latency_ms: null };
    send('call.turn', { id: idOf(n), index: turn, role, text, ...times });
  }
}

/** Whether something that happens every so often happens in this tick. */
const isBegun = (tick, everyMs) =>
  Math.floor((tick * TICK_MS) / everyMs) > Math.floor(((tick - 1) * TICK_MS) / everyMs);
const turnAt = (tick) => Math.floor((tick * TICK_MS) / TURN_EVERY_MS);

/** As it happens. @returns what ends it. */
function inRealTime(calls, send) {
  let tick = 0;
  const timer = setInterval(() => {
    tick += 1;
    tell(calls, tick, send);
  }, TICK_MS);
  return () => clearInterval(timer);
}

/** As fast as it is read, when it is asked for. */
class Pushed {
  #stream;
  #tick = 0;
  #opened = () => undefined;
  constructor(calls) {
    this.calls = calls;
  }

  /** The page that is told: the latest one that asked for levels. */
  to(stream) {
    this.#stream = stream;
    stream.setMaxListeners(0);
    this.#opened();
  }

  /** @returns words that a caller says at last: the page has read everything when it shows them. */
  async push(ticks) {
    for (let n = 0; n < ticks; n += 1) {
      const stream = await this.#open();
      this.#tick += 1;
      const told = [];
      tell(this.calls, this.#tick, (type, data) => told.push(eventOf(type, data)));
      if (!stream.write(told.join(''))) await firstOf(stream, ['drain', 'close']);
    }
    const text = `so far: ${this.#tick}`;
    const told = { index: turnAt(this.#tick), role: 'caller', text, started_ms: this.#tick * TICK_MS };
    const stream = await this.#open();
    stream.write(eventOf('call.turn', { id: 'call_1', heard_ms: 2_000, latency_ms: null, ...told }));
    return text;
  }

  /** A page that leaves comes back by another stream. */
  async #open() {
    while (this.#stream === undefined || this.#stream.destroyed) {
      await new Promise((resolve) => {
        this.#opened = resolve;
      });
    }
    return this.#stream;
  }
}

function firstOf(stream, events) {
  return new Promise((resolve) => {
    const done = () => {
      for (const event of events) stream.off(event, done);
      resolve();
    };
    for (const event of events) stream.on(event, done);
  });
}
