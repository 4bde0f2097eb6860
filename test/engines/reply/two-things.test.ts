import { describe, expect, it } from 'vitest';
import type { TurnOutcome } from '../../../src/engines/reply/turn-draft.ts';
import { type Name, outcomeOf } from '../../support/shipped-dialogue.ts';

const opened = (name: Name, said: string): TurnOutcome => outcomeOf(name, [said]);

describe('a question and a wish in one opening: the question is answered, and the wish goes on', () => {
  it.each([
    { said: 'ابغى اسأل تقبلون التأمين لأن آخر عيادة دفعت فيها من جيبي وإذا تقبلونه احجزي لي كشف', meant: [2, 'book'] },
    { said: 'كم سعر التنظيف عندكم وبعدها أبغى أحجز لأمي', meant: [4, 'book'] },
    { said: 'التقويم عندكم بيبقى بكام وعايز أحجز لبنتي', meant: [5, 'book'] },
    { said: 'قولي لي أول من الدكاترة اللي عندكم وبعدين أبي أحد من العيادة يكلمني', meant: [7, 'human'] },
  ])('$said', ({ said, meant }) => {
    expect(opened('clinic', said).meant).toEqual([`knowledge:${meant[0]}`, `intent:${meant[1]}`]);
  });

  it.each([
    { said: 'what time are you open and can you put me through to someone', meant: [0, 'human'] },
    { said: "tell me first how long a refund takes and then i'd like to talk to a person", meant: [4, 'human'] },
  ])('$said', ({ said, meant }) => {
    const { meant: found, action } = opened('delivery', said);
    expect(found).toEqual([`knowledge:${meant[0]}`, `intent:${meant[1]}`]);
    expect(action?.type).toBe('transfer');
  });

  it('is about what the wish named, where it does not say of what', () => {
    expect(opened('clinic', 'أبي أسوي تنظيف بس أول شي كم السعر').meant).toEqual(['knowledge:4', 'intent:book']);
    expect(opened('clinic', 'أبغى تقويم بس أول شي كم السعر').meant).toEqual(['knowledge:5', 'intent:book']);
  });

  it('keeps what the question named already', () => {
    const { state } = opened('clinic', 'بكم التبييض وعايزة أحجز لأختي');
    expect(state.flow).toBe('book');
    expect(state.slots['service']?.value).toBe('whitening');
  });

  it('asks nothing where it only tells', () => {
    expect(opened('clinic', 'قبل سنة سويت عندكم حشوة وطاحت والحين أبي أجي أشيك عليها').meant).toEqual(['intent:book']);
  });
});

describe('two undertakings in one opening: the second is not lost', () => {
  it.each([
    { said: 'عندي موعد بكرة أبغى ألغيه وبدالي أبغى أحجز لأمي تنظيف', first: 'cancel-appointment', later: 'book' },
    {
      said: 'أمي عندها موعد بكرة أبي ألغيه وبعد ما تلغينه أبي أحجز لها تنظيف',
      first: 'cancel-appointment',
      later: 'book',
    },
    { said: 'عندي موعد بكرة وما أقدر أجي أبغى أغيره وأبغى أحجز لولدي', first: 'move', later: 'book' },
  ])('$said', ({ said, first, later }) => {
    const { meant, state } = opened('clinic', said);
    expect(meant).toEqual([`intent:${first}`]);
    expect(state.later.map(({ ids }) => ids)).toEqual([[`intent:${later}`]]);
  });

  it('is none where the second is denied', () => {
    const { meant, state } = opened('clinic', 'أبغى ألغي موعدي وما أبي أغيره');
    expect(meant).toEqual(['intent:cancel-appointment']);
    expect(state.later).toEqual([]);
  });
});

describe('anger, and behind it what is to be done', () => {
  it.each([
    "i've had enough you said tuesday then saturday and still no lamp so just cancel the whole thing",
    "i've had enough of waiting just scrap the order four five two two",
    "i'd like to cancel three oh nine oh i'm fed up",
    'this is ridiculous i want you to cancel the order',
  ])('is done: %s', (said) => {
    expect(opened('delivery', said).meant).toEqual(['intent:cancel']);
  });

  it.each([
    'this is ridiculous you cancelled my order without asking',
    'this is unacceptable i never asked you to cancel it',
    'the driver was rude to me so i want to make a complaint',
  ])('is a complaint: %s', (said) => {
    expect(opened('delivery', said).meant).toEqual(['trouble:complaint']);
  });

  it('is done in Arabic, too', () => {
    expect(opened('clinic', 'تعاملكم سيء وطفشت منكم خلاص الغي موعدي').meant).toEqual(['intent:cancel-appointment']);
    expect(opened('clinic', 'طفشت منكم الغيتوا موعدي').meant).toEqual(['trouble:complaint']);
  });
});
