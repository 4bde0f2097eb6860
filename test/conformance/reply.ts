import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/core/agent.ts';
import type { ReplyEngine, ReplyEvent, ReplyRequest } from '../../src/engines/reply/contract.ts';

export interface ReplySubject {
  /** A fresh engine; the suite closes it. */
  readonly make: () => ReplyEngine;
  readonly agent: Agent;
  /** Something the agent answers. */
  readonly text: string;
}

/** What every `ReplyEngine` must do, whatever it thinks with. */
export function replyConformance(name: string, subject: ReplySubject): void {
  const request = (change: Partial<ReplyRequest> = {}): ReplyRequest => ({
    agent: subject.agent,
    text: subject.text,
    input: 'speech',
    mode: 'voice',
    confidence: 1,
    history: [{ role: 'agent', text: 'Hello.' }],
    variables: {},
    ...change,
  });
  const collect = async (
    engine: ReplyEngine,
    asked: ReplyRequest,
    signal = new AbortController().signal,
  ): Promise<ReplyEvent[]> => {
    const events: ReplyEvent[] = [];
    for await (const event of engine.reply(asked, signal)) events.push(event);
    return events;
  };
  const withEngine = async (body: (engine: ReplyEngine) => Promise<void>): Promise<void> => {
    const engine = subject.make();
    try {
      await body(engine);
    } finally {
      await engine.close();
    }
  };

  describe(`ReplyEngine contract: ${name}`, () => {
    it('says that it is available', () =>
      withEngine(async (engine) => {
        expect(engine.name).not.toBe('');
        expect(engine.available()).toEqual({ ok: true });
      }));

    it('greets without leaving a template open', () =>
      withEngine(async (engine) => {
        for (const mode of ['voice', 'keypad'] as const) {
          const greeting = engine.greeting(subject.agent, {}, mode);
          expect(greeting.trim()).not.toBe('');
          expect(greeting).not.toMatch(/[{}]/);
        }
      }));

    it.each(['speech', 'keypad', 'silence'] as const)(
      'answers %s with text first and at most one action, last',
      (input) =>
        withEngine(async (engine) => {
          const text = input === 'silence' ? '' : input === 'keypad' ? '1' : subject.text;
          const events = await collect(engine, request({ input, text }));
          expect(events.length).toBeGreaterThan(0);
          const actions = events.filter((event) => event.type === 'action');
          expect(actions.length).toBeLessThanOrEqual(1);
          if (actions.length === 1) expect(events.at(-1)).toBe(actions[0]);
          for (const event of events) {
            if (event.type !== 'text') continue;
            expect(event.text.trim()).toBe(event.text);
            expect(event.text).not.toBe('');
            expect(event.text).not.toMatch(/\{\{/);
            expect(['ar', 'en']).toContain(event.language);
          }
        }),
    );

    it('works without history, and with more of it than is used', () =>
      withEngine(async (engine) => {
        expect(await collect(engine, request({ history: [] }))).not.toEqual([]);
        const long = Array.from({ length: 200 }, (_, i) => ({
          role: i % 2 === 0 ? ('agent' as const) : ('caller' as const),
          text: `turn ${i}`,
        }));
        expect(await collect(engine, request({ history: long }))).not.toEqual([]);
      }));

    it('ends without an error when it is aborted, before and in the middle', () =>
      withEngine(async (engine) => {
        expect(await collect(engine, request(), AbortSignal.abort())).toEqual([]);
        const abort = new AbortController();
        const seen: ReplyEvent[] = [];
        for await (const event of engine.reply(request(), abort.signal)) {
          seen.push(event);
          abort.abort();
        }
        expect(seen.length).toBeLessThanOrEqual(1);
      }));

    it('always expects something', () =>
      withEngine(async (engine) => {
        const { hints, collect: keys } = engine.expects(subject.agent, [], {});
        expect(hints.expect.length).toBeGreaterThan(0);
        expect(keys.maxDigits).toBeGreaterThanOrEqual(1);
        expect(keys.timeoutMs).toBeGreaterThan(0);
      }));

    it('serves several calls at once without mixing them', () =>
      withEngine(async (engine) => {
        const alone = await collect(engine, request());
        const together = await Promise.all([request(), request(), request()].map((one) => collect(engine, one)));
        for (const one of together) expect(one.map((event) => event.type)).toEqual(alone.map((event) => event.type));
      }));

    it('closes twice', async () => {
      const engine = subject.make();
      await engine.close();
      await expect(engine.close()).resolves.toBeUndefined();
    });
  });
}
