import { expect, it } from 'vitest';
import type { CallSource } from '../../src/core/trunk.ts';
import type { SipLeg } from '../../src/sip/leg.ts';
import { LivingLegs } from '../../src/sip/living-legs.ts';

const legOf = (source?: CallSource): SipLeg => ({ info: { ...(source && { source }) } }) as SipLeg;
const trunk = (id: string): CallSource => ({ kind: 'trunk', id, name: id, accountId: undefined });

it('legs are counted by the trunk that they came from, however often they are told to be over', () => {
  const legs = new LivingLegs();
  const [one, two, other] = [legOf(trunk('a')), legOf(trunk('a')), legOf(trunk('b'))];
  for (const leg of [one, two, other, legOf({ kind: 'loopback' }), legOf(), one]) legs.add(leg);
  expect([legs.size, legs.countOf('a'), legs.countOf('b'), legs.countOf('c')]).toEqual([5, 2, 1, 0]);
  legs.delete(one);
  legs.delete(one);
  legs.delete(legOf(trunk('a'))); // never was one
  expect([legs.size, legs.countOf('a'), legs.list().includes(two)]).toEqual([4, 1, true]);
  legs.delete(two);
  expect(legs.countOf('a')).toBe(0);
});
