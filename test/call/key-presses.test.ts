import { describe, expect, it } from 'vitest';
import { type KeyMeans, KeyPresses } from '../../src/call/key-presses.ts';

type Told = readonly [digit: string, means: KeyMeans, atMs: number];

describe('KeyPresses', () => {
  it.each<{ name: string; told: readonly Told[]; keys: string }>([
    {
      name: 'one key twice by one means',
      told: [
        ['5', 'event', 0],
        ['5', 'event', 100],
      ],
      keys: '55',
    },
    {
      name: 'one key by INFO and as an event',
      told: [
        ['5', 'info', 0],
        ['5', 'event', 150],
      ],
      keys: '5',
    },
    {
      name: 'one key by INFO and as a tone',
      told: [
        ['5', 'tone', 0],
        ['5', 'info', 599],
      ],
      keys: '5',
    },
    {
      name: 'a key pressed twice, each told in two ways',
      told: [
        ['5', 'info', 0],
        ['5', 'tone', 100],
        ['5', 'info', 300],
        ['5', 'tone', 400],
      ],
      keys: '55',
    },
    {
      name: 'too late for the same press',
      told: [
        ['5', 'info', 0],
        ['5', 'tone', 600],
      ],
      keys: '55',
    },
    {
      name: 'other keys',
      told: [
        ['5', 'info', 0],
        ['6', 'tone', 10],
        ['5', 'tone', 20],
      ],
      keys: '565',
    },
  ])('$name', ({ told, keys }) => {
    const presses = new KeyPresses();
    expect(told.filter((press) => presses.isNew(...press)).map(([digit]) => digit)).toEqual([...keys]);
  });
});
