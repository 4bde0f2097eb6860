import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { sphinxInstalled } from '../../src/engines/stt/model-folder.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { ChatTestServer, says } from '../support/chat-server.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, nidaa, prepared, ROOT, startGateway } from '../support/gateway.ts';
import { laterBuild } from '../support/later-build.ts';
import { freeTcpPort } from '../support/ports.ts';
import { temporaryFolder } from '../support/postgres-store.ts';
import { Prometheus } from '../support/prometheus.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const missing = ['prometheus', 'espeak-ng'].filter((name) => !hasCommand(name));
if (!sphinxInstalled()) missing.push('a recogniser');
if (missing.length > 0) console.warn(`\n!!! NO ALERT IS FIRED BY CALLS: ${missing.join(', ')} not installed !!!\n`);
const RULES = join(ROOT, 'docker/observability/alerts.yml');
const SLOW_MS = 3_500;
/** More than a caretaker asks for in a round, so that the one of a call makes it too many. */
const RECORDINGS = 500;
const CONNECTIONS = 13;
type Request = readonly [method: string, path: string, body?: object];

/** What it takes two gateways, callers or many recordings for, one fault after another. */
describe.skipIf(missing.length > 0)('alerts fire for faults that callers notice', () => {
  let model: ChatTestServer;
  let storage: Server;
  let database: pg.Client;
  let databaseUrl: string;
  let folder: ReturnType<typeof configFolder>;
  let gateway: Gateway;
  let prometheus: Prometheus;
  let start: (root?: string) => Promise<Gateway>;
  const ports: number[] = [];
  const gateways: Gateway[] = [];
  const folders: string[] = [];
  const sockets: Socket[] = [];
  const phones: VoicePhone[] = [];

  beforeAll(async () => {
    model = await ChatTestServer.start((response, request) => {
      setTimeout(() => says('It is on its way.')(response, request), SLOW_MS);
    });
    storage = createServer((socket) => void sockets.push(socket.on('error', () => undefined))); // takes all and says nothing
    await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve));
    const { port } = storage.address() as { readonly port: number };
    databaseUrl = await sharedDatabase(inject('postgresDesk'));
    database = new pg.Client(databaseUrl);
    await database.connect();
    folder = configFolder({
      ...GREETER,
      'nidaa.yaml': `engines:
  reply: openai
  openai: { baseUrl: "${model.baseUrl}", chatModel: test-model, firstTokenMs: 20000 }
store: { connections: ${CONNECTIONS} }
recordings:
  home: s3
  s3: { bucket: calls, region: me-south-1, endpoint: "http://127.0.0.1:${port}", addressing: path, accessKeyEnv: TEST_KEY, secretKeyEnv: TEST_KEY }
`,
    });
    for (const _ of [1, 2]) ports.push(await freeTcpPort());
    start = async (root) => {
      const dataDir = temporaryFolder();
      folders.push(dataDir);
      const made = await startGateway({
        ...{ dataDir, databaseUrl, ...(root !== undefined && { root }) },
        env: {
          ...{ NIDAA_CONFIG: `${folder.dir}/nidaa.yaml`, TEST_KEY: 'of a test' },
          NIDAA_METRICS_PORT: String(ports[gateways.length]),
        },
      });
      gateways.push(made);
      return made;
    };
    gateway = await start();
    await prepared(gateway);
    prometheus = await Prometheus.start(
      ports.map((one) => `127.0.0.1:${one}`),
      RULES,
    );
    await prometheus.knows('nidaa_part_state{part="recording",state="ok"} == 1');
  });
  afterAll(async () => {
    for (const phone of phones) phone.close();
    await prometheus?.close();
    for (const one of gateways) await one.stop('SIGKILL');
    for (const one of folders) rmSync(one, { recursive: true, force: true });
    for (const one of sockets) one.destroy();
    storage?.close();
    await database?.end();
    folder?.remove();
    await model?.close();
  });

  const call = async (): Promise<VoicePhone> => {
    const phone = await VoicePhone.open(gateway.sipPort);
    phones.push(phone);
    await phone.call(gateway.sip, 440);
    await until(() => phone.audio.heard.length > 25, 'the agent is heard');
    return phone;
  };
  const said = (...texts: string[]) =>
    nidaa(
      gateway,
      'call',
      gateway.sip,
      ...texts.flatMap((text) => ['--say', text]),
      ...['--patience', '6000', '--seconds', '90'],
    );
  /** Many at once, until what is waited for has come. */
  const whileAsked = async (
    atOnce: number,
    token: string,
    [method, path, body]: Request,
    wanted: Promise<unknown>,
  ): Promise<void> => {
    let isOver = false;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const ask = async (): Promise<void> => {
      while (!isOver) {
        const init = {
          method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(60_000),
        };
        await fetch(`${gateway.api}${path}`, init)
          .then((answer) => answer.text())
          .catch(() => undefined);
      }
    };
    const asking = Array.from({ length: atOnce }, ask);
    try {
      await wanted;
    } finally {
      isOver = true;
      await Promise.all(asking);
    }
  };

  it('answers that come late', async () => {
    await said('where is my order', 'when will it come', 'where is my order');
    await prometheus.fires('NidaaAnswersSlow');
  });

  it('a model that fails, with none behind it: the call ends', async () => {
    model.answer = (response) => void response.writeHead(500).end();
    await said('where is my order', 'when will it come', 'where is my order', 'when will it come');
    expect(await prometheus.fires('NidaaCallsBreakOff')).toMatchObject({ reason: 'engine-failed' });
  });

  it('a line that loses half of what is said', async () => {
    const phone = await call();
    const { audio } = phone;
    audio.quiet();
    for (let n = 0; n < 300; n += 1) {
      if (n % 2 === 0) audio.sequence = (audio.sequence + 1) & 0xffff;
      audio.send(phone.audioPort, new Uint8Array(160).fill(0xff), { timestamp: (audio.timestamp + n * 160) >>> 0 });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await phone.hangUp();
    await prometheus.fires('NidaaAudioPoor');
  });

  it('a recording that somebody takes away: its job is given up', async () => {
    const phone = await call();
    const files = join(gateway.dataDir, 'recordings');
    const open = await until(() => {
      const names = readdirSync(files, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.wav'));
      return names.length > 0 && names;
    }, 'it is recorded');
    for (const name of open) rmSync(join(files, name));
    await phone.hangUp();
    expect(await prometheus.fires('NidaaJobsFail', 120_000)).toMatchObject({ queue: 'recordings' });
  });

  it('a database in which somebody holds a lock', async () => {
    const made = await nidaa(gateway, 'keys', 'create', '--name', 'test', '--scope', 'read');
    const key = /manage_sk_\w+/.exec(made.stdout)![0];
    await database.query(
      'SET idle_in_transaction_session_timeout = 0; BEGIN; LOCK TABLE calls IN ACCESS EXCLUSIVE MODE',
    );
    try {
      const fires = prometheus.fires('NidaaDatabasePoolFull');
      await whileAsked(4 * CONNECTIONS, key, ['GET', '/manage/v1/calls'], fires);
    } finally {
      await database.query('ROLLBACK');
    }
  });

  it('a storage that takes every connection and says nothing: recordings wait', async () => {
    await database.query(
      `INSERT INTO calls (id, sip_call_id, account_id, agent_id, agent_version, agent_name, from_number, to_number, gateway, started_at, ended_at,
         direction, recording, recording_state)
       SELECT 'call_kept' || n, 'kept' || n, account_id, agent_id, agent_version, agent_name, '', '', gateway, now(), now(), direction,
         'recordings/kept' || n || '.wav', 'ready' FROM (SELECT * FROM calls ORDER BY started_at LIMIT 1) one, generate_series(1, ${RECORDINGS}) n`,
    );
    await database.query(
      `INSERT INTO recordings (call_id, node, name) SELECT id, split_part(gateway, '_', 2), recording FROM calls WHERE id LIKE 'call_kept%'`,
    );
    for (let n = 1; n <= RECORDINGS; n += 1) writeFileSync(join(gateway.dataDir, `recordings/kept${n}.wav`), 'RIFF');
    await (await call()).hangUp();
    expect(await prometheus.fires('NidaaJobsWait', 200_000)).toMatchObject({ queue: 'uploads' });
  });

  it('a second node of another version', async () => {
    const root = laterBuild();
    folders.push(root);
    await start(root);
    await prometheus.fires('NidaaVersionsDiffer');
  });
});
