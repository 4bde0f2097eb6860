import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byteRange } from '../../src/manage/byte-range.ts';
import { plainTranscript, webVtt } from '../../src/manage/transcript-text.ts';
import { peaksPath, RecordingFiles } from '../../src/recordings/recording-files.ts';
import { clip } from '../support/api-rig.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { callOf, DEFINITION, endCall } from '../support/manage-things.ts';
import { moneyOf } from '../support/money.ts';
import { kept } from '../support/recording-kept.ts';

interface Code {
  readonly error: { readonly code: string; readonly message: string };
}
type Page = { readonly items: readonly { readonly id: string }[]; readonly next: string | null };

let rig: ManageRig;
let agentId: string;
beforeAll(async () => {
  rig = await manageRig();
  agentId = (await rig.store.agents.create(rig.accountId, DEFINITION, 'live')).id;
  await rig.store.numbers.assign('+966112345678', rig.accountId, agentId);
});
afterAll(async () => {
  expect(await rig?.unaudited()).toEqual([]);
  await rig?.close();
});

describe('calls', () => {
  it('are listed by what they are, in pages, those of the same moment too', async () => {
    const startedAt = new Date('2026-03-01T10:00:00.000Z');
    const made: string[] = [];
    for (let time = 0; time < 3; time += 1)
      made.push((await callOf(rig.store, rig.accountId, agentId, { startedAt })).call);
    const inbound = await callOf(rig.store, rig.accountId, agentId, { direction: 'inbound', from: '+966555000111' });
    await endCall(rig.store, made[0]!);
    const ids = async (query: string): Promise<string[]> =>
      (await rig.ask<Page>(`GET /calls?${query}`)).body.items.map(({ id }) => id);
    const window = 'since=2026-03-01T00:00:00Z&until=2026-03-02T00:00:00Z';
    expect(await ids(window)).toEqual([...made].sort().reverse());
    expect(await ids(`${window}&state=ended`)).toEqual([made[0]]);
    expect(await ids(`${window}&state=live`)).toHaveLength(2);
    expect(await ids('direction=inbound')).toEqual([inbound.call]);
    expect(await ids('number=%2B966555000111')).toEqual([inbound.call]);
    expect(await ids(`end_reason=callee-hangup&agent_id=${agentId}`)).toEqual([made[0]]);
    expect(await ids('agent_id=agt_nobody')).toEqual([]);
    const seen: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const { body }: { body: Page } = await rig.ask<Page>(`GET /calls?${window}&limit=2${next && `&after=${next}`}`);
      seen.push(...body.items.map(({ id }) => id));
      next = body.next;
    }
    expect(seen).toEqual([...made].sort().reverse());
    expect((await rig.ask('GET /calls?since=yesterday')).status).toBe(400);
  });

  it('are told whole: words, quality, cost, variables, messages', async () => {
    const { call } = await callOf(rig.store, rig.accountId, agentId);
    await endCall(rig.store, call);
    expect((await rig.ask(`GET /calls/${call}`)).body).toMatchObject({
      ...{ id: call, agent_id: agentId, dtmf: '4521', talk_ms: 65_000, variables: { name: 'Noura' }, recording: null },
      ...{ quality: { mos: 4.3, codec: 'PCMU' }, end: { party: 'callee', reason: 'callee-hangup' } },
      turns: [
        { role: 'agent', started_ms: 61_000 },
        { role: 'caller', text: 'متى تفتحون' },
      ],
      cost_lines: [{ kind: 'call-minute', cents: 3 }],
    });
    const ladder = await rig.ask<{ items: { messages: object[] }[] }>(`GET /calls/${call}/ladder`);
    expect(ladder.body.items[0]!.messages).toEqual([expect.objectContaining({ line: 'INVITE', direction: 'in' })]);
    const text = async (format: string): Promise<[string | null, string]> => {
      const { headers, text: said } = await rig.ask(`GET /calls/${call}/transcript?format=${format}`);
      return [headers.get('content-type'), said];
    };
    expect(await text('txt')).toEqual([
      'text/plain; charset=utf-8',
      '01:01.0  Agent  Hello <b>there</b> & --> you\n01:03.2  Caller  متى تفتحون\n',
    ]);
    expect((await text('vtt'))[1]).toContain(
      '00:01:01.000 --> 00:01:02.500\n<v Agent>Hello &lt;b&gt;there&lt;/b&gt; &amp; --&gt; you\n',
    );
    expect(JSON.parse((await text('json'))[1]).items).toHaveLength(2);
  });

  it('say where in their recording they were answered, from which subtitles are shifted and nothing else', async () => {
    const { store } = rig;
    const { call } = await callOf(store, rig.accountId, agentId);
    await store.pool.query(
      `UPDATE calls SET recording = 'recordings/x.wav', recording_answer_ms = NULL WHERE id = $1`,
      [call],
    );
    await store.calls.answered(store.pool, call, new Date(), 4_200);
    await store.calls.answered(store.pool, call, new Date(), 9_000); // told again
    const { body } = await rig.ask<{ turns: object[] }>(`GET /calls/${call}`);
    expect(body).toMatchObject({ recording_answer_ms: 4_200, turns: [{ started_ms: 61_000 }, {}] });
    expect((await rig.ask(`GET /calls/${call}/transcript?format=vtt`)).text).toContain('00:01:05.200 --> 00:01:06.700');
    expect((await rig.ask(`GET /calls/${call}/transcript?format=txt`)).text).toContain('01:01.0  Agent');
  });

  it('tell of each turn how it was taken, what an answer waited for, and the keys with their times', async () => {
    const { store } = rig;
    const { call } = await callOf(store, rig.accountId, agentId);
    const timings = {
      ...{ speechEndMs: 1_000, finalTranscriptMs: 1_200, endpointMs: 1_500 },
      ...{ firstTextMs: 1_520, firstAudioMs: 1_600, firstPacketMs: 1_640 },
    };
    const turn = { text: 'x\0', startedMs: 0, heardMs: 1 };
    const heard = { understood: true, meant: ['intent:order'], slots: { number: '4521\0' }, withheld: { Value: 2 } };
    const pause = { language: 'ar', said: 'complete', probability: 0.9, ms: 31, waited: 250, truth: 'over' } as const;
    await store.calls.turn(store.pool, call, {
      ...turn,
      index: 2,
      role: 'caller',
      details: { ...heard, pauses: [pause] },
    });
    const said = { action: 'hangup', interruptedMs: 1_900, unheard: 'and before noon' } as const;
    await store.calls.turn(store.pool, call, {
      ...turn,
      index: 3,
      role: 'agent',
      latencyMs: 640,
      timings,
      details: { ...said, pause },
    });
    const late = { ...timings, finalTranscriptMs: 1_510 };
    await store.calls.turn(store.pool, call, { ...turn, index: 4, role: 'agent', latencyMs: 640, timings: late });
    const qualityOverTime = {
      fromMs: -20,
      everyMs: 5_000,
      lossPercent: [0.2, null],
      jitterMs: [1, null],
      mos: [4.3, null],
    };
    const keys = [{ key: '4', means: 'event', atMs: 700 }] as const;
    const end = {
      endedAt: new Date(),
      talkMs: 1,
      party: 'caller',
      reason: 'caller-hangup',
      dtmf: '4',
      keys,
      qualityOverTime,
    };
    await store.calls.finish(store.pool, call, end);
    const { body } = await rig.ask<{ turns: object[] }>(`GET /calls/${call}`);
    expect(body).toMatchObject({
      ...{ slots: { number: '4521' }, withheld: { Value: 2 }, answers: { count: 2, p50_ms: 640, p95_ms: 640 } },
      keys: [{ key: '4', means: 'event', at_ms: 700 }],
      quality_over_time: {
        from_ms: -20,
        every_ms: 5_000,
        loss_percent: [0.2, null],
        jitter_ms: [1, null],
        mos: [4.3, null],
      },
    });
    expect(body.turns[2]).toMatchObject({ understood: true, meant: ['intent:order'], pauses: [pause] });
    expect(body.turns[3]).toMatchObject({ pause });
    const stages = { first_words_ms: 20, first_sound_ms: 80, first_packet_ms: 40 };
    expect(body.turns[3]).toMatchObject({
      ...{ action: 'hangup', interrupted_ms: 1_900, unheard: 'and before noon' },
      stages: { end_of_speech_wait_ms: 500, final_transcript_ms: 0, ...stages },
    });
    expect(body.turns[4]).toMatchObject({
      stages: { end_of_speech_wait_ms: 500, final_transcript_ms: 10, ...stages, first_words_ms: 10 },
    });
    await rig.ask(`DELETE /calls/${call}`);
    const erased = await rig.ask(`GET /calls/${call}`);
    expect(erased.body).toMatchObject({ keys: [], slots: {}, withheld: {}, turns: [] });
  });

  it('have a recording that is given whole, in parts, and with its peaks', async () => {
    const { call } = await callOf(rig.store, rig.accountId, agentId);
    const name = `recordings/${call}.wav`;
    const bytes = clip(1);
    mkdirSync(join(rig.dataFolder, 'recordings'), { recursive: true });
    writeFileSync(join(rig.dataFolder, name), bytes);
    const path = `GET /calls/${call}/recording`;
    expect((await rig.ask(path)).status).toBe(404); // goes on
    await endCall(rig.store, call, name);
    await kept(rig.dataFolder, name);
    const get = async (range?: string, more: object = {}) => {
      const headers = { authorization: `Bearer ${rig.key}`, ...(range !== undefined && { range }), ...more };
      const answer = await fetch(`${rig.url}/manage/v1/calls/${call}/recording`, { headers });
      return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const whole = await get();
    expect([whole.status, whole.headers.get('content-type'), whole.bytes.equals(bytes)]).toEqual([
      200,
      'audio/wav',
      true,
    ]);
    const part = await get('bytes=100-199');
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${bytes.length}`]);
    expect(part.bytes.equals(bytes.subarray(100, 200))).toBe(true);
    expect((await get(`bytes=${bytes.length}-`)).status).toBe(416);
    expect((await get('bytes=0-1', { 'if-range': '"another"' })).status).toBe(200);
    expect((await get('bytes=0-1', { 'if-range': whole.headers.get('etag')! })).status).toBe(206);
    const peaks = await rig.ask<{ seconds: number }>(`GET /calls/${call}/peaks`);
    expect(peaks.body.seconds).toBe(1);
    const pairsOf = async (query: string): Promise<number[][]> =>
      (await rig.ask<{ channels: number[][][] }>(`GET /calls/${call}/peaks${query}`)).body.channels[0]!;
    const [fine, coarse] = [await pairsOf('?pairs=4000'), await pairsOf('?pairs=7')];
    expect([fine.length, (await pairsOf('')).length, coarse.length]).toEqual([4_000, 200, 7]);
    const highest = (pairs: number[][]): number => Math.max(...pairs.map(([, high]) => high!));
    expect(highest(coarse)).toBe(highest(fine));
    expect(await pairsOf('?pairs=12000')).toEqual(fine); // all that there are
    expect((await rig.ask(`GET /calls/${call}/peaks?pairs=x`)).status).toBe(400);
  });

  it('are hung up where they go on, by their own account', async () => {
    const { call } = await callOf(rig.store, rig.accountId, agentId);
    const ends: string[] = [];
    const close = async ({ reason }: { reason: string }): Promise<void> => void ends.push(reason);
    const facts = { id: call, sipCallId: 'x', accountId: rig.accountId, agentId, startedAt: new Date() };
    rig.live.push({ ...facts, close });
    const path = `POST /calls/${call}/hangup`;
    expect((await rig.ask(path, { key: rig.otherKey })).status).toBe(404);
    expect(ends).toEqual([]);
    expect((await rig.ask(path)).status).toBe(202);
    expect(ends).toEqual(['cancelled']);
    rig.live.pop();
    expect((await rig.ask<Code>(path)).body.error.message).toBe('Not possible: another gateway has the call.');
    await endCall(rig.store, call);
    expect((await rig.ask<Code>(path)).body.error.message).toBe('Not possible: the call is over.');
  });

  it('stay erased, whatever comes late of a call that was presumed dead', async () => {
    const { store, accountId } = rig;
    const { call } = await callOf(store, accountId, agentId);
    const end = { endedAt: new Date(), talkMs: 1, party: 'gateway', dtmf: '' };
    await store.calls.finish(store.pool, call, { ...end, reason: 'interrupted' });
    await rig.ask(`DELETE /calls/${call}`);
    const turn = { index: 9, role: 'caller', text: 'my secret', startedMs: 0, heardMs: 1 } as const;
    await store.calls.turn(store.pool, call, turn);
    await moneyOf(store).given({ id: `${call}/turn/9`, accountId, cents: 2, owner: call, kind: 'call-turn' });
    await store.calls.finish(store.pool, call, {
      ...{ ...end, party: 'caller', reason: 'caller-hangup', detail: 'my secret', dtmf: '4521' },
      ...{ keys: [{ key: '4', means: 'event', atMs: 1 }], recording: 'recordings/late.wav' },
      transfers: [{ target: '+966501234567', by: 'refer', outcome: 'transferred', startedMs: 1 }],
    });
    const steps = [
      {
        at: '2026-01-02T03:04:05.678Z',
        direction: 'in',
        peer: 'udp/192.0.2.7:5060',
        line: 'INVITE',
        text: 'my secret',
      },
    ];
    const ladder = { callId: call, sipCallId: call, startedAt: new Date(), inbound: true, answered: true, steps };
    await store.ladders.add([ladder as never]);
    const { body } = await rig.ask(`GET /calls/${call}`);
    const nothing = { dtmf: '', keys: [], turns: [], transfers: [], recording: null };
    expect(body).toMatchObject({ ...nothing, cost_cents: 5, end: { party: 'caller', reason: 'caller-hangup' } });
    expect((await rig.ask<{ items: object[] }>(`GET /calls/${call}/ladder`)).body.items).toEqual([]);
    const { rows } = await store.pool.query(
      'SELECT count(*)::int AS hits FROM calls c WHERE c::text LIKE $1 AND id = $2',
      ['%secret%', call],
    );
    expect([rows[0].hits, await store.calls.isErased(call)]).toEqual([0, true]);
  });

  it('leave nothing personal behind when they are erased, and their cost', async () => {
    const { call, order } = await callOf(rig.store, rig.accountId, agentId);
    expect((await rig.ask<Code>(`DELETE /calls/${call}`)).body.error.code).toBe('not_possible');
    const name = `recordings/${call}.wav`;
    mkdirSync(join(rig.dataFolder, 'recordings'), { recursive: true });
    writeFileSync(join(rig.dataFolder, name), clip(0.1));
    await endCall(rig.store, call, name);
    await kept(rig.dataFolder, name);
    expect((await rig.ask(`DELETE /calls/${call}`)).status).toBe(204);
    const { body } = await rig.ask(`GET /calls/${call}`);
    expect(body).toMatchObject({
      from: '',
      to: '',
      dtmf: '',
      turns: [],
      recording: null,
      cost_cents: 3,
      variables: {},
    });
    expect((await rig.ask<{ items: object[] }>(`GET /calls/${call}/ladder`)).body.items).toEqual([]);
    expect((await rig.ask(`GET /orders/${order}`)).body).toMatchObject({ to: '', from: '' });
    const left = new RecordingFiles(rig.dataFolder);
    expect([await left.find(name), await left.find(peaksPath(name))]).toEqual([undefined, undefined]);
    expect((await rig.ask(`DELETE /calls/${call}`, { key: rig.otherKey })).status).toBe(404);
  });
});

describe('calls out', () => {
  const place = (body: object, headers = {}) =>
    rig.ask<Code & { id: string; state: string }>('POST /calls', {
      body: { agent: DEFINITION.name, to: 'phone:reception', ...body },
      headers,
    });

  it('are ordered once for a key, seen and cancelled', async () => {
    const placed = await place({ variables: { name: 'Noura' } }, { 'idempotency-key': 'order-1' });
    expect([placed.status, placed.body.state]).toEqual([202, 'queued']);
    expect((await place({ variables: { name: 'Noura' } }, { 'idempotency-key': 'order-1' })).body.id).toBe(
      placed.body.id,
    );
    const listed = await rig.ask<Page>('GET /orders?state=queued');
    expect(listed.body.items.map(({ id }) => id)).toEqual([placed.body.id]);
    expect((await rig.ask(`POST /orders/${placed.body.id}/cancel`)).body).toMatchObject({ state: 'ended' });
    expect((await rig.ask<Page>('GET /orders?state=queued')).body.items).toEqual([]);
  });

  it('are refused with the sentence that says why', async () => {
    expect((await place({ agent: 'Nobody' })).body.error.code).toBe('unknown_resource');
    const toNumber = await place({ to: '+966501234567' });
    expect(toNumber).toMatchObject({
      status: 422,
      body: {
        error: {
          message: 'Not called: The number may not be called: there is no such trunk.',
          notice: { code: 'order.not-allowed', params: { why: { code: 'end.no-such-trunk' } } },
        },
      },
    });
    expect((await place({ ring_seconds: 100_000 })).body.error.code).toBe('not_called');
  });
});

it('refused calls are shown to their account, those of nobody to operators', async () => {
  const refused = {
    at: new Date(),
    from: '1',
    to: '2',
    sourceAddress: 'x:1',
    transport: 'udp',
    sipCallId: 'r',
    reason: 'not-allowed',
    detail: '',
  };
  const accounts = [rig.accountId, rig.otherAccountId, undefined];
  await rig.store.refusedCalls.add(
    accounts.map((accountId) => ({ ...refused, ...(accountId && { accountId }), remedy: accountId ?? 'nobody' })),
  );
  const seen = async (key: string): Promise<string[]> =>
    (await rig.ask<{ items: { remedy: string }[] }>('GET /refused-calls', { key })).body.items.map(
      ({ remedy }) => remedy,
    );
  expect(await seen(rig.key)).toEqual(['nobody', rig.accountId]);
  expect(await seen(rig.otherKey)).toEqual([rig.otherAccountId]);
});

it('why a call was refused, and what would let it in, are data too; what nobody here said is not', async () => {
  const call = { at: new Date(), from: '1', to: '2', sourceAddress: 'x:1', transport: 'udp', sipCallId: 'said' };
  const refused = { ...call, accountId: rig.accountId, reason: 'switched-off' };
  const off = { detail: 'trunk stc is switched off', remedy: 'Switch the trunk on: `nidaa trunk on`.' };
  await rig.store.refusedCalls.add([
    { ...refused, ...off },
    { ...refused, detail: 'as it was said before', remedy: '' },
  ]);
  const { body } = await rig.ask<Page>('GET /refused-calls?limit=2');
  expect(body.items).toEqual([
    expect.objectContaining({ detail: 'as it was said before', detail_notice: null, remedy_notice: null }),
    expect.objectContaining({
      ...off,
      detail_notice: { code: 'end.trunk-off', params: { name: 'stc' } },
      remedy_notice: { code: 'remedy.trunk-on', params: {} },
    }),
  ]);
});

describe('a range', () => {
  it.each([
    [undefined, 'all'],
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=90-1000', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['bytes=-0', 'none'],
    ['bytes=100-', 'none'],
    ['bytes=20-10', 'all'],
    ['bytes=0-1,5-6', 'all'],
    ['items=0-1', 'all'],
    ['bytes=-', 'all'],
  ])('%s', (header, range) => {
    expect(byteRange(header, 100)).toEqual(range);
  });
});

it('a recording outside of the data folder is none', async () => {
  const files = new RecordingFiles(rig.dataFolder);
  expect(await files.find('../../../etc/passwd')).toBeUndefined();
  expect(await files.find('/etc/passwd')).toBeUndefined();
});

it('a transcript of hours has its hours, and one without a word is still one', () => {
  const turn = {
    callId: 'x',
    index: 0,
    role: 'person',
    text: 'a\nb',
    heardMs: 0,
    latencyMs: null,
    timings: null,
    heardBy: null,
    details: null,
  } as const;
  expect(plainTranscript([{ ...turn, startedMs: 3_600_000 }])).toBe('01:00:00.0  Person  a b\n');
  expect(webVtt([])).toBe('WEBVTT\n');
});
