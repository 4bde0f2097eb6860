/**
 * One whole gateway of `npm run bench:signalling`: all of it as it is shipped, but for its media plane, which carries nothing. Told by
 * messages what to say of itself.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { silentPlane } from './silent-plane.mjs';

const dist = (path) => import(new URL(`../../../dist/${path}.js`, import.meta.url));
const [{ startGateway }, { loadConfig }, { createLogger }] = await Promise.all(
  ['compose', 'config/load', 'core/logger'].map(dist),
);

const { env } = JSON.parse(process.env.SCALE_NODE);
const config = loadConfig({ env: { ...process.env, ...env } });
/** What goes wrong is to be seen. */
const logger = createLogger({ ...config.log, level: 'warn' });
const gateway = await startGateway(config, logger, 'bench', undefined, undefined, silentPlane);
await gateway.open();
await gateway.compileAgents();
await gateway.prepareAgents();
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

/** One figure of the gateway's own, with all its labels; 0 where it has none yet. */
function sum(text, name) {
  const rows = text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'));
  return [...rows].reduce((all, [, value]) => all + Number(value), 0);
}

const COMMANDS = {
  /** Since the last report. */
  report: async () => {
    const { user, system } = process.cpuUsage();
    const [loopP99Ms, loopMaxMs] = [delay.percentile(99) / 1e6, delay.max / 1e6];
    delay.reset();
    return {
      ...{ cpuMs: (user + system) / 1_000, loopP99Ms, loopMaxMs },
      rssMb: process.memoryUsage.rss() / 2 ** 20,
      heapMb: process.memoryUsage().heapUsed / 2 ** 20,
    };
  },
  counts: async () => {
    const text = await (await fetch(gateway.metricsAddress)).text();
    return {
      active: sum(text, 'nidaa_calls_active'),
      faults: sum(text, 'nidaa_journal_faults_total'),
      pendingSeconds: sum(text, 'nidaa_journal_oldest_seconds'),
    };
  },
  close: async () => {
    await gateway.close();
  },
};

process.on('message', async ({ command, number, ...more }) => {
  const result = await COMMANDS[command](more).catch((error) => ({ error: String(error?.stack ?? error) }));
  process.send({ number, result });
  if (command === 'close') process.disconnect();
});
process.on('disconnect', () => process.exit(0)); // Whoever began us is gone.
process.send({ ready: true });
