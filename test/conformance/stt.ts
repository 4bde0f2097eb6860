import { afterAll, describe, expect, it } from 'vitest';
import { FRAME_SAMPLES, type PcmFrame } from '../../src/audio/pcm.ts';
import type { SttEngine, SttEvent, SttFeed, SttHints, SttStream } from '../../src/engines/stt/contract.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { framesOf } from '../support/speech-clips.ts';

export interface SttSubject {
  /** A fresh engine; the suite closes it. */
  readonly make: () => SttEngine;
  /** For all that do not close it, where there is one already. */
  readonly engine?: SttEngine;
  readonly language: string;
  readonly hints: SttHints;
  /** Speech at 8 kHz of which the engine says `text`. For scripted engines any samples will do. */
  readonly samples: Int16Array;
  readonly text: string;
  /** A language that the engine does not serve. */
  readonly foreignLanguage: string;
  /** How it wants its audio; default `whole-stretches`. */
  readonly feed?: SttFeed;
  /** It tells the words of its finals. */
  readonly words?: boolean;
  /** It takes its time: what others show of all engines it does in long runs alone. */
  readonly slow?: boolean;
}

const silentFrame: PcmFrame = { samples: new Int16Array(FRAME_SAMPLES), sampleRateHz: 8000 };

async function collect(stream: SttStream): Promise<SttEvent[]> {
  const events: SttEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}
const finals = (events: readonly SttEvent[]) => events.filter((event) => event.type === 'final');

