/**
 * The service that one adapter talks to, in a process of its own: `node stand-in.mjs FILE CLASS`. Prints the settings of the
 * adapter, and ends with its standard input.
 */
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const [file, name] = process.argv.slice(2);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const { module } = await runnerImport(`${root}test/support/${file}`, { root, configFile: false, logLevel: 'error' });
const server = await module[name].start();
server.key = 'sk-bench-0123456789';
process.stdout.write(`${JSON.stringify(server.settings ?? { baseUrl: server.url })}\n`);
process.stdin.once('end', () => process.exit(0)).resume();
