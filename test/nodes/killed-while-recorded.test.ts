import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { readWav, type WavAudio } from '../../src/audio/wav.ts';
import { readSealHeader } from '../../src/core/sealed-pieces.ts';
import { type Gateway, nidaa } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { temporaryFolder } from '../support/postgres-store.ts';
import { S3_KEYS, S3Server } from '../support/s3-server.ts';
import { booksFaults, callsOf, openThings, SeveralGateways } from '../support/several-gateways.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';

const LEASE = 'node: { leaseSeconds: 6 }\nconversation: { noInputMs: 120000, maxNoInputs: 20 }\n';
/** Two seconds of both sides at 16 bits. */
const BYTES_MIN = 64_000;
const HEARD_MS_MIN = 1_500;
/** Leases, the rounds of a caretaker and a start, on a machine that does much else. */
const ROUND_MS = 180_000;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** @param settings - where recordings go. @returns gateways that are started with them. */
function gateways(settings: string): SeveralGateways {
  const rig = new SeveralGateways(`${LEASE}${settings}`);
  ends.push(() => rig.close());
  return rig;
}
const SECRETS = { TEST_ACCESS: S3_KEYS.accessKeyId, TEST_SECRET: S3_KEYS.secretAccessKey };

/** How a gateway answers who wants to hear the call. */
async function listener(gateway: Gateway): Promise<(callId: string) => Promise<Response>> {
  const made = await nidaa(gateway, ...['keys', 'create', '--name', 'test', '--scope', 'read', '--scope', 'calls']);
  const authorization = `Bearer ${/manage_sk_\w+/.exec(made.stdout)![0]}`;
  return (callId) => fetch(`${gateway.api}/manage/v1/calls/${callId}/recording`, { headers: { authorization } });
}
async function sound(answer: Response): Promise<WavAudio> {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/wav']);
  return readWav(Buffer.from(await answer.arrayBuffer())) as WavAudio;
}

const bytesOnDisk = (dataDir: string): number => {
  const folder = join(dataDir, 'recordings');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.wav')) : [];
  return Math.max(0, ...names.map((name) => statSync(join(folder, name)).size));
};
const recordedOnDisk = (dataDir: string): Buffer => {
  const folder = join(dataDir, 'recordings');
  return readFileSync(join(folder, readdirSync(folder).find((name) => name.endsWith('.wav'))!));
};
const recordingOf = (gateway: Gateway): Promise<{ readonly state: string | null; readonly place: string | null }> =>
  withStore(gateway, async ({ pool }) => {
    const { rows } = await pool.query<{ state: string | null; place: string | null }>(
      `SELECT c.recording_state AS state, r.place FROM calls c LEFT JOIN recordings r ON r.call_id = c.id ORDER BY c.started_at LIMIT 1`,
    );
    return rows[0]!;
  });

/** A call is held, and its gateway killed in it. @returns its id; the other one has closed it. */
async function killedInCall(rig: SeveralGateways, killed: Gateway, other: Gateway): Promise<string> {
  await rig.talking(killed);
  await until(() => bytesOnDisk(killed.dataDir) > BYTES_MIN, 'the call is recorded');
  await killed.stop('SIGKILL');
  await until(async () => (await callsOf(other))[0]!.reason === 'interrupted', 'the other closes the call', ROUND_MS);
  return (await callsOf(other))[0]!.id;
}

describe('a gateway that is killed while a call is recorded', () => {
  it('and a storage: the other one says where it is, and gives it once its node was there again, also without it', async () => {
    const s3 = await S3Server.start();
    ends.push(() => s3.kill());
    const { endpoint, region, bucket } = s3.settings;
    const rig = gateways(`recordings:
  home: s3
  s3: { bucket: ${bucket}, region: ${region}, endpoint: "${endpoint}", addressing: path, accessKeyEnv: TEST_ACCESS, secretKeyEnv: TEST_SECRET }
`);
    const databaseUrl = await sharedDatabase(inject('postgresDesk'));
    const dataDir = temporaryFolder();
    const killed = await rig.start(databaseUrl, { dataDir, env: SECRETS });
    const other = await rig.start(databaseUrl, { env: SECRETS });
    const hear = await listener(other);
    const id = await killedInCall(rig, killed, other);

    const early = await hear(id);
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await early.json()).toMatchObject({ error: { code: 'not_here_yet' } });

    const again = await rig.start(databaseUrl, { dataDir, env: SECRETS });
    await until(
      async () => (await recordingOf(other)).place === 'home',
      () => `its node sends it to the storage\n${again.log()}`,
      ROUND_MS,
    );
    await again.stop('SIGKILL');
    const heard = await sound(await hear(id));
    expect([heard.channels.length, heard.durationMs > HEARD_MS_MIN]).toEqual([2, true]);
    expect((await recordingOf(other)).state).toBe('ready');
    expect(await openThings(other)).toEqual({ calls: 0, charges: 0 });
    expect(await booksFaults(other)).toEqual([]);
  }, 600_000);

  it('and disks of their own, sealed: the other one says which node has it, which gives it when it is there again', async () => {
    const rig = gateways('recordings: { encryption: { keyEnv: TEST_SEAL } }\n');
    const env = { TEST_SEAL: Buffer.alloc(32, 5).toString('base64') };
    const databaseUrl = await sharedDatabase(inject('postgresDesk'));
    const dataDir = temporaryFolder();
    const killed = await rig.start(databaseUrl, { dataDir, env });
    const other = await rig.start(databaseUrl, { env });
    const hear = await listener(other);
    const id = await killedInCall(rig, killed, other);
    expect(readSealHeader(recordedOnDisk(dataDir))?.isGrowing).toBe(true);
    const refused = await hear(id);
    expect([refused.status, await refused.json()]).toMatchObject([409, { error: { code: 'elsewhere' } }]);

    const again = await rig.start(databaseUrl, { dataDir, env });
    await until(async () => (await recordingOf(other)).state === 'ready', again.log, ROUND_MS);
    const heard = await sound(await (await listener(again))(id));
    expect([heard.channels.length, heard.durationMs > HEARD_MS_MIN]).toEqual([2, true]);
    expect(readSealHeader(recordedOnDisk(dataDir))?.isGrowing).toBe(false);
  }, 600_000);
});
