import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallBook } from '../../src/billing/contract.ts';
import { type LiveEvent, LiveFeed, READERS_MAX } from '../../src/manage/live-feed.ts';
import { liveBook, liveOrder, liveTrunkStates } from '../../src/manage/live-sources.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { until } from '../support/until.ts';

let rig: ManageRig;
beforeAll(async () => {
  rig = await manageRig();
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
  static open(key = rig.key, headers: Record<string, string> = {}): Reader {
    const abort = new AbortController();
    const asked = { headers: { authorization: `Bearer ${key}`, ...headers }, signal: abort.signal };
    const reader = new Reader(fetch(`${rig.url}/manage/v1/live`, asked));
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

  it('is open to so many of an account, and not to more', async () => {
    const readers = await Promise.all(Array.from({ length: READERS_MAX.account }, () => opened(Reader.open())));
    const refused = await rig.ask<{ error: { code: string } }>('GET /live');
    expect([refused.status, refused.body.error.code]).toEqual([429, 'too_many_readers']);
    const other = await opened(Reader.open(rig.otherKey));
    for (const one of [...readers, other]) one.close();
    await until(() => rig.feed.readers === 0, 'all are gone');
  });
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
      end: { party: 'caller', reason: 'caller-hangup' },
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
        'order.changed',
        'trunk.changed',
        'trunk.changed',
      ],
    ]);
    expect(seen[2]!.data).toMatchObject({ id: 'call_1', role: 'caller', text: 'hello' });
  });
});
