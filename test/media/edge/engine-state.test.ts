import { describe, expect, it } from 'vitest';
import {
  ENGINE_TRANSITIONS,
  type EngineEvent,
  type EngineState,
  inTurn,
  nextEngineState,
} from '../../../src/media/edge/engine-state.ts';
import { randomFrom } from '../../support/seeded-random.ts';

const EVENTS: readonly EngineEvent[] = ['answered', 'silent'];

describe('the state of an rtpengine', () => {
  it('every state with every event', () => {
    const walked = (Object.keys(ENGINE_TRANSITIONS) as EngineState[]).flatMap((state) =>
      EVENTS.map((event) => `${state} ${event} ${nextEngineState(state, event) ?? '-'}`),
    );
    expect(walked).toEqual([
      ...['unknown answered up', 'unknown silent down', 'up answered -', 'up silent down'],
      ...['down answered up', 'down silent -'],
    ]);
  });

  const candidate = (name: string, state: EngineState, weight: number) => ({ name, state, weight });

  it('those that are down come last, those of weight 0 after those with one', () => {
    const all = [candidate('down', 'down', 100), candidate('spare', 'up', 0), candidate('new', 'unknown', 1)];
    expect(inTurn(all, () => 0.5).map(({ name }) => name)).toEqual(['new', 'spare', 'down']);
  });

  it('comes first as often as its weight says', () => {
    const random = randomFrom(1);
    const pair = [candidate('heavy', 'up', 3), candidate('light', 'up', 1)];
    const first = Array.from({ length: 4_000 }, () => inTurn(pair, random)[0]!.name);
    expect(first.filter((name) => name === 'heavy').length / first.length).toBeCloseTo(0.75, 1);
  });
});
