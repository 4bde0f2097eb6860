import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/core/errors.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { failoverStt } from '../../src/engines/failover.ts';
import type { EngineLimits } from '../../src/engines/guard.ts';
import { guardStt } from '../../src/engines/guarded-stt.ts';
import type { SttEngine, SttEvent, SttFeed, SttHints, SttOptions, SttStream } from '../../src/engines/stt/contract.ts';
import { createScriptedStt } from '../../src/engines/stt/scripted.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { testGuard } from '../support/engine-guards.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { meanwhile, pass } from '../support/passing-time.ts';
import { EVERY_TEST, isInTurn, someOf } from '../support/property-runs.ts';
import { framesOf, joined } from '../support/speech-clips.ts';
import { tone } from '../support/speech-server.ts';
import { until } from '../support/until.ts';

/** What the service makes of one stretch; `as` is a way of saying it that the stand-in knows. */
export interface ServiceAnswer {
  readonly text: string;
  readonly language?: 'ar' | 'en';
  readonly as?: string;
}

/** A way in which the service fails, and what the caller of the engine is told: undefined where it is heard all the same. */
export interface ServiceFault {
  readonly name: string;
  readonly set: () => void;
  readonly code: 'unavailable' | 'transcription_failed' | undefined;
}

/** A recogniser with its service, as far as there is one. What a row needs and it does not have, the row is not run for. */
export interface SttStandIn {
  readonly engine: SttEngine;
  readonly clock: FakeClock;
  /** What the next stretches are, in order. */
  hears(...answers: ServiceAnswer[]): void;
  /** Every line that was logged. */
  logged(): string;
  close(): Promise<void>;
  /** Audio that the service was given, by connection or request; and what it should be given of these samples. */
  readonly audio?: { given(): readonly Int16Array[]; of(samples: Int16Array): Int16Array };
  /** Connections, or requests, that are not over. */
  readonly busy?: () => number;
  /** Messages that only keep the connection. */
  readonly keptAlive?: () => number;
  /** The service hangs up on whoever says nothing. */
  readonly hangUp?: () => void;
  /** The next connection, or request, breaks when half a second of speech has gone over it. */
  readonly breakNext?: () => void;
  /** The next one is taken, and nothing is ever said. */
  readonly silenceNext?: () => void;
  /** The next one is taken, and nothing is ever read. */
  readonly deafenNext?: () => void;
  readonly redirectNext?: (to: string) => void;
  /** Phrases that the service was told to expect. */
  readonly told?: () => readonly string[];
  readonly faults?: readonly ServiceFault[];
  /** A key, and whatever else of requests may be seen on the way. */
  readonly secret?: { readonly key: string; readonly addresses: () => readonly string[] };
  /** The same engine without a setting that it needs, by the name of that setting. */
  readonly without?: { readonly setting: string; readonly engine: SttEngine };
}

export interface SttService {
  readonly name: string;
  readonly start: () => Promise<SttStandIn>;
  readonly feed: SttFeed;
  readonly interim: boolean;
  readonly words: boolean;
  /** Where the words of a stretch of this length begin. */
  readonly wordStarts: (words: number, stretchMs: number) => readonly number[];
  /** Ways of answering beside the plain one. */
  readonly ways: readonly string[];
  readonly tellsLanguage: boolean;
  /** That it hears; without it both. */
  readonly languages?: readonly ('ar' | 'en')[];
  /** It notices by itself that the service is dead; else the guard's limit does. */
  readonly watches?: boolean;
  /** Most phrases, and most letters of all, that the service takes. */
  readonly hintLimits?: { readonly count: number; readonly chars: number };
  /** It may answer a stretch after the next one: the stand-in does for an answer `behind`. */
  readonly swaps?: boolean;
  /** How old a connection gets. */
  readonly sessionMs?: number;
  /** Which of the optional parts of the stand-in are there: rows are chosen before one is started. */
  readonly has: readonly (keyof SttStandIn)[];
}

const SAID = 'where is my order';
/** How often fifty streams are left at once. */
const ROUNDS = EVERY_TEST ? 20 : 2;
/** What is the same for all that share the code of a connection is tried with those of a script, where the run is short. */
const isFirst = ({ name }: SttService): boolean => EVERY_TEST || name.startsWith('scripted');
/** What the last loop that made them still refers to. */
const HELD_MAX = 50;
const LONG = {
  en: 'please tell me where my order is and when the driver will be here because I have to leave the house at five today',
  ar: 'أبغى أعرف وين طلبي ومتى يوصل السواق عشان لازم أطلع من البيت الساعة خمسة اليوم مع أولادي إلى المدرسة القريبة من الحي',
} as const;
const HINTS: SttHints = { phrases: [SAID, 'track my parcel', 'talk to a person'], expect: [] };
const SECOND = tone(1000, 8000);

