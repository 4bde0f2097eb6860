import { describe, expect, it } from 'vitest';
import { type Name, outcomeOf } from '../../support/shipped-dialogue.ts';

describe('what is only supposed', () => {
  it.each<[Name, string]>([
    ['delivery', 'what happens if i cancel my order'],
    ['delivery', 'suppose i cancel it tomorrow do you charge me'],
    ['clinic', 'لو الغيت الموعد فيه غرامة'],
    ['clinic', 'لو اني غيرت الموعد ينحسب علي شي'],
  ])('begins nothing: %s: %s', (name, text) => {
    const { state } = outcomeOf(name, [text]);
    expect(state.flow).toBeUndefined();
    expect(state.pending.kind).not.toBe('slot');
  });

  it('is answered where the question is known', () => {
    expect(outcomeOf('delivery', ['if i cancel do i get my money back']).meant).toEqual(['knowledge:4']);
  });

  it.each<[Name, string, string]>([
    ['delivery', 'if it is not sent yet cancel it please', 'cancel'],
    ['delivery', 'can i cancel it if it has not left yet', 'cancel'],
    ['delivery', 'i would like to know if i can cancel my order', 'cancel'],
    ['clinic', 'لو سمحت الغي موعدي', 'cancel'],
    ['clinic', 'اذا ممكن تلغين موعدي', 'cancel'],
  ])('is another thing than a wish with a condition, or a polite one: %s: %s', (name, text, flow) => {
    expect(outcomeOf(name, [text]).state.flow).toBe(flow);
  });
});

describe('what somebody had in mind and gave up', () => {
  it.each<[Name, string, string]>([
    ['delivery', 'i was going to change my address but forget it just cancel my order', 'cancel'],
    ['delivery', 'i was about to cancel my order but tell me where it is first', 'track'],
    ['delivery', 'i was going to cancel it but my husband says no just change the address', 'change-address'],
    ['clinic', 'كنت بلغي موعدي بس خلاص غيروا لي الوقت', 'move'],
    ['clinic', 'كنت ناوي انقل موعدي بس خلاص كنسليه', 'cancel'],
  ])('gives way to what is said instead: %s: %s', (name, text, flow) => {
    expect(outcomeOf(name, [text]).state.flow).toBe(flow);
  });

  it.each<[Name, string, string]>([
    ['delivery', 'i was going to cancel my order but i could not find the button', 'cancel'],
    ['clinic', 'كنت ابغى احجز موعد بس ما عرفت كيف', 'book'],
  ])('is wished for where nothing else is: %s: %s', (name, text, flow) => {
    expect(outcomeOf(name, [text]).state.flow).toBe(flow);
  });
});

describe('what is denied two by two', () => {
  it('is none of the two', () => {
    const { state, meant } = outcomeOf('clinic', ['ما ابغى لا حجز ولا الغاء عطيني المدير']);
    expect(state.flow).toBeUndefined();
    expect(meant).toEqual(['intent:human']);
  });

  it.each(['تبي اجيكم بكره ولا بعد بكره', 'ابغى موعد السبت ولا الاحد'])(
    'is denied behind a negation only: %s',
    (text) => {
      expect(
        outcomeOf('clinic', [text])
          .trace.flatMap(({ acts }) => acts ?? [])
          .join(),
      ).not.toContain('forbid');
    },
  );

  it('ends with its own words where it takes back', () => {
    expect(outcomeOf('clinic', ['امي تبا تلغي الموعد لا لا ما تلغيه تبا تاخره شوي']).state.flow).toBe('move');
  });
});

describe('a service', () => {
  it('gives way to no word that is only like another one', () => {
    const { state } = outcomeOf('clinic', ['ابغى موعد تبييض وابغى اسناني تطلع حلوة']);
    expect(state.slots.service?.value).toBe('whitening');
  });
});

describe('what is taken back in the same breath', () => {
  it.each<[Name, string, string]>([
    ['clinic', 'ابغى الغي لا اقصد انقل الموعد', 'move'],
    ['delivery', "i'm not cancelling, i told that one already, i only ask where my order is", 'track'],
  ])('is not done: %s: %s', (name, text, flow) => {
    expect(outcomeOf(name, [text]).state.flow).toBe(flow);
  });
});

const CASE = ['my package is damaged', '4521', 'my money back please', '0501234567'];
const BOOKING = ['ابي تنظيف بكرة الساعة ثلاث'];
const BOOKED = ['ابي تنظيف بكرة الساعة ثلاث اسمي دانة باعشن', '0555701984'];

describe('what is held', () => {
  it('is agreed to with its own words', () => {
    expect(outcomeOf('delivery', [...CASE, 'yes the money back correct']).done).toMatchObject([{ flow: 'damaged' }]);
  });

  it('may still be asked about with a yes', () => {
    const { done, meant } = outcomeOf('delivery', [...CASE, 'yes and when is the money on my card']);
    expect([done, meant]).toEqual([[], ['knowledge:4']]);
  });

  it('is not changed by a word like it in a sentence that changes something else', () => {
    const { state } = outcomeOf('clinic', [...BOOKED, 'لا لحظة ثلاث عندي درس في المعهد خليها خمس']);
    expect(state.slots).toMatchObject({ service: { value: 'cleaning' }, time: { value: '17:00' } });
  });

  it('is not changed by small talk that names a day, and is by who changes it', () => {
    const dayAfter = (text: string) => outcomeOf('clinic', [...BOOKING, text]).state.slots['date']?.value;
    expect(dayAfter('والله الجو حلو مرة والشوارع فاضية الليلة')).toBe('2026-11-23');
    expect(dayAfter('لا خليه الثلاثاء')).toBe('2026-11-24');
    expect(outcomeOf('clinic', [...BOOKING, 'الثلاثاء']).state.slots['patient']).toBeUndefined();
  });
});
