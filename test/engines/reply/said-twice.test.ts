import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../support/shipped-dialogue.ts';

describe('two wishes that are denied, one beside the other', () => {
  it.each([
    'لا أبي أغير ولا أبي ألغي بس أتأكد موعدي متى',
    'ما ابي اغير ولا ابي الغي بس ابي اتأكد موعدي متى',
    'لا ابي اغير ولا الغي بس أتأكد موعدي متى',
  ])('begin nothing, and the third is done: %s', (said) => {
    expect(outcomeOf('clinic', [said]).meant).toEqual(['intent:my-appointment']);
  });

  it('are no answer no before a wish', () => {
    expect(outcomeOf('clinic', ['لا ابي الغي موعدي']).meant).toEqual(['intent:cancel-appointment']);
  });
});

describe('a day that is refused', () => {
  it.each([
    "i have to be at the dentist tomorrow so the coffee machine can't come tomorrow can you bring it another time",
    'i am at the dentist tomorrow so not tomorrow please bring my lamp another day',
  ])('is no wish where it was the reason before: %s', (said) => {
    const { state } = outcomeOf('delivery', [said]);
    expect([state.flow, state.slots['date']]).toEqual(['redeliver', undefined]);
  });

  it.each([
    ['bring it tomorrow but not tomorrow morning, order 4521', '2026-11-23', undefined],
    ['bring my lamp again but not tomorrow evening, on tuesday', '2026-11-24', undefined],
  ])('may be a part of one: %s', (said, date, window) => {
    const { slots } = outcomeOf('delivery', [said]).state;
    expect([slots['date']?.value, slots['window']?.value]).toEqual([date, window]);
  });

  it('gives way to the one behind it', () => {
    const booked = ['ابغى احجز كشف', 'الثلاثاء', 'احدعش الصبح', 'هيلة', '0544445555'];
    expect(outcomeOf('clinic', [...booked, 'لا مو الثلاثاء الأربعاء أريح لها']).state.slots['date']?.value).toBe(
      '2026-11-25',
    );
  });
});

describe('an address at the read-back', () => {
  const GIVEN = ['change the address', '4522', 'fourteen palm street in al yasmin'];
  it.each([
    'not quite the address is fourteen palm street in al nakheel not al yasmin',
    "no it's fourteen palm street in al nakheel not al yasmin",
    "not quite it's al nakheel not al yasmin",
  ])('is said anew, and what is not meant is no part of it: %s', (said) => {
    const { state } = outcomeOf('delivery', [...GIVEN, said]);
    expect(state.slots['address']?.value).toBe('fourteen palm street in al nakheel');
  });

  it('is read back once, though it was heard before', () => {
    const { lines } = outcomeOf('delivery', [...GIVEN, 'no the address is wrong', 'fourteen palm street in al yasmin']);
    expect(
      lines
        .map(({ text }) => text)
        .join(' ')
        .split('I will send').length,
    ).toBe(2);
  });
});

describe('what is told is no choice', () => {
  it('the other one of two', () => {
    const { state } = outcomeOf('delivery', [
      'there were two books and only one came the other one is missing',
      '7788',
    ]);
    expect([state.flow, state.slots['replace']]).toEqual(['damaged', undefined]);
  });

  it('an hour of the night, where nobody is there', () => {
    const asked = ['ابغى احجز تنظيف', 'بكرة'];
    expect(outcomeOf('clinic', [...asked, 'واحدة بالليل']).state.slots['time']).toBeUndefined();
    expect(outcomeOf('clinic', [...asked, 'ثمانية بالليل']).state.slots['time']?.value).toBe('20:00');
  });
});
