import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ByteSource } from '../../src/recordings/byte-source.ts';
import { peaksPath, RecordingFiles } from '../../src/recordings/recording-files.ts';
import type { RecordingHome } from '../../src/recordings/recording-home.ts';
import { RecordingLibrary } from '../../src/recordings/recording-library.ts';
import type { Store } from '../../src/store/store.ts';
import { callOf, DEFINITION, endCall } from '../support/manage-things.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/postgres-store.ts';

/** A home in memory. */
function homeWith(files: Map<string, Buffer>): RecordingHome {
  const none = async (): Promise<never> => Promise.reject(new Error('not asked for here'));
  const sourceOf = (bytes: Buffer): ByteSource => ({
    ...{ size: bytes.length, changed: new Date(0) },
    read: ({ start, end }) => new Blob([Uint8Array.from(bytes.subarray(start, end + 1))]).stream() as never,
  });
  return {
    ...{ put: none, list: none, probe: none },
    find: async (name) => (files.has(name) ? sourceOf(files.get(name)!) : undefined),
    remove: async (name) => void files.delete(name),
  };
}

describe('recordings of several nodes', () => {
  let test: TestStore;
  let store: Store;
  let account: string;
  let agent: string;
  let folder: string;
  beforeAll(async () => {
    test = await openTestStore();
    store = test.store;
    account = (await store.accounts.create('test')).id;
    agent = (await store.agents.create(account, DEFINITION, 'live')).id;
  });
  afterAll(() => test.close());
  beforeEach(() => {
    folder = temporaryFolder();
    mkdirSync(join(folder, 'recordings'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const other = 'other123';
  /** A call that was recorded, here or on another node, and is over. */
  async function recorded(node = store.recordings.node) {
    const { call } = await callOf(store, account, agent, { recording: 'recordings/x.wav' });
    const name = `recordings/${call}.wav`;
    await store.pool.query('UPDATE recordings SET node = $2, name = $3 WHERE call_id = $1', [call, node, name]);
    await endCall(store, call, name);
    await store.pool.query('UPDATE calls SET gateway = $2 WHERE id = $1', [call, `gw_${node}_x`]);
    return { id: call, recording: name, gateway: `gw_${node}_x` };
  }
  const libraryOf = (home?: RecordingHome, isFilled = true) =>
    new RecordingLibrary({
      files: new RecordingFiles(folder),
      ...{ rows: store.recordings, keys: [] },
      ...(home && { home: { of: home, isFilled } }),
    });
  const contentOf = async (found: unknown, range = { start: 0, end: 3 }): Promise<string> =>
    String(await buffer((found as ByteSource).read(range)));
  const rowOf = (id: string) => store.recordings.get(id);

  it('are known by node and name from the beginning of their calls', async () => {
    const recording = 'recordings/begun.wav';
    const { call } = await callOf(store, account, agent, { recording });
    const node = store.recordings.node;
    expect(await rowOf(call)).toMatchObject({ node, name: recording, place: 'node', wanted: true });
    expect((await store.pool.query('SELECT gateway FROM calls WHERE id = $1', [call])).rows[0].gateway).toContain(node);
    await endCall(store, call, recording);
    expect(await rowOf(call)).toMatchObject({ name: recording });
  });

  it('are forgotten where none was made', async () => {
    const { call } = await callOf(store, account, agent, { recording: 'recordings/unanswered.wav' });
    await endCall(store, call);
    expect(await rowOf(call)).toBeUndefined();
    const { call: unrecorded } = await callOf(store, account, agent);
    expect(await rowOf(unrecorded)).toBeUndefined();
  });

  it.each([
    { name: 'will come to the home', home: homeWith(new Map()), isFilled: true, elsewhere: 'not-yet' },
    { name: 'stays on disks', home: undefined, isFilled: false, elsewhere: 'never' },
    { name: 'stays on disks from now on', home: homeWith(new Map()), isFilled: false, elsewhere: 'never' },
  ])('on the disk of another node: $name', async ({ home, isFilled, elsewhere }) => {
    const call = await recorded(other);
    const library = libraryOf(home, isFilled);
    expect(await library.find(call)).toEqual({ elsewhere, node: other });
    expect(await library.peaks(call)).toEqual({ elsewhere, node: other });
  });

  it('of before there were rows are looked for by their gateway', async () => {
    const call = await recorded(other);
    await store.pool.query('DELETE FROM recordings WHERE call_id = $1', [call.id]);
    expect(await libraryOf().find(call)).toEqual({ elsewhere: 'never', node: other });
    expect(await libraryOf().find({ ...call, gateway: `gw_${store.recordings.node}_y` })).toBeUndefined();
  });

  it('are read where their file is: on a disk that nodes share, or in the home', async () => {
    const call = await recorded(other);
    writeFileSync(join(folder, call.recording), 'RIFF');
    expect(await contentOf(await libraryOf().find(call))).toBe('RIFF');
    rmSync(join(folder, call.recording));
    await store.pool.query(`UPDATE recordings SET place = 'home' WHERE call_id = $1`, [call.id]);
    const home = homeWith(
      new Map([
        [call.recording, Buffer.from('at home')],
        [peaksPath(call.recording), Buffer.from('{}')],
      ]),
    );
    expect(await contentOf(await libraryOf(home, false).find(call), { start: 3, end: 6 })).toBe('home');
    expect(await libraryOf(home).peaks(call)).toBe('{}');
    expect(await libraryOf().find(call)).toBeUndefined(); // nobody has told where the home is
  });

  it('are removed by whoever has them: from the home by any node, from a disk by its own', async () => {
    const [far, near, kept] = [await recorded(other), await recorded(), await recorded()];
    for (const { recording } of [near, kept]) writeFileSync(join(folder, recording), 'RIFF');
    for (const { id } of [far, near]) await store.calls.erase(id, account);
    expect(await rowOf(far.id)).toMatchObject({ wanted: false });
    const files = new Map([[far.recording, Buffer.from('RIFF')]]);
    const library = libraryOf(homeWith(files));
    expect(await library.removeUnwanted(10)).toBe(1);
    expect([near, kept].map(({ recording }) => existsSync(join(folder, recording)))).toEqual([false, true]);
    expect(await rowOf(near.id)).toBeUndefined();
    await library.removeOf(far.id); // where it was asked for: its own node does that
    expect(await rowOf(far.id)).toMatchObject({ wanted: false });
    await store.pool.query(`UPDATE recordings SET place = 'home' WHERE call_id = $1`, [far.id]);
    expect(await libraryOf().removeUnwanted(10)).toBe(0);
    expect(await library.removeUnwanted(10)).toBe(1);
    expect([files.size, await rowOf(far.id)]).toEqual([0, undefined]);
    await library.removeOf(kept.id); // it is wanted
    expect(await rowOf(kept.id)).toMatchObject({ wanted: true });
  });

  it('one that was on its way to the home when its node died goes from there, too', async () => {
    const call = await recorded();
    const files = new Map([[call.recording, Buffer.from('RIFF')]]);
    await store.calls.erase(call.id, account);
    expect(await libraryOf(homeWith(files)).removeUnwanted(10)).toBe(1);
    expect([files.size, await rowOf(call.id)]).toEqual([0, undefined]);
  });

  it('one that cannot be removed keeps no other, and is tried again', async () => {
    const calls = [await recorded(), await recorded()];
    for (const { id } of calls) await store.calls.erase(id, account);
    await store.pool.query(`UPDATE recordings SET place = 'home' WHERE call_id = ANY($1)`, [calls.map(({ id }) => id)]);
    let faults = 1;
    const remove = async (): Promise<void> => {
      faults -= 1;
      if (faults >= 0) throw new Error('the home is away');
    };
    const library = libraryOf({ ...homeWith(new Map()), remove });
    await expect(library.removeUnwanted(10)).rejects.toThrow('away');
    expect((await Promise.all(calls.map(({ id }) => rowOf(id)))).filter(Boolean)).toHaveLength(1);
    expect(await library.removeUnwanted(10)).toBe(1);
  });
});
