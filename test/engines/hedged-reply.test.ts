import { beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/core/errors.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { TurnNotes } from '../../src/core/turn-details.ts';
import { FirstWords, HEDGE_RULES, HedgeBudget, ReplyHedge } from '../../src/engines/hedge.ts';
import { hedgedReply } from '../../src/engines/hedged-reply.ts';
import type { ReplyEngine, ReplyEvent, ReplyRequest, TurnClaim } from '../../src/engines/reply/contract.ts';
import { HandSource, outcomeOf, settle } from '../support/engine-guards.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { randomFrom } from '../support/seeded-random.ts';

const text = (words: string): ReplyEvent => ({ type: 'text', text: words, language: 'en' });
const UNDERSTOOD: TurnClaim = { understood: true, acts: false, byModel: false };

describe('FirstWords', () => {
  const took = (...times: number[]): number | undefined => {
    const words = new FirstWords();
    for (const ms of times) words.took(ms);
    return words.lateMs;
  };
  const count = (n: number, ms: number): number[] => new Array<number>(n).fill(ms);

  it.each([
    { name: 'nothing is known', times: count(HEDGE_RULES.timesMin - 1, 900), late: undefined },
    { name: 'as slow as it is', times: count(20, 900), late: 900 },
    { name: 'never below the floor', times: count(20, 90), late: 700 },
    { name: 'the slowest twentieth is late', times: [...count(95, 800), ...count(5, 4_000)], late: 800 },
    { name: 'more of them are not', times: [...count(94, 800), ...count(6, 4_000)], late: 4_000 },
    { name: 'old times are forgotten', times: [...count(100, 4_000), ...count(100, 800)], late: 800 },
  ])('$name', ({ times, late }) => expect(took(...times)).toBe(late));
});

describe('HedgeBudget', () => {
  it.each([1, 2, 3])('spends five of any hundred turns and no more, from the first on (%i)', (seed) => {
    const random = randomFrom(seed);
    const budget = new HedgeBudget();
    const spent: boolean[] = [];
    for (let turn = 0; turn < 2_000; turn += 1) {
      budget.turn();
      spent.push(random() < 0.3 && budget.take());
      const taken = (from: number): number => spent.slice(Math.max(0, from)).filter(Boolean).length;
      expect(taken(spent.length - 100)).toBeLessThanOrEqual(5);
      expect(taken(0)).toBeLessThanOrEqual(spent.length * 0.05);
    }
    expect(spent.filter(Boolean).length).toBeGreaterThan(80);
  });

  it('lends nothing of turns to come', () => {
    const budget = new HedgeBudget();
    for (let turn = 0; turn < 100; turn += 1) budget.turn();
    expect(Array.from({ length: 7 }, () => budget.take())).toEqual([true, true, true, true, true, false, false]);
  });
});

/** An engine that a test drives by hand. */
class HandEngine {
  readonly source = new HandSource<ReplyEvent>();
  request: ReplyRequest | undefined;
  off = false;
  constructor(readonly name: string) {}

  readonly engine: ReplyEngine = {
    name: '',
    available: () => (this.off ? { ok: false, why: 'off' } : { ok: true }),
    greeting: () => `greeting of ${this.name}`,
    reply: (request, signal) => {
      this.request = request;
      return this.source.start(signal);
    },
    expects: () => ({ hints: { phrases: [], expect: [] }, collect: { maxDigits: 1, terminator: '#', timeoutMs: 1 } }),
    close: async () => {},
  };
  get asked(): boolean {
    return this.source.started > 0;
  }
  get isLeft(): boolean {
    return this.source.signal!.aborted;
  }
  claims(turn: Partial<TurnClaim> = {}): boolean | undefined {
    return this.request!.claim?.({ ...UNDERSTOOD, ...turn });
  }
}

describe('hedgedReply', () => {
  let clock: FakeClock;
  let hedge: ReplyHedge;
  let metrics: ReturnType<typeof createMetrics>;
  let first: HandEngine;
  let second: HandEngine;
  let notes: TurnNotes[];
  let abort: AbortController;
  beforeEach(() => {
    clock = new FakeClock();
    metrics = createMetrics();
    hedge = new ReplyHedge(clock, metrics);
    [first, second] = [new HandEngine('model'), new HandEngine('rules')];
    notes = [];
    abort = new AbortController();
    for (let n = 0; n < 100; n += 1) {
      hedge.of('model').took(800);
      hedge.budget.turn();
    }
  });

  const engineOf = ({ name, engine }: HandEngine): ReplyEngine => ({ ...engine, name });
  const ask = (change: Partial<ReplyRequest> = {}) => {
    const request = { input: 'speech', note: (note: TurnNotes) => notes.push(note), ...change } as ReplyRequest;
    return outcomeOf(hedgedReply(engineOf(first), engineOf(second), hedge).reply(request, abort.signal));
  };
  const late = async (ms = 801): Promise<void> => {
    await clock.advanceAsync(ms);
    await settle();
  };
  const outcomes = async (): Promise<Record<string, number>> => {
    const { values } = await metrics.replyHedges.get();
    return Object.fromEntries(values.map(({ labels, value }) => [String(labels.outcome), value]));
  };

  it('asks the second where the first is late, and leaves the first when the second has words', async () => {
    const said = ask();
    await late(799);
    expect(second.asked).toBe(false);
    await late(2);
    expect(second.asked).toBe(true);
    expect(first.isLeft).toBe(false);
    second.source.give(text('two.'));
    await settle();
    expect(first.isLeft).toBe(true);
    first.source.give(text('one.')).end();
    second.source.give(text('three.')).end();
    expect((await said).results).toEqual([text('two.'), text('three.')]);
    expect(notes).toEqual([{ hedge: { late: 'model', answered: 'rules' } }]);
    expect(await outcomes()).toEqual({ won: 1 });
    expect(clock.pending).toBe(0);
  });

  it('leaves the second where the first has words after all', async () => {
    const said = ask();
    await late();
    first.source.give(text('one.')).end();
    await settle();
    expect(second.isLeft).toBe(true);
    second.source.give(text('two.')).end();
    expect((await said).results).toEqual([text('one.')]);
    expect(notes).toEqual([{ hedge: { late: 'model', answered: 'model' } }]);
    expect(await outcomes()).toEqual({ lost: 1 });
  });

  it('lets exactly one of them answer where both have words at once', async () => {
    const said = ask();
    await late();
    second.source.give(text('two.')).end();
    first.source.give(text('one.')).end();
    expect((await said).results).toHaveLength(1);
    expect([first.claims(), second.claims()].filter(Boolean)).toHaveLength(1);
  });

  it.each([
    { name: 'a word of the first in time', act: () => void first.source.give(text('one.')).end() },
    { name: 'a turn that the first has decided, and works on', act: () => void first.claims({ acts: true }) },
    {
      name: 'the first token of the first, whatever its sentence takes',
      act: () => void first.claims({ byModel: true }),
    },
    {
      name: 'a second that is not there',
      act: () => {
        second.off = true;
      },
    },
    { name: 'a turn that is over', act: () => abort.abort() },
  ])('asks nobody else after $name', async ({ act }) => {
    const said = ask();
    await late(500);
    act();
    await late(5_000);
    expect(second.asked).toBe(false);
    first.source.end();
    await said;
    expect(await outcomes()).toEqual({});
    expect(clock.pending).toBe(0);
  });

  it('asks nobody else at silence, of an engine of which too little is known, and beyond the budget', async () => {
    const silence = ask({ input: 'silence' });
    await late(10_000);
    first.source.end();
    await silence;
    hedge = new ReplyHedge(clock, metrics);
    const unknown = ask();
    await late(10_000);
    first.source.end();
    await unknown;
    expect(await outcomes()).toEqual({});
    for (let n = 0; n < HEDGE_RULES.timesMin; n += 1) hedge.of('model').took(800);
    const spent = ask();
    await late(10_000);
    first.source.end();
    await spent;
    expect(second.asked).toBe(false);
    expect(await outcomes()).toEqual({ 'over-budget': 1 });
  });

  it.each([
    { name: 'did not understand', turn: { understood: false } },
    { name: 'would call a tool', turn: { acts: true } },
  ])('waits for the first where the second $name', async ({ turn }) => {
    const said = ask();
    await late();
    expect(second.claims(turn)).toBe(false);
    second.source.end();
    await late(2_000);
    first.source.give(text('one.')).end();
    expect((await said).results).toEqual([text('one.')]);
    expect(await outcomes()).toEqual({ declined: 1 });
  });

  it('takes any answer of the second once the first has failed', async () => {
    const said = ask();
    await late();
    first.source.fail(new ServiceError('unavailable'));
    await settle();
    expect(second.claims({ understood: false })).toBe(true);
    second.source.give(text('Sorry?')).end();
    expect(await said).toEqual({ results: [text('Sorry?')] });
  });

  it('fails as the first does, where the second had nothing to say before', async () => {
    const said = ask();
    await late();
    second.claims({ understood: false });
    second.source.end();
    first.source.fail(new ServiceError('unavailable'));
    expect((await said).error).toMatchObject({ code: 'unavailable' });
  });

  it('goes on with the first where the second fails', async () => {
    const said = ask();
    await late();
    second.source.fail(new ServiceError('reply_failed'));
    await settle();
    first.source.give(text('one.')).end();
    expect(await said).toEqual({ results: [text('one.')] });
    expect(await outcomes()).toEqual({ failed: 1 });
  });

  it('fails with who answers: half of it was said', async () => {
    const said = ask();
    await late();
    second.source.give(text('two.'));
    await settle();
    second.source.fail(new ServiceError('reply_failed'));
    expect(await said).toMatchObject({ results: [text('two.')], error: { code: 'reply_failed' } });
  });

  it('leaves both when the caller interrupts', async () => {
    const said = ask();
    await late();
    abort.abort();
    expect([first.isLeft, second.isLeft]).toEqual([true, true]);
    expect([first.claims(), second.claims()]).toEqual([false, false]);
    first.source.end();
    second.source.end();
    expect((await said).results).toEqual([]);
    expect(await outcomes()).toEqual({ aborted: 1 });
    expect(clock.pending).toBe(0);
  });

  it('keeps what the loser tells of the turn out of its record', async () => {
    const said = ask();
    await late();
    expect(second.claims()).toBe(true);
    first.request!.note!({ rule: 'of the first' });
    second.request!.note!({ rule: 'of the second' });
    second.source.give(text('two.')).end();
    await said;
    expect(notes).toEqual([{ rule: 'of the second' }, { hedge: { late: 'model', answered: 'rules' } }]);
  });

  it('remembers how late the first was at least, when the second has answered', async () => {
    for (let n = 0; n < 6; n += 1) {
      [first, second] = [new HandEngine('model'), new HandEngine('rules')];
      for (let turn = 0; turn < 100; turn += 1) hedge.budget.turn();
      const said = ask();
      await late(900);
      second.claims();
      second.source.give(text('two.')).end();
      await said;
    }
    expect(hedge.of('model').lateMs).toBeGreaterThanOrEqual(900);
  });
});
