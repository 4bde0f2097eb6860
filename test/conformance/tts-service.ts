import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/core/errors.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { failoverTts } from '../../src/engines/failover-tts.ts';
import type { EngineLimits } from '../../src/engines/guard.ts';
import { guardTts } from '../../src/engines/guarded-engines.ts';
import { cachedTts } from '../../src/engines/tts/cached.ts';
import type { SpeechMark, TtsEngine, TtsRequest } from '../../src/engines/tts/contract.ts';
import { ScriptedTts } from '../../src/engines/tts/scripted.ts';
import { SpeechCache } from '../../src/engines/tts/speech-cache.ts';
import { testGuard } from '../support/engine-guards.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { meanwhile } from '../support/passing-time.ts';
import { EVERY_TEST, isInTurn, someOf } from '../support/property-runs.ts';
import { joined } from '../support/speech-clips.ts';
import { until } from '../support/until.ts';
import { OTHER_VOICE, ttsRequest } from './tts.ts';

/** A way in which the service fails, and what the caller of the engine is told. */
export interface VoiceFault {
  readonly name: string;
  readonly set: () => void;
  readonly code: 'unavailable' | 'synthesis_failed' | undefined;
}

/** A synthesiser with its service, as far as there is one. What a row needs and it does not have, the row is not run for. */
export interface TtsStandIn {
  readonly engine: TtsEngine;
  readonly clock: FakeClock;
  logged(): string;
  close(): Promise<void>;
  /** Sentences that the service was asked for. */
  readonly asked?: () => readonly string[];
  /** How the service sounds from now on, in samples of the rate that it is asked for on the telephone; and as what it is heard. */
  readonly sound?: { readonly rateHz: number; set(samples: Int16Array): void; of(samples: Int16Array): Int16Array };
  /** Connections, or requests, that say something now, and the most there were at once. */
  readonly busy?: () => number;
  readonly busiest?: () => number;
  /** The next sentence goes on no more after a tenth of a second. */
  readonly stallNext?: () => void;
  /** The next sentence breaks off after half a second. */
  readonly breakNext?: () => void;
  /** The next sentence is said without a sound. */
  readonly muteNext?: () => void;
  readonly redirectNext?: (to: string) => void;
  readonly faults?: readonly VoiceFault[];
  readonly secret?: { readonly key: string; readonly addresses: () => readonly string[] };
  readonly without?: { readonly setting: string; readonly engine: TtsEngine };
  /** The same engine with other settings, each of which sounds otherwise. */
  readonly others?: readonly TtsEngine[];
}

export interface TtsService {
  readonly name: string;
  readonly start: () => Promise<TtsStandIn>;
  readonly has: readonly (keyof TtsStandIn)[];
  readonly marks: boolean;
}

const TEXT = 'Good morning, how can I help you today?';

/** What each row needs. A service that lacks it is not held to the row, and `service-rows.json` says why. */
const NEEDS = {
  ...{ P1: ({ has }) => has.includes('sound'), P2: ({ has }) => has.includes('stallNext'), P3: () => true },
  ...{
    P4: ({ has }) => has.includes('muteNext'),
    P5: ({ marks }) => marks,
    P6: ({ has }) => has.includes('breakNext'),
  },
  ...{ P7: () => true, P8: () => true, P9: ({ has }) => has.includes('sound') },
  ...{ A1: ({ has }) => has.includes('without') },
  ...{ A2: ({ has }) => has.includes('faults'), A3: () => true, A4: ({ has }) => has.includes('faults') },
  ...{ A5: ({ has }) => has.includes('faults'), A6: () => true, A7: ({ has }) => has.includes('redirectNext') },
} satisfies Record<string, (service: TtsService) => boolean>;

/** How often fifty sentences are left at once. */
const ROUNDS = EVERY_TEST ? 20 : 2;

/** The rows that this voice is held to. */
export const voiceRows = (service: TtsService): readonly string[] =>
  Object.entries(NEEDS).flatMap(([row, isMet]) => (isMet(service) ? row : []));

/**
 * What voices of services must do beside `ttsConformance`: rows P1-P8 and A1-A7 of `service-rows.json`.
 *
 * @param at - of several services: what is no safety of theirs is shared out among them where the run is short.
 */
