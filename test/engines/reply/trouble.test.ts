import { describe, expect, it } from 'vitest';
import { isTroubled } from '../../../src/engines/reply/acts/read-acts.ts';
import { wordsOf } from '../../../src/language/words.ts';

describe('trouble', () => {
  it.each([
    { said: 'you have taken the money off my card twice', troubled: true },
    { said: 'two times the bank has debited me for one order', troubled: true },
    { said: 'i paid for it but the app charged my account again and again, twice in fact', troubled: true },
    { said: 'the driver came twice and nobody was here', troubled: false },
    { said: 'i paid by card', troubled: false },
    { said: 'ساحبين من بطاقتي مرتين', troubled: true },
    { said: 'مرتين وانتم تسحبون ومرتين دفعت', troubled: true },
    { said: 'ابغى انظف اسناني مرتين في السنة', troubled: false },
    { said: 'خلعت ضرس امس والدم ما وقف', troubled: true },
    { said: 'ابوي انتفخ وجهه ومو قادر يتنفس', troubled: true },
    { said: 'وينزف من الصبح', troubled: true },
    { said: 'لو سمحت ابوي ما يتنفس', troubled: true },
    { said: 'لو ابوي ما يتنفس وين نروح', troubled: false },
    { said: 'متى موعدي', troubled: false },
  ])('$said: $troubled', ({ said, troubled }) => {
    expect(isTroubled(wordsOf(said))).toBe(troubled);
  });
});
