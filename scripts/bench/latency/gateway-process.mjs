import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bindFault } from '../../../dist/cli/checks/port-holders.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const HOST = '127.0.0.1';
const READY_MS_MAX = 60_000;
const RTP_PORTS = 4000;

/** A port that UDP and TCP can have, from `base` on. */
export async function freePort(base) {
  for (let port = base + 2 * Math.floor(Math.random() * 1000); port < 65_000; port += 2) {
    const faults = await Promise.all(['udp', 'tcp'].map((protocol) => bindFault(protocol, HOST, port)));
    if (faults.every((fault) => fault === undefined)) return port;
  }
  throw new Error('no free port');
}

/**
 * A whole gateway in a process of its own, with a data folder that is removed at the end.
 *
 * @param {Record<string, string>} more - added to its environment.
 * @param {string} host - where it listens.
 */
export async function startGateway(more = {}, host = HOST) {
  const dataDir = mkdtempSync(join(tmpdir(), 'nidaa-latency-'));
  const rtp = await freePort(40_000);
  const env = {
    ...process.env,
    ...{ NIDAA_HOST: host, NIDAA_DATA_DIR: dataDir, NIDAA_LOG_LEVEL: 'warn' },
    ...{ NIDAA_SIP_PORT: String(await freePort(16_000)), NIDAA_HTTP_PORT: String(await freePort(18_500)) },
    ...{ NIDAA_METRICS_PORT: String(await freePort(19_700)), NIDAA_RTP_PORTS: `${rtp}-${rtp + RTP_PORTS - 1}` },
    ...more,
  };
  const child = spawn(process.execPath, [join(ROOT, 'scripts/run.mjs'), 'main'], { env, cwd: ROOT });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log = (log + chunk).slice(-20_000);
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let ready = false;
  let welcome;
  const api = await new Promise((resolve, reject) => {
    let out = '';
    const fail = (why) => {
      child.kill('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
      reject(new Error(`the gateway did not start: ${why}\n${log}`));
    };
    const timer = setTimeout(() => fail('not ready in time'), READY_MS_MAX);
    void exited.then((code) => ready || fail(`exit code ${code}`));
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const found = /^READY .*api=(\S+)/m.exec(out);
      if (!found) return;
      ready = true;
      welcome = /\S+\/console\/welcome#\S+/.exec(out)?.[0];
      clearTimeout(timer);
      resolve(found[1]);
    });
  });
  return {
    ...{
      host,
      sipPort: Number(env.NIDAA_SIP_PORT),
      api,
      metrics: `http://${host}:${env.NIDAA_METRICS_PORT}/metrics`,
      pid: child.pid,
      log: () => log,
    },
    /** The one-time link that sets the first password. */
    welcome,
    uri: (number) => `sip:${number}@${host}:${env.NIDAA_SIP_PORT}`,
    /** What a command of the command line prints, as JSON. */
    nidaa: (...args) =>
      new Promise((resolve, reject) => {
        const program = [join(ROOT, 'scripts/run.mjs'), 'cli/nidaa', ...args, '--json'];
        execFile(process.execPath, program, { env, maxBuffer: 32e6 }, (error, stdout, stderr) =>
          error ? reject(new Error(stderr || error.message)) : resolve(JSON.parse(stdout)),
        );
      }),
    stop: async () => {
      child.kill('SIGTERM');
      const forced = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await exited;
      clearTimeout(forced);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
