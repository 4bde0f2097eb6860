import { describe, expect, it } from 'vitest';
import { EchoEstimator } from '../../src/audio/echo-estimator.ts';
import { amplified, joined, mixed, noise, readClip, silence } from '../support/speech-clips.ts';

const FRAME = 160;
const AGENT = joined(...['read/LJ006-0161.wav', 'read/LJ011-0202.wav', 'read/LJ042-0094.wav'].map(readClip));
const CALLER = readClip('read/lv_0890.wav');
const ROOM = [
  { ms: 0, gainDb: 0 },
  { ms: 2, gainDb: -5 },
  { ms: 7, gainDb: -9 },
  { ms: 17, gainDb: -14 },
];

const later = (samples: Int16Array, ms: number): Int16Array => joined(silence(ms), samples).slice(0, samples.length);
/** What comes back of `sent`, in the noise of a line. */
function echoOf(sent: Int16Array, delayMs: number, lossDb: number, room = false): Int16Array {
  const ways = room ? ROOM : ROOM.slice(0, 1);
  const parts = ways.map(({ ms, gainDb }) => amplified(later(sent, delayMs + ms), gainDb - lossDb));
  return parts.reduce((sum, part) => mixed(sum, part), noise(sent.length / 8, -62));
}

/** Frames that were loud, how many of them were explained, and from when on. */
function listen(estimator: EchoEstimator, heard: Int16Array, sent: Int16Array) {
  let [loud, explained, firstMs] = [0, 0, Number.POSITIVE_INFINITY];
  for (let at = 0; at + FRAME <= heard.length; at += FRAME) {
    const frame = heard.slice(at, at + FRAME);
    const own = estimator.push(frame, sent.slice(at, at + FRAME));
    const energy = frame.reduce((sum, sample) => sum + sample * sample, 0) / FRAME;
    if (energy < 32_768 ** 2 * 10 ** -5.4) continue; // -54 dBFS
    loud += 1;
    if (!own) continue;
    explained += 1;
    firstMs = Math.min(firstMs, at / 8);
  }
  return { loud, explained, firstMs };
}

describe('echo of our own voice', () => {
  it.each([
    { name: 'loud, at once', delayMs: 20, lossDb: 10, room: false },
    { name: 'a speakerphone', delayMs: 150, lossDb: 15, room: true },
    { name: 'a mobile', delayMs: 300, lossDb: 20, room: true },
    { name: 'late and soft', delayMs: 400, lossDb: 30, room: false },
    { name: 'as late as can be', delayMs: 500, lossDb: 20, room: false },
  ])('is found within 300 ms of it, with delay and loss: $name', ({ delayMs, lossDb, room }) => {
    const estimator = new EchoEstimator();
    const { loud, explained, firstMs } = listen(estimator, echoOf(AGENT, delayMs, lossDb, room), AGENT);
    expect(explained / loud).toBeGreaterThan(0.9);
    expect(firstMs - delayMs).toBeLessThan(360); // the first sound of the clip is 60 ms from its start
    expect(Math.abs(estimator.echo!.delayMs - delayMs)).toBeLessThan(3);
    expect(Math.abs(estimator.echo!.lossDb - lossDb)).toBeLessThan(room ? 5 : 2.5);
  });

  it.each([0, 200, 600, 700, 2_000])(
    'is judged alike whether zeros or nothing was sent, after %i ms of it',
    (pauseMs) => {
      const begun = AGENT.slice(0, 24_000); // in the middle of a word
      const sent = joined(begun, silence(pauseMs), begun, silence(1_500));
      const heard = mixed(echoOf(sent, 150, 15, true), later(joined(CALLER, silence(sent.length / 8)), 2_000)).slice(
        0,
        sent.length,
      );
      const [zeros, nothing] = [new EchoEstimator(), new EchoEstimator()];
      for (let at = 0; at + FRAME <= sent.length; at += FRAME) {
        const frame = heard.slice(at, at + FRAME);
        const played = sent.slice(at, at + FRAME);
        const said = played.some((sample) => sample !== 0) ? played : undefined;
        expect(nothing.push(frame, said), `${at / 8} ms`).toBe(zeros.push(frame, played));
        expect(nothing.echo).toEqual(zeros.echo);
      }
    },
  );

  it('is no explanation for somebody else, however they talk', () => {
    for (const atMs of [0, 700, 1900, 3100]) {
      const heard = mixed(later(joined(CALLER, silence(8000)), atMs), silence(AGENT.length / 8)).slice(0, AGENT.length);
      const { loud, explained } = listen(new EchoEstimator(), heard, AGENT);
      expect(loud).toBeGreaterThan(100);
      expect(explained / loud).toBeLessThan(0.02);
    }
  });

  it('is no explanation for a caller who talks over it', () => {
    const estimator = new EchoEstimator();
    const heard = mixed(echoOf(AGENT, 150, 20, true), later(joined(CALLER, silence(8000)), 4000)).slice(
      0,
      AGENT.length,
    );
    listen(estimator, heard.slice(0, 32_000), AGENT.slice(0, 32_000));
    const from = 32_000 + 1600; // the clip begins with 200 ms of silence
    const to = from + 8000;
    const { loud, explained } = listen(estimator, heard.slice(from, to), AGENT.slice(from, to));
    expect(loud).toBeGreaterThan(25);
    expect(explained / loud).toBeLessThan(0.35); // their quiet moments
  });

  it('explains nothing once the agent is silent, and all again when it speaks', () => {
    const estimator = new EchoEstimator();
    listen(estimator, echoOf(AGENT, 150, 20), AGENT);
    const quiet = silence(1200);
    listen(estimator, quiet, quiet);
    expect(listen(estimator, CALLER, silence(CALLER.length / 8)).explained).toBe(0);
    const again = listen(estimator, echoOf(AGENT, 150, 20), AGENT);
    expect(again.explained / again.loud).toBeGreaterThan(0.97); // from the first syllable on
  });

  it('is found again where its delay changes, and forgotten where it ceases', () => {
    const estimator = new EchoEstimator();
    listen(estimator, echoOf(AGENT, 100, 3), AGENT);
    const { loud, explained } = listen(estimator, echoOf(AGENT, 340, 3), AGENT);
    expect(explained / loud).toBeGreaterThan(0.75);
    expect(Math.abs(estimator.echo!.delayMs - 340)).toBeLessThan(3);
    const soft = amplified(joined(CALLER, CALLER, CALLER, CALLER), -12); // no louder than the echo was
    const other = listen(estimator, soft.slice(0, AGENT.length), AGENT);
    expect(other.explained / other.loud).toBeLessThan(0.4);
    expect(estimator.echo).toBeUndefined();
  });

  it('follows a line that gets louder', () => {
    const estimator = new EchoEstimator();
    listen(estimator, echoOf(AGENT, 150, 30), AGENT);
    const { loud, explained } = listen(estimator, echoOf(AGENT, 150, 15), AGENT);
    expect(explained / loud).toBeGreaterThan(0.85);
    expect(Math.abs(estimator.echo!.lossDb - 15)).toBeLessThan(3);
  });
});
