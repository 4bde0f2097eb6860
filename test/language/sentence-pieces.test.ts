import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clauseStarts, SentenceStream, splitSentences } from '../../src/language/sentence-pieces.ts';

describe('clauseStarts', () => {
  it.each([
    { text: '', clauses: [''] },
    { text: 'Good morning', clauses: ['Good morning'] },
    { text: 'Yes, it is: now. Bye!', clauses: ['Yes, ', 'it is: ', 'now. ', 'Bye!'] },
    { text: 'نعم، طيب؛ أراك غدا.', clauses: ['نعم، ', 'طيب؛ ', 'أراك غدا.'] },
    { text: 'Dr. Noura, 3.5 of 1,000 ...', clauses: ['Dr. Noura, ', '3.5 of 1,000 ...'] },
    { text: 'What?! (No.) “Well”, then', clauses: ['What?! (', 'No.) “', 'Well”, ', 'then'] },
  ])('$text', ({ text, clauses }) => {
    const starts = [0, ...clauseStarts(text)];
    expect(starts.map((from, n) => text.slice(from, starts[n + 1]))).toEqual(clauses);
  });
});

describe('splitSentences', () => {
  it.each([
    { name: 'nothing', text: '', pieces: [] },
    { name: 'only white space', text: ' \n\t ', pieces: [] },
    { name: 'one sentence without an end', text: 'hello there', pieces: ['hello there'] },
    { name: 'English marks', text: 'Yes. Really?  Good! Bye', pieces: ['Yes.', 'Really?', 'Good!', 'Bye'] },
    { name: 'Arabic marks', text: 'أهلاً بك. كيف أساعدك؟ تفضل!', pieces: ['أهلاً بك.', 'كيف أساعدك؟', 'تفضل!'] },
    { name: 'Arabic comma does not end', text: 'نعم، طيب. اها', pieces: ['نعم، طيب.', 'اها'] },
    { name: 'decimals', text: 'It costs 3.5 riyals. Pay 1.25 now.', pieces: ['It costs 3.5 riyals.', 'Pay 1.25 now.'] },
    { name: 'Arabic-Indic decimals', text: 'السعر ٣.٥ ريال. شكراً', pieces: ['السعر ٣.٥ ريال.', 'شكراً'] },
    { name: 'a number ends a sentence', text: 'You are number 12. Wait.', pieces: ['You are number 12.', 'Wait.'] },
    {
      name: 'titles',
      text: 'Dr. Noura will see you. Mr. Ali too.',
      pieces: ['Dr. Noura will see you.', 'Mr. Ali too.'],
    },
    {
      name: 'Arabic titles and currency',
      text: 'د. نورة. المبلغ ٥٠ ر.س. فقط.',
      pieces: ['د. نورة.', 'المبلغ ٥٠ ر.س. فقط.'],
    },
    {
      name: 'initials',
      text: 'J. R. Smith is in the U.S. office. OK.',
      pieces: ['J. R. Smith is in the U.S. office.', 'OK.'],
    },
    { name: 'the word I ends a sentence', text: 'So do I. Thanks.', pieces: ['So do I.', 'Thanks.'] },
    { name: 'in brackets', text: 'Call (e.g. today). Bye.', pieces: ['Call (e.g. today).', 'Bye.'] },
    { name: 'list numbers', text: '1. Booking\n2. Hours', pieces: ['1. Booking', '2. Hours'] },
    { name: 'marks in a row', text: 'What?! No... “Well.” Fine', pieces: ['What?!', 'No...', '“Well.”', 'Fine'] },
    {
      name: 'addresses stay whole',
      text: 'See www.example.com or a.b@c.sa. Bye',
      pieces: ['See www.example.com or a.b@c.sa.', 'Bye'],
    },
    { name: 'line breaks', text: 'one\r\n\n two\u2028three', pieces: ['one', 'two', 'three'] },
    { name: 'marks alone', text: '... ؟', pieces: ['...', '؟'] },
  ])('$name', ({ text, pieces }) => {
    expect(splitSentences(text)).toEqual(pieces);
  });

  it.each([
    { name: 'at the last comma', text: 'one two three, four five six', pieces: ['one two three,', 'four five six'] },
    { name: 'at the last space', text: 'one two three four five six', pieces: ['one two three four', 'five six'] },
    { name: 'not at an early comma', text: 'a, two three four fives', pieces: ['a, two three four', 'fives'] },
    { name: 'hard', text: 'x'.repeat(45), pieces: ['x'.repeat(20), 'x'.repeat(20), 'x'.repeat(5)] },
    { name: 'never inside a pair', text: `${'x'.repeat(19)}😀y`, pieces: ['x'.repeat(19), '😀y'] },
    { name: 'never before a vowel mark', text: `${'ب'.repeat(20)}َن`, pieces: ['ب'.repeat(19), 'بَن'] },
    {
      name: 'closing brackets without end',
      text: `a.${')'.repeat(30)}`,
      pieces: [`a.${')'.repeat(18)}`, ')'.repeat(12)],
    },
  ])('cuts what is too long $name', ({ text, pieces }) => {
    expect(splitSentences(text, { maxChars: 20, firstClauseMinChars: 0 })).toEqual(pieces);
  });

  it('may start speaking at the first comma, and only the first piece', () => {
    const options = { maxChars: 200, firstClauseMinChars: 10 };
    expect(splitSentences('Yes, of course, we open at nine, daily. And, as ever, Friday.', options)).toEqual([
      'Yes, of course,',
      'we open at nine, daily.',
      'And, as ever, Friday.',
    ]);
  });
});

describe('SentenceStream', () => {
  it('gives a sentence as soon as what follows shows that it ended', () => {
    const stream = new SentenceStream();
    expect(stream.push('Hello.')).toEqual([]);
    expect(stream.push(' How are')).toEqual(['Hello.']);
    expect(stream.push(' you? I')).toEqual(['How are you?']);
    expect(stream.end()).toEqual(['I']);
    expect(stream.end()).toEqual([]);
  });

  const text = fc.string({
    unit: fc.constantFrom(...' \n.,؟?!،…")(', ...'abIنم1٢', 'َ', '😀', 'Dr.', 'ر.س.', 'e.g.', '. ', '؟ '),
    maxLength: 120,
  });
  const options = fc.record({
    maxChars: fc.integer({ min: 16, max: 60 }),
    firstClauseMinChars: fc.integer({ min: 0, max: 20 }),
  });

  it('does not depend on how the text was cut', () => {
    fc.assert(
      fc.property(text, options, fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 80 }), (whole, how, cuts) => {
        const stream = new SentenceStream(how);
        const got: string[] = [];
        let at = 0;
        for (const cut of cuts) {
          got.push(...stream.push(whole.slice(at, at + cut)));
          at += cut;
        }
        got.push(...stream.push(whole.slice(at)), ...stream.end());
        expect(got).toEqual(splitSentences(whole, how));
      }),
    );
  });

  it('loses nothing but white space, and no piece is empty or too long', () => {
    fc.assert(
      fc.property(text, options, (whole, how) => {
        const pieces = splitSentences(whole, how);
        expect(pieces.join('').replace(/\s/gu, '')).toBe(whole.replace(/\s/gu, ''));
        for (const piece of pieces) {
          expect(piece.trim()).toBe(piece);
          expect(piece.length).toBeGreaterThan(0);
          expect(piece.length).toBeLessThanOrEqual(how.maxChars);
        }
      }),
    );
  });
});
