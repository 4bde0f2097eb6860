import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallBook } from '../../src/billing/contract.ts';
import type { LiveCall } from '../../src/call/call-registry.ts';
import { LEVEL_CALLS_MAX, LevelDesk } from '../../src/manage/level-desk.ts';
import { type LiveEvent, LiveFeed, READERS_MAX } from '../../src/manage/live-feed.ts';
import { liveBook, liveOrder, liveRefusals, liveTrunkStates, liveWords } from '../../src/manage/live-sources.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { LogCapture } from '../support/log-capture.ts';
import { type ManageRig, manageRig, signedIn } from '../support/manage-rig.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { until } from '../support/until.ts';

let rig: ManageRig;
const log = new LogCapture();
beforeAll(async () => {
  rig = await manageRig(undefined, log.logger);
});
afterAll(() => rig?.close());

/** Reads the stream until it ends. */
class Reader {
  text = '';
  ended = false;
  readonly #abort = new AbortController();
  constructor(answer: Promise<Response>) {
    void answer
      .then(async ({ body }) => {
        for await (const piece of body!) this.text += Buffer.from(piece).toString('utf8');
      })
      .catch(() => undefined)
      .finally(() => {
        this.ended = true;
      });
  }
  cookie = '';
  /** With a key, unless a cookie is among the headers. */
  static open(key = rig.key, headers: Record<string, string> = {}, query = ''): Reader {
    const abort = new AbortController();
    const { cookie = '' } = headers;
    const who = cookie === '' && { authorization: `Bearer ${key}` };
    const asked = { headers: { ...who, ...headers }, signal: abort.signal };
    const reader = new Reader(fetch(`${rig.url}/manage/v1/live${query}`, asked));
    reader.cookie = cookie;
    reader.#abort.signal.addEventListener('abort', () => abort.abort());
    return reader;
  }
  get events(): { id: string; type: string; data: Record<string, unknown> }[] {
    return [...this.text.matchAll(/(?:id: (\S+)\n)?event: (\S+)\ndata: (.*)\n\n/g)].map(([, id = '', type, data]) => ({
      ...{ id, type: type!, data: JSON.parse(data!) as Record<string, unknown> },
    }));
  }
  close(): void {
    this.#abort.abort();
  }
}
const opened = async (reader: Reader): Promise<Reader> => {
  await until(() => reader.text.includes(': open'), 'the stream is open');
  return reader;
};

describe('the live stream', () => {
  it('tells an account what is its own, and goes on after a break where it was', async () => {
    const reader = await opened(Reader.open());
    rig.feed.publish('call.started', rig.accountId, { id: 'call_1' });
    rig.feed.publish('call.started', rig.otherAccountId, { id: 'call_2' });
    rig.feed.publish('trunk.changed', undefined, { id: 'trk_1' });
    await until(
      () => reader.events.length === 2,
      () => reader.text,
    );
    expect(reader.events.map(({ data }) => data['id'])).toEqual(['call_1', 'trk_1']);
    reader.close();
    await until(() => rig.feed.readers === 0, 'the reader is gone');
    expect((await fetch(`${rig.url}/manage/v1/openapi.json`)).status).toBe(200); // after what it left behind
    expect(log.lines.filter(({ msg }) => /already sent/.test(String(msg)))).toEqual([]);
    rig.feed.publish('call.ended', rig.accountId, { id: 'call_1' });
    const again = await opened(Reader.open(rig.key, { 'last-event-id': reader.events[0]!.id }));
    await until(
      () => again.events.length === 2,
      () => again.text,
    );
    expect(again.events.map(({ type }) => type)).toEqual(['trunk.changed', 'call.ended']);
    const lost = await opened(Reader.open(rig.key, { 'last-event-id': 'another-7' }));
    await until(
      () => lost.events.length === 1,
      () => lost.text,
    );
    expect(lost.events[0]!.type).toBe('reset');
    for (const one of [again, lost]) one.close();
    await until(() => rig.feed.readers === 0, 'the readers are gone');
  });

  it('ends with its key, and is kept alive before that', async () => {
    const { key, secret } = await rig.store.managementKeys.create(rig.accountId, 'short', ['read']);
    const reader = await opened(Reader.open(secret));
    rig.clock.advance(15_000);
    await until(() => reader.text.includes(': keep-alive'), 'it is kept alive');
    expect(reader.ended).toBe(false);
    await rig.store.managementKeys.revoke(key.id);
    rig.clock.advance(15_000);
    await until(() => reader.ended, 'it has ended');
  });

  it('ends with the session of a person, who is nobody at the next request, too', async () => {
    const person = await signedIn(rig, 'watcher@example.com', 'viewer');
    const reader = await opened(Reader.open(undefined, { cookie: person.cookie! }));
    expect((await person.ask('GET /overview')).status).toBe(200);
    await person.ask('DELETE /session');
    rig.clock.advance(15_000);
    await until(() => reader.ended, 'it has ended');
    expect((await rig.ask('GET /overview', { key: null, headers: { cookie: reader.cookie } })).status).toBe(401);
  });

  it('is open to so many of an account, and not to more', async () => {
    const readers = await Promise.all(Array.from({ length: READERS_MAX.account }, () => opened(Reader.open())));
    const refused = await rig.ask<{ error: { code: string } }>('GET /live');
    expect([refused.status, refused.body.error.code]).toEqual([429, 'too_many_readers']);
    const other = await opened(Reader.open(rig.otherKey));
    for (const one of [...readers, other]) one.close();
    await until(() => rig.feed.readers === 0, 'all are gone');
  });
});

