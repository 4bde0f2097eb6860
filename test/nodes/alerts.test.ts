import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Baresip } from '../support/baresip.ts';
import { saidIn } from '../support/call-record.ts';
import { hasCommand, microphone } from '../support/caller-voice.ts';
import { databaseProcesses } from '../support/charge-books.ts';
import { ChatTestServer } from '../support/chat-server.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, prepared, ROOT, startGateway } from '../support/gateway.ts';
import { freeTcpPort, freeUdpRange } from '../support/ports.ts';
import { Prometheus } from '../support/prometheus.ts';
import { until } from '../support/until.ts';

const missing = ['prometheus', 'baresip', 'prlimit'].filter((name) => !hasCommand(name));
if (missing.length > 0) console.warn(`\n!!! NO ALERT IS FIRED: ${missing.join(', ')} not installed !!!\n`);
const RULES = join(ROOT, 'docker/observability/alerts.yml');
/** A node of this size is full with one call, and short of ports from its start on. */
const PORTS = 16;
/** A recording of a few seconds fills it. */
const DISK = '64k';

/** Each fault is a real one of a real gateway, one after another: what one leaves behind is part of the next. */
describe.skipIf(missing.length > 0)('alerts fire for faults of a gateway', () => {
  let model: ChatTestServer;
  let folder: ReturnType<typeof configFolder>;
  let gateway: Gateway;
  let start: () => Promise<Gateway>;
  let prometheus: Prometheus;
  let phone: Baresip;
  let frozen: readonly number[] = [];
  const dataDir = mkdtempSync(join(tmpdir(), 'nidaa-test-'));
  const recordings = join(dataDir, 'recordings');
  const journal = join(dataDir, 'journal');
  let isSmallDisk = false;

  beforeAll(async () => {
    isSmallDisk = [recordings, journal].every((path) => {
      mkdirSync(path, { recursive: true });
      return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'nidaa', path]).status === 0;
    });
    if (!isSmallDisk) console.warn('\n!!! NO DISK IS FILLED: mounting one is not allowed here !!!\n');
    model = await ChatTestServer.start();
    model.answer = (response) => void response.writeHead(500).end();
    folder = configFolder({
      ...GREETER,
      'nidaa.yaml': `media: { workers: 1, callsPerWorker: 1, maxLatenessP99Ms: 50 }
engines:
  reply: [openai, scripted]
  openai: { baseUrl: "${model.baseUrl}", chatModel: test-model, firstTokenMs: 20000 }
`,
      'trunks/carrier.yaml': `name: carrier
hosts: [{ uri: "sip:127.0.0.1:9" }]
inbound: { sources: [203.0.113.0/28] }
outbound: { username: "500", realm: carrier.test, passwordEnv: CARRIER_PASSWORD }
register: { expiresSeconds: 3600 }
pingSeconds: 10
`,
    });
    const [first, port] = [await freeUdpRange(PORTS), await freeTcpPort()];
    start = () =>
      startGateway({
        dataDir,
        env: {
          ...{ NIDAA_CONFIG: `${folder.dir}/nidaa.yaml`, CARRIER_PASSWORD: 'of a test' },
          ...{ NIDAA_RTP_PORTS: `${first}-${first + PORTS - 1}`, NIDAA_METRICS_PORT: String(port) },
        },
      });
    gateway = await start();
    await prepared(gateway);
    prometheus = await Prometheus.start(`127.0.0.1:${port}`, RULES);
    await prometheus.knows('nidaa_part_state{part="recording",state="ok"} == 1');
    phone = await Baresip.start({ microphone: microphone(120) });
  });
  afterAll(async () => {
    for (const pid of frozen) process.kill(pid, 'SIGCONT');
    phone?.dispose();
    await prometheus?.close();
    await gateway?.stop('SIGKILL');
    for (const path of [recordings, journal]) spawnSync('umount', [path]);
    await gateway?.dispose();
    folder?.remove();
    await model?.close();
  });

  it('few ports, from the start on', async () => {
    await prometheus.fires('NidaaPortsShort');
    expect(await prometheus.look()).not.toContain('NidaaNearlyFull');
  });

  it('a trunk that does not answer, and does not register us', async () => {
    expect(await prometheus.fires('NidaaTrunkDown', 90_000)).toMatchObject({ trunk: 'carrier' });
    expect(await prometheus.fires('NidaaTrunkUnregistered')).toMatchObject({ trunk: 'carrier' });
  });

  it('a model that fails until it is left alone', async () => {
    const headers = { authorization: `Bearer ${gateway.token}`, 'content-type': 'application/json' };
    const list = (await (await fetch(`${gateway.api}/v1/agents`, { headers })).json()) as { agents: { id: string }[] };
    await until(async () => {
      const body = JSON.stringify({ text: 'where is my order', audio: false });
      await (
        await fetch(`${gateway.api}/v1/agents/${list.agents[0]!.id}/reply`, { method: 'POST', headers, body })
      ).text();
      return (
        (await gateway.metrics()).match(
          /^nidaa_engine_paused_until_timestamp_seconds\{.*engine="openai",why="failures"\} [1-9]/m,
        ) !== null
      );
    }, 'the model is left alone');
    expect(await prometheus.fires('NidaaEnginePaused')).toMatchObject({ capability: 'reply', engine: 'openai' });
  });

  it('a disk of the journal that is full: charges that nobody has on disk, of a call that goes on', async () => {
    const filler = join(journal, 'filler');
    if (isSmallDisk) expect(() => writeFileSync(filler, Buffer.alloc(1_000_000))).toThrow('ENOSPC');
    try {
      expect(await phone.call(`sip:1000@127.0.0.1:${gateway.sipPort}`)).toEqual(expect.any(Number));
      if (isSmallDisk) expect(await prometheus.fires('NidaaJournalFault')).toMatchObject({ fault: 'unwritten' });
    } finally {
      rmSync(filler, { force: true });
    }
  });

  it('every line taken, and a caller who finds none', async () => {
    await prometheus.fires('NidaaNearlyFull');
    const second = await Baresip.start({ microphone: microphone(5) });
    try {
      expect(await second.call(`sip:1000@127.0.0.1:${gateway.sipPort}`)).toEqual(expect.any(String));
    } finally {
      second.dispose();
    }
    expect(await prometheus.fires('NidaaCallsRefused')).toMatchObject({ reason: 'busy' });
  });

  it('a disk that is full: the recording breaks off, and the call goes on', async ({ skip }) => {
    if (!isSmallDisk) return skip();
    await saidIn(gateway, phone.sipCallId, 'How can I help');
    await prometheus.fires('NidaaRecordingsFail');
    expect(await prometheus.fires('NidaaPartLost')).toMatchObject({ part: expect.stringMatching(/recording|media/) });
  });

  it('a process that stands still for moments', async () => {
    for (let n = 0; n < 8; n += 1) {
      gateway.process.kill('SIGSTOP');
      await sleep(300);
      gateway.process.kill('SIGCONT');
      await sleep(200);
    }
    await prometheus.fires('NidaaMediaLate');
  });

  it('descriptors that run out', async () => {
    const { pid } = gateway.process;
    const open = readdirSync(`/proc/${pid}/fd`).length;
    const before = /^Max open files\s+(\d+)\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'));
    const limit = (soft: number): unknown => spawnSync('prlimit', ['--pid', String(pid), `--nofile=${soft}:`]);
    limit(Math.ceil(open * 1.1));
    try {
      await prometheus.fires('NidaaDescriptorsShort');
    } finally {
      limit(Number(before?.[1]));
    }
  });

  it('a database that stands still: no new calls, and the charges of the one that goes on wait', async () => {
    frozen = databaseProcesses(dataDir);
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    expect(await prometheus.fires('NidaaPartDown')).toMatchObject({ part: 'database' });
    await phone.press('1');
    await prometheus.fires('NidaaJournalOld', 120_000);
    for (const pid of frozen) process.kill(pid, 'SIGCONT');
    frozen = [];
    await until(async () => !(await prometheus.look()).includes('NidaaPartDown'), 'the database is back', 60_000);
  });

  it('a node that drains, and is gone', async () => {
    gateway.process.kill('SIGTERM'); // with a call that goes on
    await prometheus.fires('NidaaDrainsLong');
    phone.hangup();
    await prometheus.fires('NidaaDown', 120_000);
    await gateway.stop(); // It is gone for good, with its database.
  });

  it('a node that starts again and again', async () => {
    for (let n = 0; n < 3; n += 1) {
      const before = Math.floor(Date.now() / 1000);
      gateway = await start();
      await prometheus.knows('up == 1');
      await prometheus.knows(`process_start_time_seconds >= ${before}`); // of this start, not of the one before
      if (n < 2) await gateway.stop('SIGKILL');
    }
    await prometheus.fires('NidaaRestarts');
  });

  it('fires nothing that is wrong of this node', () => {
    const told = ['NidaaVersionsDiffer', 'NidaaCallsBreakOff', 'NidaaMediaThreadDown'];
    expect(told.filter((name) => prometheus.fired.has(name))).toEqual([]);
  });
});
