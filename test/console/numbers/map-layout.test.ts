import { describe, expect, it } from 'vitest';
import { CARD, GAP, layOut, NUMBERS_SHOWN_MAX } from '../../../src/console/pages/numbers/model/map-layout.ts';

const senders = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `s${at}` }));
const agents = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `a${at}` }));
const numbers = (agentId: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ number: `${agentId}-${at}`, agent_id: agentId }));
/** Where a line begins and ends. */
const ends = (d: string): readonly number[] => {
  const all = d.match(/-?[\d.]+/g)!.map(Number);
  return [...all.slice(0, 2), ...all.slice(-2)];
};

describe('the map of routes', () => {
  it.each([
    { name: 'nothing at all', layout: layOut([], [], []) },
    { name: 'one of each', layout: layOut(senders(1), numbers('a0', 1), agents(1)) },
    { name: 'many senders', layout: layOut(senders(9), numbers('a0', 1), agents(1)) },
    { name: 'many numbers', layout: layOut(senders(1), [...numbers('a1', 30), ...numbers('a0', 3)], agents(3)) },
  ])('keeps every card apart and inside: $name', ({ layout }) => {
    const columns = [
      { cards: layout.senders, height: CARD.sender },
      { cards: [...layout.numbers, ...layout.more], height: CARD.number },
      { cards: layout.agents, height: CARD.agent },
    ];
    for (const { cards, height } of columns) {
      const tops = cards.map(({ top }) => top).sort((a, b) => a - b);
      tops.forEach((top, at) => {
        expect(top).toBeGreaterThanOrEqual(0);
        expect(top + height).toBeLessThanOrEqual(layout.height);
        if (at > 0) expect(top - tops[at - 1]!).toBeGreaterThan(height);
      });
    }
  });

  it('has lines from the middle of a number to the middle of its agent, none of which cross', () => {
    const all = [...numbers('a2', 2), ...numbers('a0', 3), ...numbers('a1', 1)];
    const { toAgents, numbers: placed, agents: placedAgents } = layOut(senders(2), all, agents(3));
    const spans = toAgents.map(({ key, d }) => ({ key, of: ends(d) })).sort((a, b) => a.of[1]! - b.of[1]!);
    expect(spans.map(({ of }) => of[3])).toEqual(spans.map(({ of }) => of[3]).sort((a, b) => a! - b!));
    for (const { key, of } of spans) {
      const number = placed.find((one) => one.of.number === key)!;
      const agent = placedAgents.find((one) => one.of.id === number.of.agent_id)!;
      expect(of).toEqual([0, number.top + CARD.number / 2, GAP.agents, agent.top + CARD.agent / 2]);
    }
  });

  it('leads every sender to the place from which every number is reached', () => {
    const { hub, fromSenders, toNumbers } = layOut(senders(3), numbers('a0', 2), agents(1));
    for (const { d } of fromSenders) expect(ends(d).slice(2)).toEqual([hub.x, hub.y]);
    for (const { d } of toNumbers) expect(ends(d).slice(0, 2)).toEqual([hub.x, hub.y]);
  });

  it('counts what there is no room for, and puts agents without a number last', () => {
    const { more, numbers: shown, agents: placed } = layOut([], numbers('a1', NUMBERS_SHOWN_MAX + 4), agents(2));
    expect(shown).toHaveLength(NUMBERS_SHOWN_MAX);
    expect(more.map(({ count, of }) => [count, of.id])).toEqual([[4, 'a1']]);
    expect(placed.map(({ of }) => of.id)).toEqual(['a1', 'a0']);
    expect(layOut([], numbers('a1', NUMBERS_SHOWN_MAX), agents(2)).more).toEqual([]);
  });
});
