/** The callers of `npm run bench:signalling`, in a process of their own: told by messages whom to call and when to leave. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { SipCallers } from './sip-caller.mjs';

const { ports, numbers, sessionSeconds } = JSON.parse(process.env.SCALE_NODE);
const callers = new SipCallers();
await callers.open();
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

/** Does `act` with every one of `all`, so many a second. */
async function evenly(all, perSecond, act) {
  const startMs = performance.now();
  for (const [at, one] of all.entries()) {
    const waitMs = startMs + (at * 1_000) / perSecond - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    act(one);
  }
}

const count = (state) => callers.calls.filter((call) => call.state === state).length;

/** @param share - of the sorted `times`. */
const rank = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];

const COMMANDS = {
  dial: async ({ count: wanted, perSecond }) => {
    const from = callers.calls.length;
    const all = Array.from({ length: wanted }, (_, at) => from + at);
    await evenly(all, perSecond, (n) =>
      callers.dial(ports[n % ports.length], numbers[Math.floor(n / ports.length) % numbers.length], sessionSeconds),
    );
  },
  /** How it stands, and how long `count` calls from `first` on took to be set up. */
  progress: async ({ first, count: wanted }) => {
    const times = callers.calls
      .slice(first, first + wanted)
      .flatMap(({ setupMs }) => setupMs ?? [])
      .sort((a, b) => a - b);
    const [p50, p95, p99, most] = [0.5, 0.95, 0.99, 1].map((share) => rank(times, share));
    return { placed: callers.calls.length, dialling: count('dialling'), up: count('up'), p50, p95, p99, most };
  },
  abandon: async ({ port }) => {
    const theirs = callers.calls.filter((call) => call.port === port && call.state !== 'over');
    for (const call of theirs) call.abandon();
    return theirs.length;
  },
  hangUp: async ({ perSecond }) => {
    const all = callers.calls.filter(({ state }) => state === 'up');
    await evenly(all, perSecond, (call) => call.hangUp());
  },
  probe: async ({ perSecond, port: besides }) => {
    const all = callers.calls.filter(({ upAtMs, port }) => upAtMs && port !== besides);
    await evenly(all, perSecond, (call) => call.probe());
  },
  /** Calls for whose end is waited. */
  left: async () => callers.calls.filter(({ state }) => state !== 'over').length,
  ends: async () => {
    const ends = {};
    for (const { end } of callers.calls) ends[end ?? 'none'] = (ends[end ?? 'none'] ?? 0) + 1;
    return { ends, counts: callers.counts, loopP99Ms: delay.percentile(99) / 1e6 };
  },
  calls: async () =>
    callers.calls.map(({ id, upAtMs, overAtMs, end }) => ({ id, end, upMs: upAtMs && overAtMs - upAtMs })),
  close: async () => callers.close(),
};

process.on('message', async ({ command, number, ...more }) => {
  const result = await COMMANDS[command](more).catch((error) => ({ error: String(error?.stack ?? error) }));
  process.send({ number, result });
  if (command === 'close') process.disconnect();
});
process.on('disconnect', () => process.exit(0)); // Whoever began us is gone.
process.send({ ready: true });
