import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readWav, wavFile } from '../../src/audio/wav.ts';
import { Billing } from '../../src/billing/billing.ts';
import { openRecordings, type RecordingParts } from '../../src/compose/recordings.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { RecordingSettings } from '../../src/config/recordings.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { readSealHeader } from '../../src/core/sealed-pieces.ts';
import { Jobs } from '../../src/jobs/queues.ts';
import type { ByteSource } from '../../src/recordings/byte-source.ts';
import { peaksPath } from '../../src/recordings/recording-files.ts';
import { RecordingHomeAway } from '../../src/recordings/recording-home.ts';
import type { Store } from '../../src/store/store.ts';
import { callOf, DEFINITION, endCall } from '../support/manage-things.ts';
import { openTestStore, type TestStore } from '../support/postgres-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { S3Server } from '../support/s3-server.ts';
import { tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const KEY = Buffer.alloc(32, 1).toString('hex');
const DAY_MS = 86_400_000;

describe('the work on recordings', () => {
  let test: TestStore;
  let store: Store;
  let account: string;
  let agent: string;
  let s3: S3Server;
  const ends: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    test = await openTestStore();
    store = test.store;
    account = (await store.accounts.create('test')).id;
    agent = (await store.agents.create(account, DEFINITION, 'live')).id;
    s3 = await S3Server.start();
  });
  afterAll(async () => {
    await s3.kill();
    await test.close();
  });
  beforeEach(() => {
    s3.objects.clear();
    s3.before = () => false;
    rmSync(join(test.dataFolder, 'recordings'), { recursive: true, force: true });
    mkdirSync(join(test.dataFolder, 'recordings'));
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
    await store.pool.query('DELETE FROM recordings');
    await store.pool.query('UPDATE calls SET recording = NULL, recording_state = NULL');
  });

  const metrics = createMetrics();
  const open = (more: Partial<RecordingSettings> = {}, dataDir = test.dataFolder): RecordingParts => {
    const { retention } = loadConfig({ env: {} });
    const recordings: RecordingSettings = { home: 'local', archive: 'wav', orphanDays: 7, ...more };
    const parts = openRecordings({ dataDir, recordings, retention }, { store, logger: silentLogger, metrics });
    ends.push(() => parts.close());
    return parts;
  };
  const away = (): Pick<RecordingSettings, 'home' | 's3'> => ({
    home: 's3',
    s3: { ...s3.settings, prefix: 'nidaa/', partMb: 5 },
  });

  /** Both sides of some seconds, as the media plane leaves them. */
  function talk(seconds: number): Int16Array {
    const [left, right] = [tone(440, seconds * 8_000), tone(1_000, seconds * 8_000)];
    return Int16Array.from({ length: 2 * left.length }, (_, i) => (i % 2 === 0 ? left : right)[i >> 1]!);
  }
  async function recorded(seconds = 1, codec = 'PCMU') {
    const { call } = await callOf(store, account, agent, { recording: 'recordings/begun.wav' });
    const recording = `recordings/${call}.wav`;
    await store.pool.query('UPDATE recordings SET name = $2 WHERE call_id = $1', [call, recording]);
    const file = wavFile({ channels: 2, sampleRateHz: 8_000 }, talk(seconds));
    writeFileSync(join(test.dataFolder, recording), file);
    await endCall(store, call, recording, { quality: { mos: 4, codec } });
    return { callId: call, id: call, recording, gateway: store.gateways.id, file };
  }
  const on = (name: string): Buffer => readFileSync(join(test.dataFolder, name));
  const isHere = (name: string): boolean => existsSync(join(test.dataFolder, name));
  const stateOf = async (id: string) => (await store.calls.get(id))?.call.recordingState;
  async function contentOf({ library }: RecordingParts, call: { id: string; recording: string; gateway: string }) {
    const source = (await library.find(call)) as ByteSource;
    return buffer(source.read({ start: 0, end: source.size - 1 }));
  }

  it('leaves a recording as it was, where nothing else is wanted', async () => {
    const call = await recorded();
    const parts = open();
    expect(await parts.work.finalize(call)).toBe('ready');
    expect(on(call.recording).equals(call.file)).toBe(true);
    expect(await stateOf(call.id)).toBe('ready');
    expect(await parts.work.toStore()).toEqual([]);
  });

  it.each([
    { codec: 'PCMU', format: 7 },
    { codec: 'PCMA', format: 6 },
    { codec: 'G722', format: 7 },
  ])('keeps it as G.711 in half the room, by the law of its call: $codec', async ({ codec, format }) => {
    const call = await recorded(2, codec);
    const parts = open({ archive: 'g711' });
    for (let run = 0; run < 2; run += 1) {
      expect(await parts.work.finalize(call)).toBe('ready');
      const file = on(call.recording);
      expect([file.length, file.readUInt16LE(20)]).toEqual([44 + 2 * 8_000 * 2, format]);
    }
    const [before, after] = [call.file, on(call.recording)].map((file) => readWav(file));
    if (typeof before !== 'object' || typeof after !== 'object') throw new Error('no sound');
    for (const [at, side] of before.channels.entries()) {
      const faults = side.map((sample, i) => sample - after.channels[at]![i]!);
      const power = (of: Int16Array): number => of.reduce((sum, value) => sum + value * value, 0);
      expect(10 * Math.log10(power(side) / power(faults))).toBeGreaterThan(30);
    }
    expect(JSON.parse(String(await parts.library.peaks(call)))).toMatchObject({ seconds: 2, sample_rate: 8_000 });
  });

  it('loses nothing of what was G.711 before', async () => {
    const first = await recorded(1);
    const parts = open({ archive: 'g711' });
    await parts.work.finalize(first);
    const once = on(first.recording);
    const sound = readWav(once);
    if (typeof sound !== 'object') throw new Error('no sound');
    const again = await recorded(1);
    const samples = Int16Array.from(
      { length: 2 * sound.channels[0]!.length },
      (_, i) => sound.channels[i % 2]![i >> 1]!,
    );
    writeFileSync(join(test.dataFolder, again.recording), wavFile({ channels: 2, sampleRateHz: 8_000 }, samples));
    await parts.work.finalize(again);
    expect(on(again.recording).equals(once)).toBe(true);
  });

  it.each(['wav', 'g711'] as const)('seals it at rest, with its peaks, and reads it back: %s', async (archive) => {
    const call = await recorded();
    const parts = open({ archive, encryption: { key: KEY, oldKeys: [] } });
    expect(await parts.work.finalize(call)).toBe('ready');
    for (const name of [call.recording, peaksPath(call.recording)])
      expect(readSealHeader(on(name))?.isGrowing).toBe(false);
    const sealed = on(call.recording);
    expect(await parts.work.finalize(call)).toBe('ready');
    expect(on(call.recording).equals(sealed)).toBe(true);
    const content = await contentOf(parts, call);
    if (archive === 'wav') expect(content.equals(call.file)).toBe(true);
    else expect(content.readUInt16LE(20)).toBe(7);
    expect(JSON.parse(String(await parts.library.peaks(call)))).toMatchObject({ seconds: 1 });
  });

  it('what was sealed with an older key, or never, is read beside what is sealed with a new one', async () => {
    const [plain, older, newer] = [await recorded(), await recorded(), await recorded()];
    await open().work.finalize(plain);
    await open({ encryption: { key: KEY, oldKeys: [] } }).work.finalize(older);
    const fresh = Buffer.alloc(32, 2).toString('hex');
    const parts = open({ encryption: { key: fresh, oldKeys: [KEY] } });
    await parts.work.finalize(newer);
    for (const call of [plain, older, newer]) expect((await contentOf(parts, call)).equals(call.file)).toBe(true);
    await expect(open({ encryption: { key: fresh, oldKeys: [] } }).library.find(older)).rejects.toThrow(
      'not configured',
    );
  });

  it('brings it to its home, from where another node reads and removes it', async () => {
    const call = await recorded();
    const sealing = { encryption: { key: KEY, oldKeys: [] } };
    const parts = open({ ...away(), ...sealing });
    await parts.work.finalize(call);
    expect(await parts.work.toStore()).toEqual([call.id]);
    const sent = on(call.recording);
    await parts.work.storeAway(call.id);
    await parts.work.storeAway(call.id);
    expect([isHere(call.recording), isHere(peaksPath(call.recording))]).toEqual([false, false]);
    expect(s3.objects.get(`nidaa/${call.recording}`)!.bytes.equals(sent)).toBe(true);
    expect(await store.recordings.get(call.id)).toMatchObject({ place: 'home', bytes: sent.length });
    expect(await parts.work.toStore()).toEqual([]);
    const other = open({ ...away(), ...sealing }, '/nonexistent');
    expect((await contentOf(other, call)).equals(call.file)).toBe(true);
    expect(JSON.parse(String(await other.library.peaks(call)))).toMatchObject({ seconds: 1 });
    await store.calls.erase(call.id, account);
    await other.library.removeOf(call.id);
    expect([s3.objects.size, await store.recordings.get(call.id)]).toEqual([0, undefined]);
  });

  it('takes it back from the home where its call was erased meanwhile', async () => {
    const call = await recorded();
    const { work } = open(away());
    await work.finalize(call);
    let erased: Promise<unknown> | undefined;
    s3.before = ({ method }) => {
      if (method === 'PUT') erased ??= store.calls.erase(call.id, account);
      return false;
    };
    const storing = work.storeAway(call.id);
    await until(() => erased !== undefined);
    await erased;
    await storing;
    const row = await store.recordings.get(call.id);
    if (row) await work.removeUnwanted(); // it was in the home before it was erased
    expect([s3.objects.size, await store.recordings.get(call.id)]).toEqual([0, undefined]);
  });

  it('a home that is away is told apart from a recording that is gone', async () => {
    const call = await recorded();
    const parts = open(away());
    await parts.work.finalize(call);
    await parts.work.storeAway(call.id);
    await s3.kill();
    try {
      await expect(parts.library.find(call)).rejects.toThrow(RecordingHomeAway);
    } finally {
      await s3.begin();
    }
    s3.objects.clear();
    expect(await parts.library.find(call)).toBeUndefined();
  });

  it.runIf(EVERY_TEST)('a home that goes away in the middle costs time, and not a byte', async () => {
    const call = await recorded(170); // 5.4 MB: two parts
    let parts = 0;
    s3.before = ({ url }, response) => {
      if (!url?.includes('partNumber=')) return false;
      parts += 1;
      if (parts === 1) return false;
      response.destroy();
      void s3.kill();
      return true;
    };
    const billing = await Billing.open({ store, dataFolder: test.dataFolder, logger: silentLogger, metrics });
    ends.push(() => billing.close());
    const { work } = open(away());
    const reader = { read: () => Promise.reject(new Error('nothing to read')) };
    const jobs = await Jobs.open({ store, billing, recordings: work, reader, logger: silentLogger, metrics });
    ends.push(() => jobs.close());
    jobs.finalizeRecording(call.id, call.recording);
    await until(() => parts >= 2, 'the home is gone in the second part', 60_000);
    expect(await stateOf(call.id)).toBe('ready');
    expect(on(call.recording).equals(call.file)).toBe(true);
    const uploads = async () => (await jobs.desk.states()).find(({ name }) => name === 'uploads')!;
    await until(async () => (await uploads()).delayed > 0, 'it is to be tried again', 60_000);
    s3.before = () => false;
    await s3.begin();
    await until(() => !isHere(call.recording), 'the copy here is gone', 60_000);
    expect(s3.objects.get(`nidaa/${call.recording}`)!.bytes.equals(call.file)).toBe(true);
    expect(await store.recordings.get(call.id)).toMatchObject({ place: 'home' });
  });

  describe('looks around', () => {
    const old = (name: string, days: number): void => {
      const at = new Date(Date.now() - days * DAY_MS);
      utimesSync(join(test.dataFolder, name), at, at);
    };
    const odd = async (place: string, what: string): Promise<number | undefined> =>
      (await metrics.recordingsOdd.get()).values.find(
        ({ labels }) => labels['place'] === place && labels['what'] === what,
      )?.value;

    it('on the disk: what no call knows is told of, and goes when it is old', async () => {
      const { work } = open();
      const known = await recorded();
      await work.finalize(known);
      for (const call of [await recorded(), await recorded()]) await work.finalize(call);
      const unlisted = await recorded();
      await store.pool.query('DELETE FROM recordings WHERE call_id = $1', [unlisted.id]);
      for (const name of ['gone.wav', 'gone.wav.peaks.json', 'gone.wav.peaks.json.part', 'fresh.wav']) {
        writeFileSync(join(test.dataFolder, 'recordings', name), 'RIFF');
        if (name !== 'fresh.wav') old(`recordings/${name}`, 8);
      }
      for (const name of [known.recording, peaksPath(known.recording), unlisted.recording]) old(name, 100);
      await work.sweepDisk();
      expect(
        ['gone.wav', 'gone.wav.peaks.json', 'gone.wav.peaks.json.part'].map((name) => isHere(`recordings/${name}`)),
      ).toEqual([false, false, false]);
      for (const name of [known.recording, peaksPath(known.recording), unlisted.recording, 'recordings/fresh.wav']) {
        expect(isHere(name), name).toBe(true);
      }
      expect(await odd('disk', 'unknown')).toBe(1);
      expect(await store.recordings.get(unlisted.id)).toMatchObject({ name: unlisted.recording, place: 'node' });
    });

    it('nothing goes where most files are unknown: it is another database than theirs', async () => {
      const { work } = open(away());
      const known = await recorded();
      await work.finalize(known);
      for (const name of ['one.wav', 'two.wav', 'three.wav']) {
        writeFileSync(join(test.dataFolder, 'recordings', name), 'RIFF');
        old(`recordings/${name}`, 100);
        const object = { bytes: Buffer.from('RIFF'), etag: '"x"', meta: {}, changed: new Date(0) };
        s3.objects.set(`nidaa/recordings/${name}`, object);
      }
      await work.sweepDisk();
      await work.sweepHome();
      expect(['one.wav', 'two.wav', 'three.wav'].every((name) => isHere(`recordings/${name}`))).toBe(true);
      expect([s3.objects.size, await odd('disk', 'unknown'), await odd('home', 'unknown')]).toEqual([3, 3, 3]);
    });

    it('on the disk: a copy that was left behind goes when its twin is at home', async () => {
      const call = await recorded();
      await store.recordings.stored(call.id, 1, 'x');
      const { work } = open(away());
      await work.sweepDisk();
      expect(isHere(call.recording)).toBe(true);
      old(call.recording, 1);
      await work.sweepDisk();
      expect(isHere(call.recording)).toBe(false);
    });

    it('in the home: what no call knows goes when it is old, and what should be there is missed', async () => {
      const { work } = open(away());
      const calls = [await recorded(), await recorded(), await recorded()];
      for (const call of calls) {
        await work.finalize(call);
        await work.storeAway(call.id);
      }
      const at = s3.objects.get(`nidaa/${calls[0]!.recording}`)!;
      s3.objects.set('nidaa/recordings/gone.wav', { ...at, changed: new Date(Date.now() - 8 * DAY_MS) });
      s3.objects.set('nidaa/recordings/fresh.wav', { ...at, changed: new Date() });
      s3.objects.set('other/recordings/gone.wav', { ...at, changed: new Date(0) });
      s3.objects.delete(`nidaa/${calls[1]!.recording}`);
      await work.sweepHome();
      expect(s3.objects.has('nidaa/recordings/gone.wav')).toBe(false);
      expect(s3.objects.has('nidaa/recordings/fresh.wav')).toBe(true);
      expect(s3.objects.has('other/recordings/gone.wav')).toBe(true);
      expect(s3.objects.has(`nidaa/${calls[2]!.recording}`)).toBe(true);
      expect([await odd('home', 'unknown'), await odd('home', 'missing')]).toEqual([1, 1]);
    });
  });
});
