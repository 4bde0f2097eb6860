import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Billing } from '../../src/billing/billing.ts';
import type { AgentDefinition } from '../../src/core/agent.ts';
import type { CallAnalysis } from '../../src/core/call-analysis.ts';
import { ServiceError } from '../../src/core/errors.ts';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { CallToRead } from '../../src/engines/after-call/call-analyst.ts';
import { createDocumentReader } from '../../src/engines/document/retrieval-reader.ts';
import { analyseCall, READ_WITHIN_MS } from '../../src/jobs/analyse-call.ts';
import { Jobs } from '../../src/jobs/queues.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { localRecordings } from '../support/local-recordings.ts';
import { LogCapture } from '../support/log-capture.ts';
import { callOf, DEFINITION, endCall } from '../support/manage-things.ts';
import { openTestStore, type TestStore } from '../support/postgres-store.ts';
import { until } from '../support/until.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 }); // a real database, on a machine that may be busy

const BASE: CallAnalysis = { outcome: 'hung-up', summary: 'About a heron.', fields: [], by: 'dialogue' };
const READ: CallAnalysis = { ...BASE, outcome: 'callback', summary: 'About an ibis.', by: 'openai' };
const RULES: AgentDefinition['afterCall'] = {
  ...{ summary: true, outcomes: [{ name: 'sold', done: ['buy'] }], fields: [{ name: 'item', type: 'text' }] },
};

let test: TestStore;
let accountId: string;
let agentId: string;
beforeAll(async () => {
  test = await openTestStore();
  accountId = (await test.store.accounts.create('test')).id;
  agentId = (await test.store.agents.create(accountId, { ...DEFINITION, afterCall: RULES }, 'live')).id;
});
afterAll(() => test.close());

/** A call with a flow that was done in it, which has not ended. */
async function talked(agent = agentId): Promise<string> {
  const { call } = await callOf(test.store, accountId, agent);
  const details = { understood: true, flow: 'buy', slots: { item: 'a lamp' }, done: ['buy'] };
  await test.store.calls.turn(test.store.pool, call, {
    ...{ index: 2, role: 'caller', text: 'yes, the lamp', startedMs: 1, heardMs: 1, details },
  });
  return call;
}
async function unread(): Promise<string> {
  const call = await talked();
  await endCall(test.store, call, undefined, { analysis: BASE, analysisState: 'pending' });
  return call;
}
const shown = async (id: string) => {
  const { outcome, analysis, analysisState } = (await test.store.calls.get(id))!.call;
  return { outcome, state: analysisState, by: analysis?.by, summary: analysis?.summary };
};
const reader = (read: () => Promise<CallAnalysis>, reads = true) => ({ reads: () => reads, read: vi.fn(read) });
const look = (id: string, analyst?: ReturnType<typeof reader>, clock = new FakeClock(Date.now())): Promise<void> =>
  analyseCall({ store: test.store, analyst, clock, logger: silentLogger }, id);

describe('a call that was left open', () => {
  async function recovered(id: string): Promise<void> {
    const { store, dataFolder } = test;
    const billing = await Billing.open({ store, dataFolder, logger: silentLogger, metrics: createMetrics() });
    try {
      const dead = newId('call');
      await store.pool.query('INSERT INTO gateways (id, node, fenced_at) SELECT $1, $2, now()', [
        ...[dead, store.gateways.node],
      ]);
      await store.pool.query('UPDATE calls SET gateway = $2 WHERE id = $1', [id, dead]);
      await billing.recover();
    } finally {
      await billing.close();
    }
  }

  it('has what its turns on record say', async () => {
    const id = await talked();
    await recovered(id);
    expect(await shown(id)).toMatchObject({ outcome: null, state: 'pending' });
    await look(id);
    const { call } = (await test.store.calls.get(id))!;
    expect(call).toMatchObject({ endReason: 'interrupted', outcome: 'sold', analysisState: 'ready' });
    expect(call.analysis?.fields).toEqual([{ name: 'item', value: 'a lamp', turn: 2, words: 'yes, the lamp' }]);
    expect(await test.store.calls.list({ accountId, words: 'done' })).toContainEqual(expect.objectContaining({ id }));
  });

  it('has nothing where its agent wants nothing', async () => {
    const other = await test.store.agents.create(accountId, { ...DEFINITION, name: 'Plain' }, 'live');
    const id = await talked(other.id);
    await recovered(id);
    expect(await shown(id)).toMatchObject({ outcome: null, state: null });
  });
});