describe('what passes', () => {
  it('are words while they are recognised, for who asks, of the own calls, and they are not told again', async () => {
    const words = await opened(Reader.open(rig.key, {}, '?interim=true'));
    const plain = await opened(Reader.open());
    const observer = liveWords(rig.feed)('call_1', rig.accountId);
    const others = liveWords(rig.feed)('call_2', rig.otherAccountId);
    observer({ type: 'heard', text: 'where is', final: false });
    observer({ type: 'heard', text: 'where is my order', final: true });
    observer({ type: 'says', text: 'One moment.' });
    others({ type: 'heard', text: 'secret', final: false });
    rig.feed.publish('call.ended', rig.accountId, { id: 'call_1' });
    for (const reader of [words, plain]) await until(() => reader.text.includes('call.ended'), 'the end is told');
    expect(words.events.map(({ type, id }) => [type, id !== ''])).toEqual([
      ['call.interim', false],
      ['call.ended', true],
    ]);
    expect(words.events[0]!.data).toEqual({ id: 'call_1', text: 'where is' });
    expect(plain.events.map(({ type }) => type)).toEqual(['call.ended']);
    for (const one of [words, plain]) one.close();
    await until(() => rig.feed.readers === 0, 'all are gone');
  });

  it('are levels of both sides, measured while somebody reads them', async () => {
    let readings = 0;
    const call = (id: string, accountId: string): LiveCall => ({
      ...{ id, sipCallId: id, accountId, agentId: 'agt_1', startedAt: new Date() },
      close: async () => undefined,
      levels: () => {
        readings += 1;
        return { heardDb: -20.4, saidDb: -100 };
      },
    });
    rig.live.push(call('call_1', rig.accountId), call('call_2', rig.accountId), call('call_3', rig.otherAccountId));
    const plain = await opened(Reader.open());
    rig.clock.advance(1_000);
    expect(readings).toBe(0);
    const all = await opened(Reader.open(rig.key, {}, '?levels=all'));
    const one = await opened(Reader.open(rig.key, {}, '?levels=call_2,call_3'));
    rig.clock.advance(100);
    for (const reader of [all, one]) await until(() => reader.events.length > 0, 'levels are told');
    expect(readings).toBe(2); // shared by both
    expect(all.events[0]).toMatchObject({
      type: 'call.levels',
      data: { levels: { call_1: [-20, -100], call_2: [-20, -100] } },
    });
    expect(one.events[0]!.data).toEqual({ levels: { call_2: [-20, -100] } });
    for (const reader of [plain, all, one]) reader.close();
    await until(() => rig.feed.readers === 0, 'all are gone');
    rig.clock.advance(1_000);
    expect(readings).toBe(2);
    rig.live.length = 0;
  });

  it('are no more than so many calls', () => {
    const calls = Array.from({ length: 60 }, (_, n) => ({
      id: `call_${n}`,
      accountId: 'a',
      levels: () => ({ heardDb: 0, saidDb: 0 }),
    }));
    const desk = new LevelDesk(new FakeClock(), () => calls as never);
    expect(Object.keys(desk.of('a', undefined))).toHaveLength(LEVEL_CALLS_MAX);
  });
});

it.runIf(EVERY_TEST)('lets a reader go that is too far behind, and not the others', async () => {
  const { hostname, port } = new URL(rig.url);
  const slow = connect(Number(port), hostname);
  slow.pause();
  slow.on('error', () => undefined);
  slow.write(`GET /manage/v1/live HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${rig.key}\r\n\r\n`);
  const quick = await opened(Reader.open());
  await until(() => rig.feed.readers === 2, 'both read');
  const text = 'x'.repeat(60_000);
  // What the two kernels hold for the one that does not read is theirs; the rest is ours, and bounded.
  let sent = 0;
  await until(
    () => {
      if (rig.feed.readers === 2) {
        rig.feed.publish('call.turn', rig.accountId, { id: 'call_1', text });
        sent += 1;
      }
      return rig.feed.readers === 1;
    },
    () => `${sent} events, ${rig.feed.readers} readers`,
  );
  expect(sent * text.length).toBeLessThan(64 * 1_024 * 1_024);
  await until(
    () => quick.events.length === sent,
    () => `${quick.events.length} of ${sent}`,
  );
  rig.feed.publish('call.ended', rig.accountId, { id: 'call_1' });
  await until(() => quick.text.includes('call.ended'), 'the other goes on');
  quick.close();
  slow.destroy();
  await until(() => rig.feed.readers === 0, 'all are gone');
});

