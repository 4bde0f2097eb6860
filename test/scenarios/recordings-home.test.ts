import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { readWav, type WavAudio } from '../../src/audio/wav.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, nidaa, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { temporaryFolder } from '../support/postgres-store.ts';
import { S3_KEYS, S3Server } from '../support/s3-server.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const TONE_HZ = 440;
const HEARD_PACKETS = 100; // two seconds

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** A gateway among others, with its recordings encrypted, as G.711, in a storage. */
async function node(databaseUrl: string, { settings }: S3Server): Promise<Gateway> {
  const { endpoint, region, bucket } = settings;
  const s3 = `{ bucket: ${bucket}, region: ${region}, endpoint: "${endpoint}", addressing: path, prefix: nidaa/,
    accessKeyEnv: TEST_ACCESS, secretKeyEnv: TEST_SECRET }`;
  const recordings = `recordings:\n  home: s3\n  archive: g711\n  encryption: { keyEnv: TEST_KEY }\n  s3: ${s3}\n`;
  const folder = configFolder({ ...GREETER, 'nidaa.yaml': recordings });
  open.push(() => folder.remove());
  const dataDir = temporaryFolder();
  open.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const gateway = await startGateway({
    ...{ dataDir, databaseUrl },
    env: {
      ...{ NIDAA_CONFIG: `${folder.dir}/nidaa.yaml`, NIDAA_SECRET_KEY: 'ab'.repeat(32) },
      ...{ TEST_ACCESS: S3_KEYS.accessKeyId, TEST_SECRET: S3_KEYS.secretAccessKey },
      TEST_KEY: Buffer.alloc(32, 3).toString('hex'),
    },
  });
  open.push(() => gateway.stop('SIGKILL'));
  return gateway;
}

async function call({ sip, sipPort }: Gateway): Promise<void> {
  const phone = await VoicePhone.open(sipPort);
  open.push(() => phone.close());
  await phone.call(sip, TONE_HZ);
  await until(() => phone.audio.heard.length >= HEARD_PACKETS, 'the agent is heard');
  await phone.hangUp();
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly place: string;
  readonly state: string | null;
}
const rowsOf = (place: Gateway): Promise<readonly Row[]> =>
  withStore(place, async ({ pool }) => {
    const { rows } = await pool.query<Row>(
      `SELECT c.id, r.name, r.place, c.recording_state AS state FROM calls c JOIN recordings r ON r.call_id = c.id
        WHERE c.ended_at IS NOT NULL ORDER BY c.started_at`,
    );
    return rows;
  });

describe('two gateways on one database and one storage', () => {
  it('a recording of one that was killed is read, streamed and erased through the other', async () => {
    const s3 = await S3Server.start();
    open.push(() => s3.kill());
    const databaseUrl = await sharedDatabase(inject('postgresDesk'));
    const first = await node(databaseUrl, s3);
    const second = await node(databaseUrl, s3);
    const made = await nidaa(second, 'keys', 'create', '--name', 'test', '--scope', 'read', '--scope', 'calls');
    const key = /manage_sk_\w+/.exec(made.stdout)![0];
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${second.api}/manage/v1/calls/${path}`, {
        ...init,
        headers: { authorization: `Bearer ${key}`, ...init.headers },
      });

    // The storage is away when the call is over: the call does not notice, and another node says who has the recording.
    await s3.kill();
    await call(first);
    await until(async () => (await rowsOf(first))[0]?.state === 'ready', 'the recording is finished', 60_000);
    const { id, name } = (await rowsOf(first))[0]!;
    expect(existsSync(join(first.dataDir, name))).toBe(true);
    const early = await ask(`${id}/recording`);
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await early.json()).toMatchObject({ error: { code: 'not_here_yet' } });
    await s3.begin();
    await until(async () => (await rowsOf(first))[0]?.place === 'home', 'the recording is at home', 150_000);
    await until(() => !existsSync(join(first.dataDir, name)), 'the copy on the disk is gone');
    await first.stop('SIGKILL');

    const whole = await ask(`${id}/recording`);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    const bytes = Buffer.from(await whole.arrayBuffer());
    const sound = readWav(bytes);
    expect(sound).toMatchObject({ sampleRateHz: 8_000 });
    expect((sound as WavAudio).durationMs).toBeGreaterThan(1_500);
    expect([bytes.readUInt16LE(20), (sound as WavAudio).channels.length]).toEqual([7, 2]);
    const kept = s3.objects.get(`nidaa/${name}`)!.bytes;
    expect([kept.length > bytes.length, kept.includes('RIFF')]).toEqual([true, false]);
    const part = await ask(`${id}/recording`, { headers: { range: `bytes=100-${bytes.length - 100}` } });
    expect([part.status, part.headers.get('content-range')]).toEqual([
      206,
      `bytes 100-${bytes.length - 100}/${bytes.length}`,
    ]);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, bytes.length - 99))).toBe(true);
    const peaks = (await (await ask(`${id}/peaks`)).json()) as { channels: [number, number][][] };
    expect(Math.max(...peaks.channels[0]!.map(([, high]) => high))).toBeGreaterThan(0.05); // the caller's tone
    expect((await ask(`${id}/recording?format=mp3`)).status).toBe(200);

    expect((await ask(id, { method: 'DELETE' })).status).toBe(204);
    expect([(await ask(`${id}/recording`)).status, s3.objects.size, await rowsOf(second)]).toEqual([404, 0, []]);
    for (const log of [first.log(), second.log()]) expect(log).not.toContain(S3_KEYS.secretAccessKey);
  }, 300_000);
});
