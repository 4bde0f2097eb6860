import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PhoneFolder, phoneFolder } from '../support/baresip.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { Heard } from '../support/heard.ts';
import { canMakeNetworks, Network } from '../support/networks.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

const ready = hasCommand('baresip') && hasCommand('espeak-ng') && hasCommand('nsenter') && canMakeNetworks();
if (!ready) console.warn('\n!!! 0.0.0.0 IS NOT TESTED: no network namespaces, baresip or espeak-ng here !!!\n');

/** A call lasts until this much was heard on it, and on a slow machine at most so long. */
const HEARD_BYTES = 8000 * 2 * 4;
const CALL_SECONDS_MAX = 60;
const SIP_PORT = 5060;

/** `hz`: what the phone says all the time. `reaches`: the only address of the gateway that it has a way to. */
const PHONES = [
  { name: 'on the first network', address: '10.71.1.2', reaches: '10.71.1.1', hz: 500 },
  { name: 'on the second network', address: '10.72.1.2', reaches: '10.72.1.1', hz: 900 },
  { name: 'behind a router', address: '10.73.1.2', reaches: '10.72.1.1', hz: 1300 },
] as const;

async function call(network: Network, folder: PhoneFolder, target: string): Promise<void> {
  const phone = ['baresip', '-s', '-f', folder.path, '-t', String(CALL_SECONDS_MAX), '-e', `/dial sip:1000@${target}`];
  const [program = '', ...args] = [...network.within, ...phone];
  const child = spawn(program, args, { stdio: ['ignore', folder.log, folder.log] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const isDone = (): boolean => child.exitCode !== null || heardBytes(folder.path) >= HEARD_BYTES;
  await until(isDone, `the phone at ${target} hears something`, CALL_SECONDS_MAX * 1000);
  child.kill('SIGTERM'); // It hangs up.
  await ended;
}

const heardFile = (path: string): string | undefined =>
  readdirSync(join(path, 'rec')).find((name) => name.endsWith('-dec.wav'));
function heardBytes(path: string): number {
  const name = heardFile(path);
  return name === undefined ? 0 : statSync(join(path, 'rec', name)).size;
}

describe.skipIf(!ready)('a gateway that listens on every address', () => {
  const networks: Network[] = [];
  const folders: PhoneFolder[] = [];
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
      env: { NIDAA_HOST: '0.0.0.0', NIDAA_SIP_PORT: String(SIP_PORT) },
    });
    for (const { address, hz } of PHONES) {
      folders.push(phoneFolder({ address, microphone: tone(hz, 8000 * CALL_SECONDS_MAX), seconds: CALL_SECONDS_MAX }));
    }
    await Promise.all(
      PHONES.map(({ reaches }, index) => call(networks[index + 1]!, folders[index]!, `${reaches}:${SIP_PORT}`)),
    );
  });
  afterAll(async () => {
    await gateway?.dispose();
    for (const network of networks) network.close();
    for (const { path } of folders) rmSync(path, { recursive: true, force: true });
  });

  it.each(PHONES.map((phone, index) => ({ ...phone, index })))(
    'tells the phone $name the address that it called, and is heard there',
    ({ index, reaches }) => {
      const { path } = folders[index]!;
      const log = readFileSync(join(path, 'log'), 'utf8');
      const answer = log.slice(log.indexOf('SIP/2.0 200'));
      expect(/^Contact: <sip:(?:[^@>]*@)?([^:>;]+)/m.exec(answer)?.[1]).toBe(reaches);
      expect(/^c=IN IP4 (\S+)/m.exec(answer)?.[1]).toBe(reaches);
      const recorded = heardFile(path);
      expect(recorded).toBeDefined();
      expect(Heard.file(join(path, 'rec', recorded!)).voicedSeconds()).toBeGreaterThan(0.3);
    },
  );

  it('hears all of them', () => {
    const folder = join(gateway.dataDir, 'recordings');
    const heard = readdirSync(folder)
      .filter((name) => name.endsWith('.wav'))
      .map((name) => Heard.file(join(folder, name)).samples);
    for (const { name, hz } of PHONES) {
      expect({ name, heard: heard.some((samples) => amplitudeAt(samples, hz) > 0.05) }).toEqual({ name, heard: true });
    }
  });
});