/** What every `SttEngine` must do, whatever it recognises with. */
export function sttConformance(name: string, subject: SttSubject): void {
  describe(`SttEngine contract: ${name}`, () => {
    const speech = framesOf(subject.samples);
    // One engine serves all: what one test leaves in it would show in the next, and models take long to load.
    let own: SttEngine | undefined;
    afterAll(() => own?.close());
    const withEngine = async (body: (engine: SttEngine) => Promise<void>): Promise<void> => {
      if (!subject.engine) own ??= subject.make();
      await body(subject.engine ?? own!);
    };
    const open = (engine: SttEngine, signal = new AbortController().signal, interim = false): SttStream =>
      engine.open({ language: subject.language, sampleRateHz: 8000, interim, hints: subject.hints }, signal);

    it('serves its language, and names the setting to change for another', () =>
      withEngine(async (engine) => {
        expect(engine.available(subject.language)).toEqual({ ok: true });
        const foreign = engine.available(subject.foreignLanguage);
        expect(foreign.ok).toBe(false);
        expect(foreign.ok ? '' : foreign.why).toMatch(/engines\.stt/);
      }));

    it('answers a flush with one final, dated by the audio written', () =>
      withEngine(async (engine) => {
        const stream = open(engine);
        for (const frame of speech) stream.write(frame);
        stream.flush();
        stream.end();
        const events = await collect(stream);
        expect(events).toHaveLength(1);
        expect(events[0]).toMatchObject({ type: 'final', text: subject.text, startMs: 0, endMs: speech.length * 20 });
        const confidence = events[0]?.type === 'final' ? events[0].confidence : -1;
        expect(confidence).toBeGreaterThan(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }));

    it('says how it wants its audio, and may be told of a call before', () =>
      withEngine(async (engine) => {
        engine.warmUp?.({ language: subject.language });
        const stream = open(engine);
        expect(stream.feed ?? 'whole-stretches').toBe(subject.feed ?? 'whole-stretches');
        stream.end();
        expect(await collect(stream)).toEqual([]);
      }));

    it.runIf(subject.words)('dates the words of each final within it, in order', () =>
      withEngine(async (engine) => {
        const stream = open(engine);
        for (let stretch = 0; stretch < 2; stretch += 1) {
          for (const frame of speech) stream.write(frame);
          stream.flush();
        }
        stream.end();
        const [first, second] = finals(await collect(stream)).filter((event) => event.type === 'final');
        expect(first!.words!.map(({ text }) => text).join(' ')).toBe(subject.text);
        for (const { words = [], startMs, endMs } of [first!, second!]) {
          const times = words.flatMap((word) => [word.startMs, word.endMs]);
          expect([startMs, ...times, endMs]).toEqual([startMs, ...times, endMs].sort((a, b) => a - b));
        }
        expect(second!.startMs).toBe(first!.endMs);
      }),
    );

    it.runIf(EVERY_TEST || !subject.slow)('settles pending speech at end()', () =>
      withEngine(async (engine) => {
        const stream = open(engine);
        for (const frame of speech) stream.write(frame);
        stream.end();
        expect(finals(await collect(stream))).toMatchObject([{ text: subject.text }]);
      }),
    );

    it('answers no flush without audio, and ends empty', () =>
      withEngine(async (engine) => {
        const stream = open(engine);
        stream.flush();
        stream.flush();
        stream.end();
        expect(await collect(stream)).toEqual([]);
      }));

    it.runIf(EVERY_TEST || !subject.slow)(
      'dates the second stretch from the stream start, and gives one final each',
      () =>
        withEngine(async (engine) => {
          const stream = open(engine);
          for (const frame of speech) stream.write(frame);
          stream.flush();
          stream.flush();
          for (let i = 0; i < 10; i += 1) stream.write(silentFrame);
          stream.flush();
          stream.end();
          const [first, second, ...more] = finals(await collect(stream));
          expect(first).toMatchObject({ text: subject.text, startMs: 0, endMs: speech.length * 20 });
          expect(second).toMatchObject({ startMs: speech.length * 20, endMs: speech.length * 20 + 200 });
          expect(more).toEqual([]);
        }),
    );

    it.runIf(EVERY_TEST || !subject.slow)(
      'is true to its word about interims: while the speech still comes and before the final, or never',
      () =>
        withEngine(async (engine) => {
          const stream = open(engine, undefined, true);
          const heard: SttEvent[] = [];
          let sayFirst: () => void = () => {};
          const first = new Promise<void>((resolve) => {
            sayFirst = resolve;
          });
          const reading = (async () => {
            for await (const event of stream) {
              heard.push(event);
              sayFirst();
            }
          })();
          for (const frame of speech) stream.write(frame);
          if (engine.capabilities.interim) await first; // without an interim the test ends here, by its time limit
          stream.end();
          await reading;
          const interims = heard.slice(0, -1);
          expect(heard.at(-1)).toMatchObject({ type: 'final', text: subject.text });
          expect(interims.every((event) => event.type === 'interim' && event.text !== '')).toBe(true);
          expect(interims.length > 0).toBe(engine.capabilities.interim);
          expect(interims.every((event, i) => event.text !== interims[i - 1]?.text)).toBe(true);
        }),
    );

    it.runIf(EVERY_TEST || !subject.slow)('sends no interims to whom did not ask', () =>
      withEngine(async (engine) => {
        const stream = open(engine);
        for (const frame of [...speech, ...speech]) stream.write(frame);
        stream.end();
        expect((await collect(stream)).map((event) => event.type)).toEqual(['final']);
      }),
    );

    it.runIf(EVERY_TEST || !subject.slow)('takes new hints without losing audio', () =>
      withEngine(async (engine) => {
        const stream = open(engine);
        stream.hint({ phrases: [], expect: ['yesno'] });
        stream.hint(subject.hints);
        for (const frame of speech) stream.write(frame);
        stream.end();
        expect(finals(await collect(stream))).toMatchObject([{ text: subject.text }]);
      }),
    );

    it('ends without an error when aborted, before and during', () =>
      withEngine(async (engine) => {
        expect(await collect(open(engine, AbortSignal.abort()))).toEqual([]);
        const controller = new AbortController();
        const stream = open(engine, controller.signal);
        const reading = collect(stream);
        for (const frame of speech.slice(0, 20)) stream.write(frame);
        controller.abort();
        expect(finals(await reading)).toEqual([]);
      }));

    it('ignores everything after end()', () =>
      withEngine(async (engine) => {
        const stream = open(engine);
        stream.end();
        stream.end();
        stream.write(silentFrame);
        stream.flush();
        stream.hint(subject.hints);
        expect(await collect(stream)).toEqual([]);
      }));

    it('fails open streams with `unavailable` when closed, refuses new ones, and closes twice', async () => {
      const engine = subject.make();
      const stream = open(engine);
      const failure = collect(stream).catch((error: unknown) => error);
      stream.write(silentFrame);
      await engine.close();
      await engine.close();
      expect(await failure).toMatchObject({ code: 'unavailable' });
      await expect(collect(open(engine))).rejects.toMatchObject({ code: 'unavailable' });
    });

    it('keeps two streams apart', () =>
      withEngine(async (engine) => {
        const one = open(engine);
        const other = open(engine);
        for (const frame of speech) {
          one.write(frame);
          other.write(silentFrame);
        }
        one.end();
        other.end();
        const [first, second] = await Promise.all([collect(one), collect(other)]);
        expect(finals(first ?? [])).toMatchObject([{ text: subject.text }]);
        expect(finals(second ?? [])).toHaveLength(1);
      }));
  });
}