describe('a call that somebody reads', () => {
  it('has what comes of it, once', async () => {
    const id = await unread();
    const analyst = reader(async () => READ);
    await look(id, analyst);
    await look(id, analyst);
    expect(analyst.read).toHaveBeenCalledOnce();
    expect(await shown(id)).toEqual({ outcome: 'callback', state: 'ready', by: 'openai', summary: 'About an ibis.' });
    const found = (words: string) => test.store.calls.list({ accountId, words });
    expect([(await found('ibis')).map((one) => one.id), await found('heron')]).toEqual([[id], []]);
    expect((await found('lamp')).map((one) => one.id)).toContain(id);
  });

  it('tells what that took of a service, beside what the call itself took', async () => {
    const id = await talked();
    const services = { deepgram: { 'audio-seconds': 12.5 }, 'openai-chat': { 'input-tokens': 1_000, requests: 2 } };
    await endCall(test.store, id, undefined, { analysis: BASE, analysisState: 'pending', services });
    const log = new LogCapture();
    const clock = new FakeClock(Date.now());
    const analyst = {
      reads: () => true,
      read: async ({ used }: CallToRead) => {
        used?.('openai-chat', 'input-tokens', 812);
        return READ;
      },
    };
    await analyseCall({ store: test.store, analyst, clock, logger: log.logger }, id);
    expect(log.text).toMatch(new RegExp(`${id}.*"services":{"openai-chat":{"input-tokens":812}}`));
    expect((await test.store.calls.get(id))!.call.services).toEqual({
      ...services,
      'openai-chat': { 'input-tokens': 1_812, requests: 2 },
    });
  });

  it.each([
    ['nobody reads', undefined],
    ['its agent keeps away from models', reader(async () => READ, false)],
    ['the answer is rubbish', reader(async () => Promise.reject(new ServiceError('answer_failed')))],
  ])('keeps what its dialogue knows where %s', async (_name, analyst) => {
    const id = await unread();
    await look(id, analyst);
    expect(await shown(id)).toEqual({ outcome: 'hung-up', state: 'ready', by: 'dialogue', summary: 'About a heron.' });
  });

  it('waits for a service that is away, and not for ever', async () => {
    const id = await unread();
    const away = reader(async () => Promise.reject(new ServiceError('unavailable')));
    await expect(look(id, away)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await shown(id)).toMatchObject({ state: 'pending', outcome: 'hung-up' });
    await look(id, away, new FakeClock(Date.now() + READ_WITHIN_MS + 1_000));
    expect(await shown(id)).toMatchObject({ state: 'ready', by: 'dialogue' });
  });

  it('stays erased when it was erased meanwhile', async () => {
    const id = await unread();
    await look(
      id,
      reader(async () => {
        await test.store.calls.erase(id, accountId);
        return READ;
      }),
    );
    expect(await shown(id)).toEqual({ outcome: null, state: null, by: undefined, summary: undefined });
    const later = await unread();
    await test.store.calls.erase(later, accountId);
    const analyst = reader(async () => READ);
    await look(later, analyst);
    expect(analyst.read).not.toHaveBeenCalled();
  });
});

it('is found in the database when its job was lost', async () => {
  const id = await unread();
  const { store, dataFolder } = test;
  const logger = silentLogger;
  const billing = await Billing.open({ store, dataFolder, logger, metrics: createMetrics() });
  const clock = new FakeClock(Date.now());
  const documents = createDocumentReader({ clock, logger, limits: { threads: 1 } });
  const jobs = await Jobs.open({
    ...{ store, billing, logger, metrics: createMetrics(), reader: documents, caretakerMs: 200 },
    recordings: localRecordings(dataFolder, store),
    analyst: reader(async () => READ),
  });
  try {
    await until(async () => (await shown(id)).state === 'ready', 'the caretaker has found it');
    expect(await shown(id)).toMatchObject({ outcome: 'callback', by: 'openai' });
    const next = newId('call');
    jobs.analyseCall(next); // nothing of it is known: nothing is done
    const again = await unread();
    jobs.analyseCall(again);
    await until(async () => (await shown(again)).state === 'ready', 'its job has run');
  } finally {
    await jobs.close();
    await billing.close();
    documents.close();
  }
});
