import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './gateway.ts';
import { freeSipPort, freeTcpPort } from './ports.ts';
import { UdpCaller } from './udp-caller.ts';
import { until } from './until.ts';

/** What stands in front of several gateways, as docker/ has it. */
export interface FrontDoor {
  readonly port: number;
  log(): string;
  close(): Promise<void>;
}

const READY_MS_MAX = 30_000;

/** The final answer to a request outside of a call; undefined: none. */
export async function askedBySip(port: number, method: string): Promise<number | undefined> {
  const caller = await new UdpCaller(port).open();
  try {
    caller.sendRequest(method, { uri: `sip:1000@127.0.0.1:${port}` });
    return (await caller.final(method).catch(() => undefined))?.status;
  } finally {
    caller.close();
  }
}

/** Kamailio with docker/kamailio, that knows these gateways and takes calls of this machine. */
export async function startShippedKamailio(sipPorts: readonly number[]): Promise<FrontDoor> {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-kamailio-'));
  cpSync(join(ROOT, 'docker/kamailio'), folder, { recursive: true });
  writeFileSync(join(folder, 'dispatcher.list'), sipPorts.map((port) => `1 sip:127.0.0.1:${port} 0 0\n`).join(''));
  const port = await freeSipPort();
  const args = ['-DD', '-E', '-f', join(folder, 'kamailio.cfg'), '-w', folder, '-Y', folder, '-m', '32', '-M', '8'];
  const listening = ['-l', `udp:127.0.0.1:${port}`, '-l', `tcp:127.0.0.1:${port}`];
  const door = opened('kamailio', [...args, ...listening], port, folder);
  await until(
    async () => (await askedBySip(port, 'OPTIONS')) === 200,
    () => `kamailio finds a gateway\n${door.log()}`,
    READY_MS_MAX,
  );
  return door;
}

/** HAProxy with docker/haproxy, that knows these gateways by their addresses. */
export async function startShippedHaproxy(apis: readonly string[]): Promise<FrontDoor> {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-haproxy-'));
  const port = await freeTcpPort();
  const settings = readFileSync(join(ROOT, 'docker/haproxy/haproxy.cfg'), 'utf8');
  writeFileSync(join(folder, 'haproxy.cfg'), settings.replace('bind :8080', `bind 127.0.0.1:${port}`));
  const servers = apis.map((api, n) => `    server gateway-${n + 1} ${new URL(api).host}\n`);
  writeFileSync(join(folder, 'gateways.cfg'), `backend gateways\n${servers.join('')}`);
  const files = ['haproxy.cfg', 'gateways.cfg'].flatMap((name) => ['-f', join(folder, name)]);
  const door = opened('haproxy', ['-W', '-db', ...files], port, folder);
  const answers = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(answers, () => `haproxy finds a gateway\n${door.log()}`, READY_MS_MAX);
  return door;
}

/** A program with its own processes, in the foreground. */
function opened(command: string, args: readonly string[], port: number, folder: string): FrontDoor {
  const child: ChildProcess = spawn(command, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log += String(chunk);
  });
  const gone = new Promise((resolve) => child.once('close', resolve));
  return {
    port,
    log: () => log,
    close: async () => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
        process.kill(-child.pid, 'SIGKILL');
        await gone;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
