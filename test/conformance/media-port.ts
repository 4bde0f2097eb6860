import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MediaPort } from '../../src/media/media-port.ts';
import { drain } from '../support/media-plane-fixture.ts';
import { amplitudeAt, tone } from '../support/tones.ts';

/** A port that is up, and its far end. */
export interface MediaPortRig {
  readonly port: MediaPort;
  /** Samples that may wait to be played. */
  readonly queueSamples: number;
  /** Whether it tells what is quiet from what is not. */
  readonly measures: boolean;
  /** Time passes for both ends. */
  pass(ms: number): Promise<void>;
  /** The far end's caller says a tone for so long, in real time. */
  say(hz: number, ms: number): Promise<void>;
  /** What the far end heard, from its first sound on. */
  heard(): Int16Array;
  close(): Promise<void>;
}

const MS = 8; // samples
const LEVEL = 0.25;
/** Of the last so many ms. */
const level = (samples: Int16Array, hz: number, ms = 100): number => amplitudeAt(samples.subarray(-ms * MS), hz);

/** What every `MediaPort` must do, whatever carries it. */
export function mediaPortConformance(name: string, open: () => Promise<MediaPortRig>): void {
  describe(`MediaPort contract: ${name}`, () => {
    let rig: MediaPortRig;
    let port: MediaPort;
    beforeEach(async () => {
      rig = await open();
      port = rig.port;
    });
    afterEach(() => rig.close());

    it('plays what is written, once, and counts it', async () => {
      expect([port.writtenSamples, port.playedSamples, port.talkStartedAtMs]).toEqual([0, 0, undefined]);
      expect(port.write(tone(1000, 400 * MS))).toBe(400 * MS);
      expect(port.writtenSamples).toBe(400 * MS);
      await rig.pass(200);
      expect(port.playedSamples).toBeGreaterThan(0);
      expect(port.playedSamples).toBeLessThanOrEqual(port.writtenSamples);
      expect(port.talkStartedAtMs).toBeDefined();
      await rig.pass(1000);
      expect([port.writtenSamples, port.playedSamples]).toEqual([400 * MS, 400 * MS]);
      const loud = rig.heard().filter((sample) => Math.abs(sample) > 2000).length;
      expect(loud).toBeGreaterThan(0.8 * 400 * MS * 0.8);
      expect(loud).toBeLessThanOrEqual(400 * MS);
    });

    it('takes no more than fits', async () => {
      const more = tone(1000, rig.queueSamples + 4000);
      const taken = port.write(more);
      expect(taken).toBe(rig.queueSamples);
      expect(port.write(more)).toBeLessThan(rig.queueSamples);
    });

    it('drops what was not played, which then counts as neither', async () => {
      port.write(tone(1000, 2000 * MS));
      await rig.pass(500);
      const written = port.writtenSamples;
      const dropped = port.clear();
      expect(dropped).toBeGreaterThan(1000 * MS);
      expect(port.writtenSamples).toBe(written - dropped);
      await rig.pass(600);
      expect(port.playedSamples).toBe(port.writtenSamples);
      expect(port.clear()).toBe(0);
      const { length } = rig.heard();
      port.write(tone(440, 200 * MS));
      await rig.pass(600);
      const after = rig.heard().subarray(Math.max(0, length - 400));
      expect(Math.max(...windows(after).map((part) => amplitudeAt(part, 440)))).toBeGreaterThan(LEVEL / 2);
    });

    it('plays softer what is queued, and as it was again', async () => {
      port.write(tone(1000, rig.queueSamples));
      await rig.pass(400);
      expect(level(rig.heard(), 1000)).toBeCloseTo(LEVEL, 1);
      port.setGain(-12);
      await rig.pass(600);
      expect(level(rig.heard(), 1000)).toBeLessThan(LEVEL / 3);
      port.setGain(0);
      await rig.pass(600);
      expect(level(rig.heard(), 1000)).toBeCloseTo(LEVEL, 1);
    });

    it('gives what the caller said, and when it came', async () => {
      expect(drain(port).length).toBe(0);
      await rig.say(700, 600);
      await rig.pass(300);
      const samples = drain(port);
      expect(Math.max(...windows(samples).map((part) => amplitudeAt(part, 700)))).toBeGreaterThan(LEVEL / 2);
      expect(port.heardAtMs).toBeDefined();
    });

    it('says of a sound beside what is called quiet that it came, until it is read', async () => {
      await rig.say(700, 200);
      await rig.pass(1000); // what a lost packet is replaced by fades
      drain(port);
      port.quiet = { fromDb: -96, toDb: -50 };
      await rig.pass(300);
      expect(drain(port).length).toBeGreaterThan(0);
      expect(port.stirred).toBe(!rig.measures);
      await rig.say(700, 100);
      for (let tries = 0; tries < 100 && !port.stirred; tries += 1) await rig.pass(20); // a thread may be held up
      expect(port.stirred).toBe(true);
    });

    it('is quiet after its end, and says how it was', async () => {
      await rig.say(700, 200);
      port.write(tone(1000, 400 * MS));
      await rig.pass(200);
      const stats = await port.close();
      expect(stats.packetsReceived).toBeGreaterThan(0);
      expect(stats.packetsSent).toBeGreaterThan(0);
      expect(stats.mos).toBeGreaterThan(1);
      expect(await port.close()).toEqual(stats);
      expect([port.write(tone(1000, 160)), port.clear(), port.read(new Int16Array(160))]).toEqual([0, 0, 0]);
    });
  });
}

/** Tenths of a second. */
const windows = (samples: Int16Array): Int16Array[] =>
  Array.from({ length: Math.max(1, Math.floor(samples.length / (100 * MS))) }, (_, n) =>
    samples.subarray(n * 100 * MS, (n + 1) * 100 * MS),
  );
