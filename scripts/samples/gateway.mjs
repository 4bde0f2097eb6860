import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** A gateway to run the samples against: that of the environment, or one of our own. */
const READY_MS_MAX = 60_000;
const CLOSE_MS_MAX = 20_000;
const RTP_PORTS = 40;

/**
 * @param {string} root - folder of the project, built.
 * @param {string} dataDir - where a gateway of our own keeps its data.
 * @param {AbortSignal} signal - ends the gateway while it starts.
 * @returns {Promise<{ url: string, token: string, close: () => Promise<void> }>}
 */
export async function gatewayFor(root, dataDir, signal) {
  const { NIDAA_URL: url, NIDAA_TOKEN: token } = process.env;
  if (url && token) return { url: url.replace(/\/+$/, ''), token, close: async () => {} };
  if (url || token) throw new Error('set both NIDAA_URL and NIDAA_TOKEN, or neither');
  const rtp = 12_000 + 2 * Math.floor(Math.random() * 9_000);
  const child = spawn(process.execPath, ['--enable-source-maps', join(root, 'scripts/run.mjs'), 'main'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // Ctrl+C reaches the whole group of the terminal; this one is ended by us, when nothing needs it.
    env: {
      ...process.env,
      ...{ NIDAA_HOST: '127.0.0.1', NIDAA_DATA_DIR: dataDir, NIDAA_RTP_PORTS: `${rtp}-${rtp + RTP_PORTS - 1}` },
      ...{ NIDAA_SIP_PORT: String(await freePort()), NIDAA_HTTP_PORT: String(await freePort()) },
    },
  });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log = (log + chunk).slice(-8_000);
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const close = async () => {
    if (child.exitCode === null) child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), CLOSE_MS_MAX);
    await exited;
    clearTimeout(late);
  };
  signal.addEventListener('abort', close, { once: true });
  try {
    return { ...(await ready(child, exited, () => log)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function ready(child, exited, log) {
  return new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`the gateway did not start: ${why}\n${log()}`));
    const timer = setTimeout(() => fail('no READY line in time'), READY_MS_MAX);
    exited.then((code) => {
      clearTimeout(timer);
      fail(`it ended with ${code}`);
    });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
      const [, url, token] = /^READY .*api=(\S+) token=(\S+)/m.exec(out) ?? [];
      if (!url) return;
      clearTimeout(timer);
      resolve({ url, token });
    });
  });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
