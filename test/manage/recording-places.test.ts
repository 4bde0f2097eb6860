import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RecordingHomeAway } from '../../src/recordings/recording-home.ts';
import type { RecordingLibrary } from '../../src/recordings/recording-library.ts';
import { UnknownSealKey } from '../../src/recordings/sealed-file.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { callOf, DEFINITION, endCall } from '../support/manage-things.ts';

interface Fault {
  readonly error: { readonly code: string; readonly message: string };
}

describe('a recording that is not here', () => {
  let rig: ManageRig;
  let call: string;
  let found: () => Promise<unknown>;
  let removed: () => Promise<void> = async () => undefined;
  beforeAll(async () => {
    const recordings = { find: () => found(), peaks: () => found(), removeOf: () => removed() };
    rig = await manageRig(() => ({ recordings: recordings as unknown as RecordingLibrary }));
    const agent = await rig.store.agents.create(rig.accountId, DEFINITION, 'live');
    call = (await callOf(rig.store, rig.accountId, agent.id)).call;
    await endCall(rig.store, call, 'recordings/x.wav');
  });
  afterAll(() => rig.close());

  it.each([
    {
      name: 'on its way to the home',
      answer: async () => ({ elsewhere: 'not-yet', node: 'abcd1234' }),
      told: [503, 'not_here_yet', '30'],
      word: 'abcd1234',
    },
    {
      name: 'on the disk of another node',
      answer: async () => ({ elsewhere: 'never', node: 'abcd1234' }),
      told: [409, 'elsewhere', null],
      word: 'abcd1234',
    },
    {
      name: 'in a home that is away',
      answer: () => Promise.reject(new RecordingHomeAway(new Error('ECONNREFUSED 192.0.2.7'))),
      told: [503, 'storage_away', '30'],
      word: 'storage',
    },
    {
      name: 'encrypted with another key',
      answer: () => Promise.reject(new UnknownSealKey('0011223344556677')),
      told: [409, 'sealed', null],
      word: '0011223344556677',
    },
    { name: 'gone', answer: async () => undefined, told: [404, 'unknown_resource', null], word: undefined },
  ])('$name', async ({ answer, told, word }) => {
    found = answer;
    for (const path of ['recording', 'peaks']) {
      const { status, headers, body } = await rig.ask<Fault>(`GET /calls/${call}/${path}`);
      expect([status, body.error.code, headers.get('retry-after')]).toEqual(told);
      expect(body.error.message).toContain(word ?? call);
      expect(body.error.message).not.toContain('192.0.2.7');
    }
  });

  it('is erased all the same where its home is away: the caretaker removes it later', async () => {
    removed = () => Promise.reject(new Error('away'));
    expect((await rig.ask(`DELETE /calls/${call}`)).status).toBe(204);
    expect((await rig.ask<{ recording: null }>(`GET /calls/${call}`)).body.recording).toBeNull();
    expect(await rig.store.recordings.get(call)).toMatchObject({ wanted: false });
  });
});
