import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWav } from '../../src/audio/wav.ts';
import { allocateCallAudio, TalkClock } from '../../src/media/plane/call-audio.ts';
import { allocatePcmRing, PcmRing } from '../../src/media/plane/pcm-ring.ts';
import { RecordingFile } from '../../src/media/recording/recording-file.ts';
import { RecordingTap } from '../../src/media/recording/recording-tap.ts';

const filled = (samples: number, value: number): Int16Array => new Int16Array(samples).fill(value);

function channels(ring: PcmRing): { caller: number[]; agent: number[] } {
  const stereo = new Int16Array(ring.queued);
  ring.read(stereo);
  return {
    caller: [...stereo.filter((_, i) => i % 2 === 0)],
    agent: [...stereo.filter((_, i) => i % 2 === 1)],
  };
}

describe('RecordingTap', () => {
  it.each([
    { name: '10 ms', slot: 80, every: 1, perFrame: 2 },
    { name: '20 ms', slot: 160, every: 1, perFrame: 1 },
    { name: '60 ms', slot: 480, every: 3, perFrame: 1 },
  ])('aligns packets of $name with frames', ({ slot, every, perFrame }) => {
    const ring = new PcmRing(allocatePcmRing(20_000));
    const tap = new RecordingTap(ring, 160);
    for (let frame = 0; frame < 6; frame += 1) {
      if (frame % every === 0) for (let i = 0; i < perFrame; i += 1) tap.said(filled(slot, 7));
      tap.heard(filled(160, frame + 1));
    }
    const { caller, agent } = channels(ring);
    expect(agent).toEqual(Array(960).fill(7));
    expect(caller).toEqual([1, 2, 3, 4, 5, 6].flatMap((value) => Array(160).fill(value)));
  });

  it('writes silence for whoever is silent', () => {
    const ring = new PcmRing(allocatePcmRing(2_000));
    const tap = new RecordingTap(ring, 160);
    tap.heard(undefined);
    tap.said(filled(160, 5));
    tap.heard(undefined);
    const { caller, agent } = channels(ring);
    expect(new Set(caller)).toEqual(new Set([0]));
    expect([agent[159], agent[160], agent.at(-1)]).toEqual([0, 5, 5]);
  });

  it('stays aligned over a disk that did not keep up', () => {
    const ring = new PcmRing(allocatePcmRing(640)); // two stereo frames
    const tap = new RecordingTap(ring, 160);
    const frames: number[] = [];
    const collect = (): void => void frames.push(...channels(ring).caller.filter((_, i) => i % 160 === 0));
    for (let frame = 1; frame <= 5; frame += 1) tap.heard(filled(160, frame));
    collect(); // 1, 2; three more are owed
    tap.heard(filled(160, 6));
    collect();
    tap.heard(filled(160, 7));
    collect();
    tap.heard(filled(160, 8));
    collect();
    expect(frames.length).toBe(8);
    expect(frames[7]).toBe(8);
    expect(frames.slice(0, 2)).toEqual([1, 2]);
    expect(frames.slice(2, 6).every((value) => value === 0)).toBe(true);
  });
});

describe('RecordingFile', () => {
  const open = (): { path: string; ring: PcmRing; file: RecordingFile } => {
    const path = join(mkdtempSync(join(tmpdir(), 'nidaa-file-')), 'deep', 'call.wav');
    const ring = new PcmRing(allocatePcmRing(65_536));
    return { path, ring, file: new RecordingFile(path, ring, 8_000) };
  };

  it('can be read at any moment, up to two seconds behind', () => {
    const { path, ring, file } = open();
    for (let second = 0; second < 5; second += 1) {
      ring.write(filled(16_000, second));
      file.drain();
    }
    const early = readWav(readFileSync(path));
    if (typeof early === 'string') throw new Error(early);
    expect(early.durationMs).toBeGreaterThanOrEqual(3_000);
    file.close();
    file.close();
    const final = readWav(readFileSync(path));
    if (typeof final === 'string') throw new Error(final);
    expect(final.durationMs).toBe(5_000);
    expect(final.channels.map((channel) => channel.at(-1))).toEqual([4, 4]);
    expect(file.durationMs).toBe(5_000);
  });

  it('is a valid empty file, readable by its owner only, when the call ended at once', () => {
    const { path, file } = open();
    file.close();
    expect(readFileSync(path).readUInt32LE(40)).toBe(0);
    expect([path, dirname(path)].map((one) => statSync(one).mode & 0o777)).toEqual([0o600, 0o700]);
  });
});

describe('TalkClock', () => {
  it('tells when speech began to sound, once per write into an empty queue', () => {
    const { talk } = allocateCallAudio(1_000);
    const [main, media] = [new TalkClock(talk), new TalkClock(talk)];
    expect(main.startedAtMs).toBeUndefined();
    main.begin();
    expect(main.startedAtMs).toBeUndefined();
    media.sent(media.epoch, 100.5);
    media.sent(media.epoch, 120.5);
    expect(main.startedAtMs).toBe(100.5);
    const before = media.epoch;
    main.begin(); // between the taking of old samples and their leaving
    media.sent(before, 140);
    expect(main.startedAtMs).toBeUndefined();
    media.sent(media.epoch, 160);
    expect(main.startedAtMs).toBe(160);
  });
});
