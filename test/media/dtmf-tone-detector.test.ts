import { describe, expect, it } from 'vitest';
import { Concealment } from '../../src/media/codec/concealment.ts';
import { DTMF_DIGITS } from '../../src/media/dtmf/dtmf-event.ts';
import type { DtmfKey } from '../../src/media/dtmf/dtmf-receiver.ts';
import { COLUMNS_HZ, KEYPAD, ROWS_HZ } from '../../src/media/dtmf/dtmf-tone.ts';
import { DtmfToneDetector, TONE_TRANSITIONS, type ToneEvent } from '../../src/media/dtmf/dtmf-tone-detector.ts';
import { joined, mixed, noise, readClip, silence, speechClips } from '../support/speech-clips.ts';
import { tone } from '../support/tones.ts';

interface Press {
  readonly key?: string;
  readonly ms?: number;
  /** Factor on both frequencies. */
  readonly off?: number;
  readonly rowAmplitude?: number;
  readonly columnAmplitude?: number;
}

function press({ key = '5', ms = 100, off = 1, rowAmplitude = 0.2, columnAmplitude = 0.2 }: Press): Int16Array {
  const at = KEYPAD.indexOf(key);
  const row = tone((ROWS_HZ[at >> 2] ?? 0) * off, ms * 8, { amplitude: rowAmplitude });
  const column = tone((COLUMNS_HZ[at & 3] ?? 0) * off, ms * 8, { amplitude: columnAmplitude, from: 37 });
  return mixed(row, column);
}

/** @param lost - frames of 20 ms that did not arrive and are concealed. */
function keysIn(audio: Int16Array, lost: readonly number[] = []): DtmfKey[] {
  const detector = new DtmfToneDetector(8_000);
  const concealment = new Concealment(8_000);
  const keys: DtmfKey[] = [];
  const padded = joined(audio, silence(200));
  for (let n = 0; (n + 1) * 160 <= padded.length; n += 1) {
    const frame = padded.slice(n * 160, (n + 1) * 160);
    if (lost.includes(n)) concealment.conceal(frame, 0, 160);
    else concealment.good(frame, 0, 160);
    detector.push(frame, lost.includes(n), (key) => keys.push(key));
  }
  return keys;
}
const digitsIn = (audio: Int16Array, lost: readonly number[] = []): string =>
  keysIn(audio, lost)
    .map(({ digit }) => digit)
    .join('');

describe('DtmfToneDetector', () => {
  it.each([...KEYPAD])('hears 40 ms of %s, wherever in a block they begin', (key) => {
    for (let lead = 0; lead < 104; lead += 1) {
      expect(digitsIn(joined(new Int16Array(lead), press({ key, ms: 40 }))), `${lead} samples in`).toBe(key);
    }
  });

  it.each([
    { name: '1.5 % too high', ...{ off: 1.015 } },
    { name: '1.5 % too low', ...{ off: 0.985 } },
    { name: 'the row 6 dB louder', rowAmplitude: 0.2, columnAmplitude: 0.1 },
    { name: 'the column 6 dB louder', rowAmplitude: 0.1, columnAmplitude: 0.2 },
    { name: 'quiet', rowAmplitude: 0.008, columnAmplitude: 0.008 },
  ])('hears every key that is $name', ({ name: _, ...shape }) => {
    for (const key of KEYPAD) for (const ms of [40, 100]) expect(digitsIn(press({ key, ms, ...shape }))).toBe(key);
  });

  it.each([
    { name: '20 ms', ms: 20 },
    { name: '3.5 % too high', off: 1.035 },
    { name: '3.5 % too low', off: 0.965 },
    { name: 'the row alone', columnAmplitude: 0 },
    { name: 'a column 12 dB louder', rowAmplitude: 0.05, columnAmplitude: 0.2 },
    { name: 'nothing that can be heard', rowAmplitude: 0.001, columnAmplitude: 0.001 },
  ])('takes no key of $name', ({ name: _, ...shape }) => {
    for (const key of KEYPAD) expect(digitsIn(press({ key, ...shape }))).toBe('');
  });

  it('hears keys in noise 15 dB below them', () => {
    const audio = joined(...[...KEYPAD].flatMap((key) => [press({ key, ms: 60 }), silence(60)]));
    expect(digitsIn(mixed(audio, noise(audio.length / 8, -29)))).toBe(KEYPAD);
  });

  it('tells two presses of a key 40 ms apart from one with a fault of 10 ms in it', () => {
    const long = press({ ms: 200 });
    expect(digitsIn(joined(press({ ms: 60 }), silence(40), press({ ms: 60 })))).toBe('55');
    for (let at = 60; at < 80; at += 1) {
      expect(digitsIn(joined(long.subarray(0, at * 8), silence(10), long.subarray((at + 10) * 8)))).toBe('5');
    }
  });

  it('hears one key right after another', () => {
    expect(digitsIn(joined(press({ key: '1' }), press({ key: '2' }), press({ key: '3' })))).toBe('123');
  });

  it('tells how long a key was held', () => {
    const [key] = keysIn(joined(silence(35), press({ ms: 400 })));
    expect(Math.abs((key?.durationMs ?? 0) - 400)).toBeLessThan(27);
  });

  it('reports a key once, whatever packets of it were lost', () => {
    const audio = joined(silence(40), press({ ms: 160 }));
    for (let lost = 0; lost < 256; lost += 1) {
      const frames = [...Array(8).keys()].filter((bit) => lost & (1 << bit)).map((bit) => bit + 2);
      if (frames.length <= 4) expect(digitsIn(audio, frames).length, `lost ${frames}`).toBeLessThanOrEqual(1);
      if (frames.length <= 2) expect(digitsIn(audio, frames), `lost ${frames}`).toBe('5');
    }
  });

  it('makes no key of what was invented, and does not wait for the end of one for ever', () => {
    expect(digitsIn(press({ ms: 20 }), [1, 2, 3, 4])).toBe('');
    const lost = [...Array(15).keys()].map((n) => n + 4);
    expect(keysIn(joined(press({ ms: 80 }), silence(300)), lost)).toEqual([{ digit: '5', durationMs: 78 }]);
  });

  it('says when a key sounds', () => {
    const detector = new DtmfToneDetector(8_000);
    const heard: boolean[] = [];
    for (const audio of [silence(40), press({ ms: 60 }), press({ ms: 40 }), silence(60)]) {
      detector.push(audio, false, () => undefined);
      heard.push(detector.sounding);
    }
    expect(heard).toEqual([false, true, true, false]);
  });

  it('hears no key in five minutes of speech', () => {
    for (const { file } of speechClips()) expect(digitsIn(readClip(file)), file).toBe('');
  });

  it('has the same sixteen keys as the events', () => {
    expect([...KEYPAD].sort()).toEqual([...DTMF_DIGITS].sort());
  });
});

describe('the states of a tone', () => {
  const events: readonly ToneEvent[] = ['pair', 'stays', 'gone'];
  it.each([
    ['quiet', ['sounding', undefined, undefined]],
    ['sounding', [undefined, undefined, 'fading']],
    ['fading', [undefined, 'sounding', 'quiet']],
  ] as const)('%s', (state, next) => {
    expect(events.map((event) => TONE_TRANSITIONS[state][event])).toEqual(next);
  });
});
