/**
 * The service that one adapter talks to, in a process of its own: `node stand-in.mjs FILE CLASS`. Prints the settings of the
 * adapter, then for every line of its standard input what it took since the last one:
 * `{ share, lateMs }`, of a core, and how late it ran at most. Ends with that input.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

/** Of the clock that tells how late it runs. */
const DELAY_STEP_MS = 5;
const [file, name] = process.argv.slice(2);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const { module } = await runnerImport(`${root}test/support/${file}`, { root, configFile: false, logLevel: 'error' });
const server = await module[name].start();
server.key = 'sk-bench-0123456789';
process.stdout.write(`${JSON.stringify(server.settings ?? { baseUrl: server.url })}\n`);

const delay = monitorEventLoopDelay({ resolution: DELAY_STEP_MS });
delay.enable();
let since = { cpu: process.cpuUsage(), ms: performance.now() };
const lines = createInterface({ input: process.stdin });
lines.on('line', () => {
  const { user, system } = process.cpuUsage(since.cpu);
  const share = (user + system) / 1000 / (performance.now() - since.ms);
  process.stdout.write(`${JSON.stringify({ share, lateMs: Math.max(0, delay.max / 1e6 - DELAY_STEP_MS) })}\n`);
  delay.reset();
  since = { cpu: process.cpuUsage(), ms: performance.now() };
});
lines.on('close', () => process.exit(0));