/** Events as they come, and how it ended. */
class Listener {
  readonly events: SttEvent[] = [];
  error: ServiceError | undefined;
  ended = false;
  constructor(readonly stream: SttStream) {
    void this.#read();
  }
  get finals() {
    return this.events.filter((event) => event.type === 'final');
  }
  async #read(): Promise<void> {
    try {
      for await (const event of this.stream) this.events.push(event);
    } catch (error) {
      this.error = error as ServiceError;
    }
    this.ended = true;
  }
  say(samples: Int16Array): void {
    for (const frame of framesOf(samples)) this.stream.write(frame);
  }
  /** Says it, pauses, and waits for what was understood. */
  async said(samples: Int16Array): Promise<void> {
    const before = this.finals.length;
    this.say(samples);
    this.stream.flush();
    await until(() => this.finals.length > before || this.ended);
  }
}

/** What each row needs. A service that lacks it is not held to the row, and `service-rows.json` says why. */
const NEEDS = {
  ...{ S1: ({ has }) => has.includes('audio'), S2: () => true, S3: () => true, S4: () => true, S5: () => true },
  ...{ S6: ({ has }) => has.includes('breakNext'), S7: ({ has }) => has.includes('silenceNext'), S8: () => true },
  ...{ S9: ({ has }) => has.includes('told'), S10: ({ tellsLanguage }) => tellsLanguage },
  ...{ S11: ({ sessionMs }) => sessionMs !== undefined, S12: () => true, S13: ({ has }) => has.includes('audio') },
  ...{ S14: ({ swaps }) => swaps === true, A1: ({ has }) => has.includes('without') },
  ...{ A2: ({ has }) => has.includes('faults'), A3: () => true, A4: ({ has }) => has.includes('faults') },
  ...{ A5: ({ has }) => has.includes('faults'), A6: () => true, A7: ({ has }) => has.includes('redirectNext') },
} satisfies Record<string, (service: SttService) => boolean>;

/** The rows that these ears are held to. */
export const earRows = (service: SttService): readonly string[] =>
  Object.entries(NEEDS).flatMap(([row, isMet]) => (isMet(service) ? row : []));

/**
 * What recognisers of services must do beside `sttConformance`: rows S1-S12 and A1-A7 of `service-rows.json`.
 *
 * @param at - of several services: what is no safety of theirs is shared out among them where the run is short.
 */