describe('the feed', () => {
  it('remembers so much, and says where it does not', () => {
    const feed = new LiveFeed(new FakeClock());
    const seen: LiveEvent[] = [];
    feed.open(
      'a',
      undefined,
      (event) => seen.push(event),
      () => undefined,
    );
    for (let time = 0; time < 5_000; time += 1) feed.publish('call.turn', 'a', { time });
    const missedSince = (index: number) => {
      const opening = feed.open(
        'a',
        seen[index]!.id,
        () => undefined,
        () => undefined,
      );
      if (opening === 'full') throw new Error('full');
      opening.close();
      return opening.missed;
    };
    expect(missedSince(0)).toBe('lost');
    expect((missedSince(4_989) as LiveEvent[]).map(({ data }) => data['time'])).toEqual([
      4990, 4991, 4992, 4993, 4994, 4995, 4996, 4997, 4998, 4999,
    ]);
    expect(missedSince(4_999)).toEqual([]);
  });

  it('is told of calls, orders and trunks as they change', async () => {
    const feed = new LiveFeed(new FakeClock());
    const seen: LiveEvent[] = [];
    feed.open(
      'acc_1',
      undefined,
      (event) => seen.push(event),
      () => undefined,
    );
    const book: CallBook = {
      begin: async ({ id }) => (id === 'call_refused' ? 'insufficient-credit' : 'ok'),
      answered: () => undefined,
      startMinute: async () => 'ok',
      turn: () => undefined,
      transferred: () => undefined,
      finish: async () => undefined,
    };
    const live = liveBook(book, feed);
    const call = {
      sipCallId: 'x',
      direction: 'inbound',
      accountId: 'acc_1',
      agentId: 'agt_1',
      agentVersion: 1,
    } as const;
    const begin = (id: string) =>
      live.begin({ ...call, id, agentName: 'A', from: '1', to: '2', startedAt: new Date() });
    expect([await begin('call_refused'), await begin('call_1')]).toEqual(['insufficient-credit', 'ok']);
    live.answered('call_1', new Date());
    live.turn('call_1', { index: 0, role: 'caller', text: 'hello', startedMs: 1, heardMs: 2 });
    await live.finish('call_1', {
      endedAt: new Date(),
      answered: true,
      talkMs: 3,
      end: { party: 'gateway', reason: 'engine-failed' },
      dtmf: '',
    });
    live.turn('call_1', { index: 1, role: 'caller', text: 'late', startedMs: 1, heardMs: 2 });
    const change = {
      orderId: 'ord_1',
      accountId: 'acc_1',
      event: 'refuse',
      state: 'ended',
      attempt: 1,
      at: new Date(),
    } as const;
    liveOrder(feed)(change);
    const trunk = { id: 'trk_1', accountId: undefined, definition: { name: 'carrier' } } as never;
    const states = liveTrunkStates({ tell: async () => undefined, takeBack: async () => undefined }, () => trunk, feed);
    const up = { hosts: [{ uri: 'sip:a', state: 'up', answerMs: 1 }] } as const;
    await states.tell(new Map([['trk_1', up]]));
    await states.tell(new Map([['trk_1', { hosts: [{ ...up.hosts[0], answerMs: 2 }] }]]));
    await states.tell(new Map([['trk_1', { hosts: [{ uri: 'sip:a', state: 'down' }] }]]));
    expect(seen.map(({ type }) => type)).toEqual([
      ...[
        'call.started',
        'call.answered',
        'call.turn',
        'call.ended',
        'alert',
        'order.changed',
        'trunk.changed',
        'trunk.changed',
        'alert',
      ],
    ]);
    expect(seen[2]!.data).toMatchObject({ id: 'call_1', role: 'caller', text: 'hello' });
    expect(seen[4]!.data).toMatchObject({ kind: 'call-failed', reason: 'engine-failed', call_id: 'call_1' });
    expect(seen.at(-1)!.data).toMatchObject({ kind: 'trunk-down', name: 'carrier' });
  });
});

it('tells an account that calls of it were refused, once for all that are written at once', async () => {
  const feed = new LiveFeed(new FakeClock());
  const told: LiveEvent[] = [];
  feed.open(
    'acc_1',
    undefined,
    (event) => told.push(event),
    () => undefined,
  );
  const written: number[] = [];
  const rows = liveRefusals({ add: async (calls) => void written.push(calls.length) }, feed);
  const about = { from: '1', to: '2', sourceAddress: '192.0.2.1', transport: 'udp', sipCallId: 'x' };
  const why = { at: new Date(0), reason: 'no-credit', detail: '', remedy: '' };
  const refused = (accountId?: string) => ({ ...about, ...why, ...(accountId !== undefined && { accountId }) });
  await rows.add([refused('acc_1'), refused('acc_1'), refused('acc_2'), refused()]);
  expect(written).toEqual([4]);
  expect(told.map(({ type, data }) => [type, data['kind']])).toEqual([['alert', 'call-refused']]);
});
