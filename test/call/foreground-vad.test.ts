import { describe, expect, it } from 'vitest';
import { ForegroundVad } from '../../src/call/foreground-vad.ts';
import type { VadChange, VadDetector } from '../../src/engines/vad/contract.ts';

const FRAME = { samples: new Int16Array(160), sampleRateHz: 8000 };

/** Hears voices in whatever is louder than its floor, from the third frame on and until the tenth that is not. */
class AnyVoice implements VadDetector {
  speaking = false;
  levelDb = -96;
  #run = 0;
  #frames = 0;
  constructor(readonly floorDb: number) {}
  push(): VadChange | undefined {
    const voice = this.levelDb > this.floorDb;
    this.#frames += 1;
    this.#run = voice === this.speaking ? 0 : this.#run + 1;
    if (this.#run < (this.speaking ? 10 : 3)) return undefined;
    const atSample = (this.#frames - this.#run) * 160;
    this.#run = 0;
    this.speaking = voice;
    return { type: voice ? 'start' : 'end', atSample };
  }
  reset(): void {
    this.speaking = false;
    this.#run = 0;
    this.#frames = 0;
  }
  close(): void {}
}

/** @param parts - `[levelDb, frames]`, one after the other. @returns what changed, in frames. */
function listen(floorDb: number, parts: readonly (readonly [number, number])[]) {
  const inner = new AnyVoice(floorDb);
  const vad = new ForegroundVad(inner);
  const changes: string[] = [];
  for (const [levelDb, frames] of parts) {
    for (let i = 0; i < frames; i += 1) {
      inner.levelDb = levelDb;
      const change = vad.push(FRAME);
      if (change) changes.push(`${change.type} ${change.atSample / 160}`);
    }
  }
  return { changes, speaking: vad.speaking, vad, inner };
}

describe('speech of whoever speaks into the telephone', () => {
  it.each<{ name: string; floorDb?: number; parts: [number, number][]; changes: string[]; speaking?: boolean }>([
    {
      name: 'is what the detector says, where nobody else talks',
      parts: [
        [-70, 20],
        [-20, 50],
        [-70, 20],
      ],
      changes: ['start 20', 'end 70'],
    },
    {
      name: 'ends where it falls back to talk behind it',
      parts: [
        [-38, 30],
        [-20, 50],
        [-38, 20],
      ],
      changes: ['start 0', 'end 80'],
    },
    {
      name: 'begins again above that',
      parts: [
        [-38, 30],
        [-20, 50],
        [-38, 30],
        [-20, 20],
      ],
      changes: ['start 0', 'end 80', 'start 110'],
      speaking: true,
    },
    {
      name: 'goes on over a softer syllable',
      parts: [
        [-20, 50],
        [-38, 14],
        [-20, 20],
      ],
      changes: ['start 0'],
      speaking: true,
    },
    {
      name: 'stays at its end, however long they talk on',
      parts: [
        [-20, 50],
        [-38, 300],
      ],
      changes: ['start 0', 'end 50'],
    },
    {
      name: 'is not begun by a louder one',
      parts: [
        [-20, 50],
        [-38, 30],
        [-20, 9],
        [-38, 5],
      ],
      changes: ['start 0', 'end 50'],
    },
    {
      name: 'has one end, whoever goes on',
      parts: [
        [-20, 50],
        [-38, 30],
        [-70, 20],
      ],
      changes: ['start 0', 'end 50'],
    },
    {
      name: 'begins anew after both were silent',
      parts: [
        [-20, 50],
        [-38, 30],
        [-70, 20],
        [-38, 20],
      ],
      changes: ['start 0', 'end 50', 'start 100'],
      speaking: true,
    },
    {
      name: 'may be soft for half a second where the line is quiet',
      floorDb: -60,
      parts: [
        [-20, 50],
        [-50, 24],
        [-20, 5],
      ],
      changes: ['start 0'],
      speaking: true,
    },
    {
      name: 'ends where one person talks behind it, in whose gaps the line is quiet',
      floorDb: -60,
      parts: [
        [-20, 50],
        [-36, 8],
        [-50, 6],
        [-36, 20],
      ],
      changes: ['start 0', 'end 65'],
    },
    {
      name: 'ends where the talk behind it has loud moments',
      parts: [
        [-20, 50],
        [-36, 7],
        [-30, 2],
        [-36, 7],
        [-30, 2],
        [-36, 20],
      ],
      changes: ['start 0', 'end 69'],
    },
    {
      name: 'is not taken for whoever goes on behind it louder than that at first',
      parts: [
        [-20, 50],
        ...Array.from({ length: 20 }, (_, i): [number, number] => (i % 2 ? [-36, 4] : [-30, 2])),
        [-40, 20],
      ],
      changes: ['start 0', 'end 110'],
    },
    {
      name: 'begins again with a word that has a gap',
      parts: [
        [-20, 50],
        [-38, 30],
        [-20, 6],
        [-38, 3],
        [-20, 5],
      ],
      changes: ['start 0', 'end 50', 'start 80'],
      speaking: true,
    },
    {
      name: 'does not end where a louder voice begins',
      floorDb: -55,
      parts: [
        [-45, 40],
        [-15, 20],
      ],
      changes: ['start 0'],
      speaking: true,
    },
    { name: 'does not end where it is as soft as before', parts: [[-38, 80]], changes: ['start 0'], speaking: true },
  ])('$name', ({ floorDb = -45, parts, changes, speaking = false }) => {
    const heard = listen(floorDb, parts);
    expect(heard.changes).toEqual(changes);
    expect(heard.speaking).toBe(speaking);
  });

  it('counts from the start again after a reset', () => {
    const { vad, inner } = listen(-45, [
      [-20, 50],
      [-38, 30],
    ]);
    vad.reset();
    inner.levelDb = -38;
    const changes = Array.from({ length: 5 }, () => vad.push(FRAME)).filter((change) => change !== undefined);
    expect(changes).toEqual([{ type: 'start', atSample: 0 }]);
    expect(vad.speaking).toBe(true);
  });
});
