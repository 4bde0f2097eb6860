import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readWav } from '../../src/audio/wav.ts';
import { type PhoneFolder, phoneFolder } from '../support/baresip.ts';
import { hasCommand, microphone } from '../support/caller-voice.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { Heard } from '../support/heard.ts';
import { canMakeNetworks, Network } from '../support/networks.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { amplitudeAt, tone } from '../support/tones.ts';

const ready = hasCommand('baresip') && hasCommand('espeak-ng') && hasCommand('nsenter') && canMakeNetworks();
if (!ready) console.warn('\n!!! 0.0.0.0 IS NOT TESTED: no network namespaces, baresip or espeak-ng here !!!\n');

const CALL_SECONDS_MAX = 60;
const SIP_PORT = 5060;

/** `hz`: what the phone says now and then. `reaches`: the only address of the gateway that it has a way to. */
const PHONES = [
  { name: 'on the first network', address: '10.71.1.2', reaches: '10.71.1.1', hz: 500 },
  { name: 'on the second network', address: '10.72.1.2', reaches: '10.72.1.1', hz: 900 },
  { name: 'behind a router', address: '10.73.1.2', reaches: '10.72.1.1', hz: 1300 },
] as const;

/** Two seconds of a tone, and a pause in which the agent can speak. */
function said(hz: number): Int16Array {
  const bursts = [5, 20, 35, 50].map((atS) => ({ atS, samples: tone(hz, 2 * 8000) }));
  return microphone(CALL_SECONDS_MAX, ...bursts);
}

/** Lets the phone call until `isDone`. */
async function call(network: Network, folder: PhoneFolder, target: string, isDone: () => boolean): Promise<void> {
  const phone = ['baresip', '-s', '-f', folder.path, '-t', String(CALL_SECONDS_MAX), '-e', `/dial sip:1000@${target}`];
  const [program = '', ...args] = [...network.within, ...phone];
  const child = spawn(program, args, { stdio: ['ignore', folder.log, folder.log] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  while (child.exitCode === null && !isDone()) await sleep(500); // The phone ends by itself.
  child.kill('SIGTERM'); // It hangs up.
  await ended;
}

/** Seconds of sound that a phone heard; its file says how long it is only when it is closed. */
function heardSeconds({ path }: PhoneFolder): number {
  const name = readdirSync(join(path, 'rec')).find((each) => each.endsWith('-dec.wav'));
  const bytes = name === undefined ? Buffer.alloc(44) : readFileSync(join(path, 'rec', name));
  const samples = Int16Array.from({ length: (bytes.length - 44) >> 1 }, (_, i) => bytes.readInt16LE(44 + 2 * i));
  return new Heard(samples, 8000).voicedSeconds();
}

/** Whether the gateway recorded a tone on any call. */
function recorded(gateway: Gateway, hz: number): boolean {
  const folder = join(gateway.dataDir, 'recordings');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.wav'))
    .some((name) => {
      const wav = readWav(readFileSync(join(folder, name)));
      if (typeof wav === 'string') return false;
      const caller = wav.channels[0]!;
      const seconds = Array.from({ length: Math.floor(caller.length / 8000) }, (_, i) =>
        caller.subarray(i * 8000, (i + 1) * 8000),
      );
      return seconds.some((samples) => amplitudeAt(samples, hz) > 0.05);
    });
}

describe.skipIf(!ready)('a gateway that listens on every address', () => {
  const networks: Network[] = [];
  const folders: PhoneFolder[] = [];
  const config = configFolder({ 'nidaa.yaml': '{}\n', ...GREETER });
  let gateway: Gateway;

  beforeAll(async () => {
    for (let count = 0; count < 1 + PHONES.length; count += 1) networks.push(await new Network().open());
    const [home, first, second, third] = networks as [Network, Network, Network, Network];
    home.join(first, '10.71.1.1/24', '10.71.1.2/24');
    home.join(second, '10.72.1.1/24', '10.72.1.2/24');
    second.join(third, '10.73.1.1/24', '10.73.1.2/24');
    second.run(['sh', '-c', 'echo 1 >/proc/sys/net/ipv4/ip_forward']);
    home.ip('route add 10.73.1.0/24 via 10.72.1.2');
    third.ip('route add 10.72.1.0/24 via 10.73.1.1'); // and no way to the first network
    gateway = await startGateway({
      within: home.within,
      databaseUrl: await sharedDatabase(inject('postgresDesk')),
      env: {
        NIDAA_HOST: '0.0.0.0',
        NIDAA_SIP_ANONYMOUS: 'true',
        NIDAA_SIP_PORT: String(SIP_PORT),
        NIDAA_CONFIG: join(config.dir, 'nidaa.yaml'),
      },
    });
    for (const { address, hz } of PHONES) {
      folders.push(phoneFolder({ address, microphone: said(hz), seconds: CALL_SECONDS_MAX }));
    }
    await Promise.all(
      PHONES.map(({ reaches, hz }, index) => {
        const folder = folders[index]!;
        const isDone = (): boolean => heardSeconds(folder) > 1 && recorded(gateway, hz);
        return call(networks[index + 1]!, folder, `${reaches}:${SIP_PORT}`, isDone);
      }),
    );
  }, 150_000);
  afterAll(async () => {
    await gateway?.dispose();
    config.remove();
    for (const network of networks) network.close();
    for (const { path } of folders) rmSync(path, { recursive: true, force: true });
  });

  it.each(PHONES.map((phone, index) => ({ ...phone, index })))(
    'tells the phone $name the address that it called, and both hear each other',
    ({ index, reaches, hz }) => {
      const log = readFileSync(join(folders[index]!.path, 'log'), 'utf8');
      const answer = log.slice(log.indexOf('SIP/2.0 200'));
      expect(/^Contact: <sip:(?:[^@>]*@)?([^:>;]+)/m.exec(answer)?.[1]).toBe(reaches);
      expect(/^c=IN IP4 (\S+)/m.exec(answer)?.[1]).toBe(reaches);
      expect(heardSeconds(folders[index]!)).toBeGreaterThan(1);
      expect(recorded(gateway, hz)).toBe(true);
    },
  );
});