export function sttServiceConformance(service: SttService, at?: number): void {
  const has = (...parts: (keyof SttStandIn)[]): boolean => parts.every((part) => service.has.includes(part));
  const isTried = (row: keyof typeof NEEDS): boolean =>
    at === undefined || row.startsWith('A') || isInTurn(Object.keys(NEEDS).indexOf(row), at);
  const held = (row: keyof typeof NEEDS) => it.runIf(NEEDS[row](service) && isTried(row));

  describe(`ears of a service: ${service.name}`, () => {
    let standIn: SttStandIn;
    beforeEach(async () => {
      standIn = await service.start();
    });
    afterEach(async () => {
      await standIn.engine.close();
      await standIn.close();
    });
    const listen = (
      engine = standIn.engine,
      change: Partial<SttOptions> = {},
      signal = new AbortController().signal,
    ): Listener =>
      new Listener(engine.open({ language: 'en-US', sampleRateHz: 8000, interim: false, ...change }, signal));
    const guarded = (limits: Partial<EngineLimits> = {}) =>
      testGuard({ firstResultMs: 3_000, ...limits }, 'stt', 'remote', standIn.clock);
    const given = (): Int16Array => joined(...standIn.audio!.given());

    held('S1')('S1 gives the service every sample, in order, and no other', async () => {
      const listener = listen();
      for (const samples of [SECOND, tone(640, 8000, 300)]) await listener.said(samples);
      const wanted = joined(standIn.audio!.of(SECOND), standIn.audio!.of(tone(640, 8000, 300)));
      expect(given().length).toBe(wanted.length);
      expect(given().every((sample, i) => sample === wanted[i])).toBe(true);
    });

    it.runIf(isTried('S2')).each(['plain', 'empty', ...service.ways])(
      'S2 answers a flush with one final, when the service is %s',
      async (as) => {
        const text = as === 'empty' ? '' : SAID;
        standIn.hears({ text, ...(service.ways.includes(as) && { as }) }, { text: 'and this' });
        const listener = listen();
        listener.say(SECOND);
        listener.stream.flush();
        const askedMs = standIn.clock.nowMs();
        await meanwhile(standIn.clock, () => listener.finals.length > 0 || listener.ended);
        expect(standIn.clock.nowMs() - askedMs).toBeLessThan(5_000);
        await listener.said(SECOND);
        listener.stream.end();
        await until(() => listener.ended);
        expect([listener.error, listener.finals.map((final) => final.text)]).toEqual([undefined, [text, 'and this']]);
      },
    );

    it.runIf(isTried('S3')).each(service.languages ?? (['en', 'ar'] as const))(
      'S3 says a long sentence in one, interims before it: %s',
      async (language) => {
        standIn.hears({ text: LONG[language], language });
        const listener = listen(standIn.engine, { interim: true, language: language === 'ar' ? 'ar-SA' : 'en-US' });
        const speech = tone(5_000, 8000);
        listener.say(speech.subarray(0, 30_000));
        if (service.interim) await until(() => listener.events.length > 0);
        listener.say(speech.subarray(30_000));
        listener.stream.end();
        await until(() => listener.ended);
        const types = listener.events.map(({ type }) => type);
        expect(listener.events.at(-1)).toMatchObject({ type: 'final', text: LONG[language] });
        expect(types.indexOf('final')).toBe(types.length - 1);
        const interims = listener.events.slice(0, -1).map(({ text }) => text);
        expect(interims.length > 0).toBe(service.interim);
        expect(interims.filter((text) => !LONG[language].startsWith(text))).toEqual([]);
      },
    );

    it.runIf(isTried('S4')).each(EVERY_TEST ? [1_000, 10_000, 60_000] : [60_000])(
      'S4 dates what it heard after %i ms without audio',
      async (gapMs) => {
        standIn.hears({ text: SAID }, { text: 'track my parcel' });
        const listener = listen();
        await listener.said(SECOND);
        await pass(standIn.clock, gapMs);
        await listener.said(tone(1_200, 8000));
        const [first, second] = listener.finals;
        expect(first).toMatchObject({ startMs: 0, endMs: 1_000 });
        expect(second).toMatchObject({ text: 'track my parcel', startMs: 1_000, endMs: 2_200 });
        if (!service.words) return;
        const starts = service.wordStarts(3, 1_200).map((ms) => 1_000 + ms);
        const off = second!.words!.map(({ startMs }, i) => Math.abs(startMs - starts[i]!));
        expect(Math.max(...off)).toBeLessThanOrEqual(40);
      },
    );

    held('S5')('S5 understands after a minute on hold', async () => {
      standIn.hears({ text: SAID }, { text: 'I am back' });
      const listener = listen();
      await listener.said(SECOND);
      await pass(standIn.clock, 60_000);
      if (standIn.keptAlive) await until(() => standIn.keptAlive!() >= 7);
      await listener.said(SECOND);
      expect(listener.finals.map(({ text }) => text)).toEqual([SAID, 'I am back']);
    });

    it.runIf(has('hangUp'))('S5 loses nothing when the service hung up meanwhile', async () => {
      standIn.hears({ text: SAID }, { text: 'I am back' });
      const listener = listen();
      await listener.said(SECOND);
      standIn.hangUp!();
      await until(() => standIn.busy!() === 0);
      await pass(standIn.clock, 100);
      await listener.said(SECOND);
      const starts = listener.finals.map(({ text, startMs }) => [text, startMs]);
      expect(starts).toEqual([[SAID, 0], ['I am back', 1_000]]); // biome-ignore format: rows
    });

    held('S6')('S6 says it once, and loses nothing, when the connection breaks in the middle', async () => {
      standIn.breakNext!();
      standIn.hears({ text: SAID });
      const listener = listen();
      listener.say(SECOND.subarray(0, 6_400));
      await pass(standIn.clock, 20, 20);
      listener.say(SECOND.subarray(6_400));
      listener.stream.flush();
      await meanwhile(standIn.clock, () => listener.finals.length > 0 || listener.ended);
      listener.stream.end();
      await until(() => listener.ended);
      expect(listener.error).toBeUndefined();
      expect(listener.finals).toMatchObject([{ text: SAID, startMs: 0, endMs: 1_000 }]);
      expect(standIn.audio!.given().at(-1)).toEqual(standIn.audio!.of(SECOND));
    });

    const dead = (['silenceNext', 'deafenNext'] as const).filter((how) => has(how));
    it.each(dead)('S7 leaves a service that is dead to the next engine: %s', async (how) => {
      standIn[how]!();
      const spare = createScriptedStt({ texts: ['from the spare'] });
      const limits = { firstResultMs: service.watches ? 60_000 : 3_000 };
      const engine = failoverStt([guardStt(standIn.engine, guarded(limits).guard), spare], silentLogger);
      const listener = listen(engine);
      await until(() => standIn.busy!() > 0 || service.feed === 'whole-stretches');
      listener.say(SECOND);
      listener.stream.flush();
      await until(() => how === 'deafenNext' || given().length > 0);
      const saidAtMs = standIn.clock.nowMs();
      await pass(standIn.clock, 3_000, 100);
      await meanwhile(standIn.clock, () => listener.finals.length > 0); // counted from when the connection was taken
      expect(standIn.clock.nowMs() - saidAtMs).toBeLessThan(10_000);
      expect(listener.finals).toMatchObject([{ text: 'from the spare', startMs: 0, endMs: 1_000 }]);
    });

    held('S8')('S8 hears speech that goes on after a flush once', async () => {
      const parts = service.feed === 'whole-stretches' ? [SAID, `${SAID} please`] : [SAID, 'please'];
      standIn.hears(...parts.map((text) => ({ text })));
      const listener = listen();
      expect(listener.stream.feed ?? 'whole-stretches').toBe(service.feed);
      await listener.said(SECOND);
      await listener.said(service.feed === 'whole-stretches' ? joined(SECOND, SECOND) : SECOND);
      expect(listener.finals.map(({ text }) => text)).toEqual(parts);
      if (standIn.audio && service.feed !== 'whole-stretches') expect(given().length).toBe(2 * SECOND.length);
    });

    held('S9')('S9 tells the service what to expect, and no more than it takes', async () => {
      await listen(standIn.engine, { hints: HINTS }).said(SECOND);
      expect(standIn.told!()).toEqual(HINTS.phrases);
      const phrases = ['x'.repeat(500), ...Array.from({ length: 1_000 }, (_, i) => `phrase number ${i}`)];
      await listen(standIn.engine, { hints: { phrases, expect: [] } }).said(SECOND);
      const told = standIn.told!();
      expect(told.slice(0, 2)).toEqual(['phrase number 0', 'phrase number 1']);
      expect(told.length).toBeLessThanOrEqual(service.hintLimits!.count);
      expect(told.join('').length).toBeLessThanOrEqual(service.hintLimits!.chars);
    });

    held('S10')('S10 says in which language each final is', async () => {
      standIn.hears({ text: SAID, language: 'en' }, { text: 'وين طلبي', language: 'ar' });
      const listener = listen(standIn.engine, { languages: ['en-US', 'ar-SA'] });
      await listener.said(SECOND);
      await listener.said(SECOND);
      expect(listener.finals.map(({ language }) => language)).toEqual(['en', 'ar']);
    });

    held('S11')('S11 takes another connection between two stretches when one is old', async () => {
      standIn.hears(...['one', 'two', 'three'].map((text) => ({ text })));
      const listener = listen();
      await listener.said(SECOND);
      await pass(standIn.clock, service.sessionMs!, 3_000);
      await listener.said(SECOND);
      await listener.said(SECOND);
      expect(listener.finals.map(({ text, startMs }) => [text, startMs])).toEqual([
        ...[['one', 0], ['two', 1_000], ['three', 2_000]], // biome-ignore format: rows
      ]);
      expect(standIn.audio!.given().map(({ length }) => length)).toEqual([16_000, 8_000]);
    });

    it.runIf(isFirst(service))('S12 takes less than 0.1 ms of processor for a frame, with 100 streams', async () => {
      const listeners = Array.from({ length: 100 }, () => listen());
      const [frame] = framesOf(SECOND);
      for (const { stream } of listeners) stream.write(frame!);
      await pass(standIn.clock, 100, 10);
      const before = process.cpuUsage();
      for (let n = 0; n < 100; n += 1) for (const { stream } of listeners) stream.write(frame!);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000 / 10_000).toBeLessThan(0.1);
    });

    held('S13')('S13 hears eight seconds that come at once', async () => {
      const burst = joined(...Array.from({ length: 8 }, (_, n) => tone(1_000, 8000, 300 + 50 * n)));
      standIn.hears({ text: SAID });
      const listener = listen();
      await listener.said(burst);
      expect(listener.finals).toMatchObject([{ text: SAID, startMs: 0, endMs: 8_000 }]);
      const wanted = standIn.audio!.of(burst);
      expect(given().length).toBe(wanted.length);
      expect(given().every((sample, i) => sample === wanted[i])).toBe(true);
    });

    held('S14')('S14 gives answers that come out of order in the order of speech', async () => {
      standIn.hears({ text: 'one', as: 'behind' }, { text: 'two' });
      const listener = listen();
      for (const samples of [SECOND, tone(1_200, 8000)]) {
        listener.say(samples);
        listener.stream.flush();
      }
      await until(() => listener.finals.length === 2 || listener.ended);
      expect(listener.finals).toMatchObject([
        { text: 'one', startMs: 0, endMs: 1_000 },
        { text: 'two', startMs: 1_000, endMs: 2_200 },
      ]);
    });

    held('A1')('A1 names the setting that is missing', () => {
      const { engine, setting } = standIn.without!;
      expect(engine.available('en-US')).toMatchObject({ ok: false, why: expect.stringContaining(setting) });
    });

    held('A2')('A2, A4 ends every fault in its kind, and keeps key and words to itself', async () => {
      for (const { name, set, code } of someOf(standIn.faults!, 4)) {
        standIn.hears({ text: SAID });
        set();
        const listener = listen(standIn.engine, { hints: HINTS });
        listener.say(SECOND);
        listener.stream.flush();
        await meanwhile(standIn.clock, () => listener.ended || listener.finals.length > 0, name);
        expect([name, listener.error?.code, listener.finals.map(({ text }) => text)]).toEqual([
          name,
          code,
          code ? [] : [SAID],
        ]);
        if (listener.error) expect(listener.error).toBeInstanceOf(ServiceError);
        const told = `${standIn.logged()} ${listener.error?.message} ${String(listener.error?.cause)}`;
        for (const hidden of [standIn.secret!.key, SAID]) expect(told).not.toContain(hidden);
        standIn.clock.advance(600_000); // its rest is over
      }
      for (const address of standIn.secret!.addresses()) expect(address).not.toContain(standIn.secret!.key);
    });

    it('A3 ends at once when nobody listens any more, without an error or a failure', async () => {
      const { guard } = guarded();
      standIn.silenceNext?.();
      const abort = new AbortController();
      const listener = listen(guardStt(standIn.engine, guard), {}, abort.signal);
      listener.say(SECOND);
      listener.stream.flush();
      if (standIn.busy) await until(() => standIn.busy!() > 0);
      abort.abort();
      await until(() => listener.ended);
      expect(listener.error).toBeUndefined();
      if (standIn.silenceNext) expect(listener.events).toEqual([]);
      if (standIn.busy) await until(() => standIn.busy!() === 0);
      expect([guard.breaker.state, standIn.clock.pending]).toEqual(['closed', 0]);
    });

    held('A5')('A5 pauses after failures in a row, and counts them', async () => {
      const { guard, errors } = guarded({ breakerFailures: 2 });
      const engine = guardStt(standIn.engine, guard);
      const fault = standIn.faults!.find(({ code }) => code === 'transcription_failed')!;
      for (let n = 0; n < 2; n += 1) {
        fault.set();
        const listener = listen(engine);
        listener.say(SECOND);
        listener.stream.flush();
        await meanwhile(standIn.clock, () => listener.ended);
      }
      expect(engine.available('en-US')).toMatchObject({ ok: false, why: expect.stringContaining('paused') });
      expect(await errors('failed')).toBe(2);
    });

    it.runIf(isFirst(service))('A6 leaves nothing behind after many streams', async () => {
      const opened: WeakRef<SttStream>[] = [];
      for (let n = 0; n < ROUNDS; n += 1) {
        const aborts = Array.from({ length: 50 }, () => new AbortController());
        const listeners = aborts.map(({ signal }) => listen(standIn.engine, {}, signal));
        opened.push(...listeners.map(({ stream }) => new WeakRef(stream)));
        for (const listener of listeners) listener.say(SECOND.subarray(0, 160));
        await pass(standIn.clock, 10, 10);
        for (const abort of aborts) abort.abort();
        await until(() => listeners.every(({ ended }) => ended));
      }
      if (standIn.busy) await until(() => standIn.busy!() === 0);
      expect(standIn.clock.pending).toBe(0);
      await until(() => {
        collectGarbage();
        return opened.filter((stream) => stream.deref()).length <= HELD_MAX;
      });
    });

    held('A7')('A7 follows no redirect', async () => {
      const other = await service.start();
      for (let n = 0; n < 6; n += 1) standIn.redirectNext!(other.secret!.addresses()[0] ?? 'http://127.0.0.1:1/');
      const listener = listen();
      listener.say(SECOND);
      listener.stream.flush();
      await meanwhile(standIn.clock, () => listener.ended);
      expect(listener.error).toBeInstanceOf(ServiceError);
      expect(other.secret!.addresses()).toHaveLength(1); // its own: nobody came
      await other.close();
    });
  });
}