export function ttsServiceConformance(service: TtsService, at?: number): void {
  const isTried = (row: keyof typeof NEEDS): boolean =>
    at === undefined || row.startsWith('A') || isInTurn(Object.keys(NEEDS).indexOf(row), at);
  const held = (row: keyof typeof NEEDS) => it.runIf(NEEDS[row](service) && isTried(row));

  describe(`a voice of a service: ${service.name}`, () => {
    let standIn: TtsStandIn;
    beforeEach(async () => {
      standIn = await service.start();
    });
    afterEach(async () => {
      await standIn.engine.close();
      await standIn.close();
    });
    const guarded = (limits: Partial<EngineLimits> = {}) => testGuard(limits, 'tts', 'remote', standIn.clock);

    /** Begins to speak; what came so far can be looked at. */
    function speak(engine = standIn.engine, change: Partial<TtsRequest> = {}, signal = new AbortController().signal) {
      const heard = {
        chunks: [] as Int16Array[],
        marks: [] as SpeechMark[],
        error: undefined as unknown,
        ended: false,
      };
      void (async () => {
        try {
          for await (const chunk of engine.synthesize(ttsRequest({ text: TEXT, ...change }), signal)) {
            heard.chunks.push(chunk);
            heard.marks.push(...(chunk.marks ?? []));
          }
        } catch (error) {
          heard.error = error;
        }
        heard.ended = true;
      })();
      return heard;
    }
    const spoken = async (...asked: Parameters<typeof speak>) => {
      const heard = speak(...asked);
      await meanwhile(standIn.clock, () => heard.ended);
      return heard;
    };

    held('P1')('P1 plays the sound of the service, sample by sample', async () => {
      const { rateHz, set, of } = standIn.sound!;
      const sound = noise(rateHz * 2);
      set(sound);
      const { chunks, error } = await spoken();
      const [samples, wanted] = [joined(...chunks), of(sound)];
      expect([error, samples.length]).toEqual([undefined, wanted.length]);
      expect(samples.every((sample, i) => sample === wanted[i])).toBe(true);
    });

    held('P2')('P2 passes sound on while the service still speaks', async () => {
      standIn.stallNext!();
      const heard = speak();
      await until(() => joined(...heard.chunks).length >= 400);
      expect(heard.ended).toBe(false);
      await meanwhile(standIn.clock, () => heard.ended);
      expect(heard.error).toBeInstanceOf(ServiceError);
    });

    it('P3, A3 is silent at once when it is interrupted, and lets go of the service', async () => {
      standIn.stallNext?.();
      const abort = new AbortController();
      const { guard } = guarded();
      const heard = speak(guardTts(standIn.engine, guard), { text: TEXT.repeat(5) }, abort.signal);
      await until(() => heard.chunks.length > 0);
      abort.abort();
      const { length } = heard.chunks;
      await until(() => heard.ended);
      if (standIn.busy) await until(() => standIn.busy!() === 0);
      expect([heard.error, heard.chunks.length, guard.breaker.state]).toEqual([undefined, length, 'closed']);
      expect(standIn.clock.pending).toBe(0);
    });

    held('P4')('P4 fails where words became no sound', async () => {
      standIn.muteNext!();
      expect(await spoken()).toMatchObject({ chunks: [], error: { code: 'synthesis_failed' } });
    });

    it.each(['', '...', ' - '])('P4 has nothing to say to %j, and does not ask', async (text) => {
      if (service.name.startsWith('scripted') && text !== '') return; // its tones are letters, whatever they are
      expect(await spoken(standIn.engine, { text })).toMatchObject({ chunks: [], error: undefined });
      if (standIn.asked) expect(standIn.asked()).toEqual([]);
    });

    held('P5')('P5 tells where each word is said', async () => {
      const text = 'Order 4521 مرحبا بك';
      const { marks, chunks } = await spoken(standIn.engine, { text });
      expect(marks.map(({ charStart, charEnd }) => text.slice(charStart, charEnd))).toEqual(text.split(' '));
      const letterMs = joined(...chunks).length / 8 / text.length; // every stand-in speaks as evenly
      const off = marks.map(({ charStart, atMs }) => Math.abs(atMs - charStart * letterMs));
      expect(Math.max(...off)).toBeLessThan(2 * letterMs); // below the shortest word
    });

    held('P6')('P6 is followed by the next voice when it breaks off', async () => {
      standIn.breakNext!();
      const next = new ScriptedTts({ marks: true });
      const { chunks, error } = await spoken(failoverTts([standIn.engine, next], silentLogger));
      expect(error).toBeUndefined();
      const [rest = ''] = next.requests.map(({ text }) => text);
      expect([next.requests.length, TEXT.endsWith(rest)]).toEqual([1, true]);
      if (service.marks) expect(['how', 'morning,']).toContain(rest.split(' ')[0]);
      else expect(rest).toBe(TEXT);
      expect(joined(...chunks).length).toBeGreaterThan(TEXT.length * 400);
    });

    held('P7')('P7 is remembered as what it is: another voice, model or setting is another sound', async () => {
      const engines = [standIn.engine, ...(standIn.others ?? [])];
      const sounds = engines.map((engine) => engine.soundOf(ttsRequest().voice));
      sounds.push(standIn.engine.soundOf(OTHER_VOICE));
      expect(new Set(sounds).size).toBe(sounds.length);
      const folder = await mkdtemp(join(tmpdir(), 'speech-'));
      const cache = await SpeechCache.open({ folder, clock: standIn.clock, logger: silentLogger });
      const engine = cachedTts(standIn.engine, cache);
      const times = [await spoken(engine), await spoken(engine)];
      await until(() => cache.counters.writes === 1);
      times.push(await spoken(engine));
      await spoken(engine, { voice: OTHER_VOICE });
      expect(cache.counters.hits).toBe(1);
      if (standIn.asked) expect(standIn.asked().length).toBe(3);
      const [, second, third] = times.map(({ chunks, marks }) => [joined(...chunks), marks] as const);
      expect(third![0].every((sample, i) => sample === second![0][i])).toBe(true);
      expect([third![0].length, third![1]]).toEqual([second![0].length, second![1]]);
      await rm(folder, { recursive: true });
    });

    held('P8')('P8 asks for no more at once than it may, and refuses what waits beyond that', async () => {
      const limits = { concurrency: 4, queue: 20, firstResultMs: 60_000, totalMs: 60_000 };
      const engine = guardTts(standIn.engine, guarded(limits).guard);
      const heard = Array.from({ length: 40 }, () => speak(engine));
      await until(() => heard.every(({ ended }) => ended));
      const errors = heard.flatMap(({ error }) => (error as ServiceError | undefined)?.code ?? []);
      expect(errors).toEqual(Array.from({ length: 16 }, () => 'unavailable'));
      if (standIn.busiest) expect(standIn.busiest()).toBeLessThanOrEqual(4);
      const lengths = new Set(heard.map(({ chunks }) => joined(...chunks).length));
      expect(lengths.size).toBe(2); // all of it, or nothing
    });

    held('P9')('P9 loses nothing of sound that comes all at once, for a listener who is slow', async () => {
      const { rateHz, set, of } = standIn.sound!;
      const sound = noise(rateHz * 20);
      set(sound);
      const chunks: Int16Array[] = [];
      for await (const chunk of standIn.engine.synthesize(ttsRequest({ text: TEXT }), new AbortController().signal)) {
        chunks.push(chunk);
        for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setImmediate(resolve));
      }
      const [samples, wanted] = [joined(...chunks), of(sound)];
      expect(samples.length).toBe(wanted.length);
      expect(samples.every((sample, i) => sample === wanted[i])).toBe(true);
    });

    held('A1')('A1 names the setting that is missing', () => {
      const { engine, setting } = standIn.without!;
      expect(engine.available()).toMatchObject({ ok: false, why: expect.stringContaining(setting) });
    });

    held('A2')('A2, A4 ends every fault in its kind, and keeps key and words to itself', async () => {
      for (const { name, set, code } of someOf(standIn.faults!, 3)) {
        set();
        const { error, chunks } = await spoken();
        const failure = error as ServiceError | undefined;
        expect([name, failure?.code]).toEqual([name, code]);
        if (code === undefined) expect([name, joined(...chunks).length > 0]).toEqual([name, true]);
        if (failure) expect(failure).toBeInstanceOf(ServiceError);
        const told = `${standIn.logged()} ${failure?.message} ${String(failure?.cause)}`;
        for (const hidden of [standIn.secret!.key, 'Good morning']) expect(told).not.toContain(hidden);
        standIn.clock.advance(600_000); // its rest is over
      }
      for (const address of standIn.secret!.addresses()) {
        for (const hidden of [standIn.secret!.key, 'Good']) expect(address).not.toContain(hidden);
      }
    });

    held('A5')('A5 pauses after failures in a row, and counts them', async () => {
      const { guard, errors } = guarded({ breakerFailures: 2, firstResultMs: 60_000, totalMs: 60_000 });
      const engine = guardTts(standIn.engine, guard);
      const fault = standIn.faults!.find(({ code }) => code === 'synthesis_failed')!;
      for (let n = 0; n < 2; n += 1) {
        fault.set();
        await spoken(engine);
      }
      expect(engine.available()).toMatchObject({ ok: false, why: expect.stringContaining('paused') });
      expect(await errors('failed')).toBe(2);
    });

    it.runIf(EVERY_TEST || service.name.startsWith('scripted'))(
      'A6 leaves nothing behind after many sentences that nobody waited for',
      async () => {
        for (let n = 0; n < ROUNDS; n += 1) {
          const aborts = Array.from({ length: 50 }, () => new AbortController());
          const heard = aborts.map(({ signal }) => speak(standIn.engine, {}, signal));
          await new Promise((resolve) => setImmediate(resolve));
          for (const abort of aborts) abort.abort();
          await until(() => heard.every(({ ended }) => ended));
        }
        if (standIn.busy) await until(() => standIn.busy!() === 0);
        expect(standIn.clock.pending).toBe(0);
      },
    );

    held('A7')('A7 follows no redirect', async () => {
      const other = await service.start();
      standIn.redirectNext!(other.secret!.addresses()[0]!);
      const { error } = await spoken();
      expect(error).toBeInstanceOf(ServiceError);
      expect(other.secret!.addresses()).toHaveLength(1); // its own: nobody came
      await other.close();
    });
  });
}

/** Low enough for a telephone. */
function noise(length: number): Int16Array {
  let seed = 1;
  let last = 0;
  return Int16Array.from({ length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    last = 0.95 * last + (seed / 2_147_483_648 - 0.5) * 2_000;
    return Math.round(last);
  });
}
