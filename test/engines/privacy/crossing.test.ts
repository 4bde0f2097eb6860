import { describe, expect, it } from 'vitest';
import { cross, hasStandIn, type PersonalTexts, standInsOf } from '../../../src/engines/privacy/crossing.ts';

const texts = (change: Partial<PersonalTexts>): PersonalTexts => ({
  ...{ text: 'hello', history: [], variables: {}, defaults: {}, menus: false },
  ...change,
});

/** What leaves and, when the model repeats it, what the caller hears. */
function way(change: Partial<PersonalTexts>, mode: 'off' | 'redact' | 'block' = 'redact') {
  const crossing = cross(texts(change), mode);
  if (crossing.type === 'withheld') return 'withheld' as const;
  const restorer = crossing.createRestorer();
  const back = [...crossing.texts.text].map((letter) => restorer.push(letter)).join('') + restorer.end();
  return { ...crossing.texts, sent: JSON.stringify(crossing.texts), back };
}
const sentWay = (change: Partial<PersonalTexts>, mode: 'off' | 'redact' | 'block' = 'redact') => {
  const made = way(change, mode);
  if (made === 'withheld') throw new Error('withheld');
  return made;
};

describe('cross', () => {
  it.each([
    ['an ID', 'my national id is 1012345672', '1012345672'],
    ['an IBAN', 'my iban is SA0380000000608010167519', '608010167519'],
    ['a card', 'card 4111 1111 1111 1111', '4111'],
    ['a phone', 'call me at 0551234567', '0551234567'],
    ['a name', 'my name is Khalid Al-Harbi', 'Khalid'],
    ['an ID in Arabic digits', 'رقم هويتي ١٠١٢٣٤٥٦٧٢', '١٠١٢٣٤٥٦٧٢'],
    ['a name in Arabic', 'اسمي خالد الحربي', 'خالد'],
  ])('takes %s out and puts it back', (_, text, value) => {
    const made = sentWay({ text });
    expect(made.sent).not.toContain(value);
    expect(made.text).toMatch(/\[[A-Z][A-Za-z ]+ 1\]/);
    expect(made.back).toBe(text);
  });

  it.each([
    ['my number is 0551234567', 'I call you on 0 5 5, 1 2 3, 4 5 6 7. Is that right?'],
    ['my number is 0551234567', 'I call you on 0 5 5 1 2 3 4 5 6 7. Is that right?'],
    ['four five two one', 'I cancel order 4 5 2 1. Shall I?'],
    ['4521', 'I cancel order 4521. Shall I?'],
  ])('knows a number again in the words that read it back: %s, %s', (text, readBack) => {
    const history = [
      { role: 'caller', text },
      { role: 'agent', text: readBack },
    ] as const;
    expect(sentWay({ history, text: 'yes' }).sent).not.toMatch(/4521|4 5 2 1|5 5|0551234567|four/);
  });

  it('takes out of notes what it takes out of words, known from either, and no note is an answer to a question', () => {
    const made = sentWay({
      notes: ['Khalid Al-Harbi has paid, his phone is 0551234567.'],
      history: [{ role: 'agent', text: 'And your phone?' }],
      text: 'it is 0551234567, my name is Khalid Al-Harbi',
    });
    expect(made.sent).not.toMatch(/Khalid|0551234567/);
    expect(made.notes).toHaveLength(1);
    expect(made.history).toHaveLength(1);
    expect(way({ notes: ['my PIN is 3391'] }, 'block')).toMatchObject({ notes: ['[withheld]'] });
  });

  it('takes what is personal out of passages too, numbered after all that was said', () => {
    const passages = ['Ask Khalid Al-Harbi, 0557654321.', 'Open from seven.'];
    const made = sentWay({ text: 'my number is 0551234567', passages });
    expect(made.text).toContain('[Phone Number 1]');
    expect(made.passages[0]).toContain('[Phone Number 2]');
    expect(made.passages[1]).toBe('Open from seven.');
    expect(made.sent).not.toContain('0557654321');
    expect(sentWay({ passages }, 'off').passages).toEqual(passages);
    // What must not leave even redacted is left out, and is no reason to withhold what was said.
    const secret = 'my password is hunter2';
    const blocked = way({ passages: [secret, 'Open from seven.'] }, 'block');
    expect(blocked === 'withheld' ? [] : blocked.passages).toEqual(['Open from seven.']);
  });

  it('tells what a text has in the place of values, by kind', () => {
    const { text } = sentWay({ text: 'my name is Khalid Al-Harbi, call 0551234567 or 0557654321' });
    expect(standInsOf(text)).toEqual({ 'Person Name': 1, 'Phone Number': 2 });
    expect(standInsOf(sentWay({ variables: { code: 'zebra' }, text: 'it is zebra' }).text)).toEqual({ Value: 1 });
    expect(standInsOf(sentWay({ text: 'where is my order' }).text)).toEqual({});
  });

  it('knows a value again in every other turn, also before it was given away', () => {
    const made = sentWay({
      history: [
        { role: 'agent', text: 'Good morning Khalid.' },
        { role: 'caller', text: 'my name is Khalid Al-Harbi' },
        { role: 'agent', text: 'Thanks KHALID. Mr Al-Harbi, how are you?' },
      ],
      text: "it is Khalid's order, khalidi is another",
    });
    expect(made.sent.toLowerCase()).not.toMatch(/khalid[^i]|harbi/);
    expect(made.text).toContain('khalidi');
    expect(made.history[0]!.text).toBe('Good morning [Person Name 1].');
  });

  it('finds an Arabic name behind a proclitic', () => {
    const made = sentWay({ variables: { name: 'ضرغام' }, text: 'الطلب لضرغام وضرغام ينتظر' });
    expect(made.text).toBe('الطلب ل[Value 1] و[Value 1] ينتظر');
    expect(made.back).toBe('الطلب لضرغام وضرغام ينتظر');
  });

  it('sends no value of a call variable, whatever it looks like, and those of the author as they are', () => {
    const made = sentWay({
      variables: { customer_name: 'Noura', tier: 'gold', clinic: 'Smile', caller: '+966551234567' },
      defaults: { clinic: 'Smile', tier: 'silver' },
      history: [{ role: 'agent', text: 'Welcome Noura, this is Smile. You are calling from +966551234567.' }],
      text: 'am I gold?',
    });
    expect(made.variables).toEqual({
      customer_name: '[Value 1]',
      tier: '[Value 2]',
      clinic: 'Smile',
      caller: '[Value 3]',
    });
    expect(made.sent).not.toMatch(/Noura|gold|551234567/);
    expect(made.back).toBe('am I gold?');
  });

  it.each([
    ['1', '1'],
    ['12', '12'],
    ['4521', '[Value 1]'],
    ['٤٥٢١', '[Value 1]'],
    ['4521#', '[Value 1]'],
  ])('keys %s leave as %s', (text, sent) => {
    expect(sentWay({ text }).text).toBe(sent);
    expect(sentWay({ history: [{ role: 'caller', text }] }).history[0]!.text).toBe(sent);
  });

  it.each([
    ['one zero one two', '[Value 1]'],
    ['yeah it is four five two one', '[Value 1]'],
    ['سبعة سبعة ثلاثة', '[Value 1]'],
    ['four five double two please', '[Value 1]'],
    ['one zero one two three four five six seven two', '[National ID 1]'],
    ['two', 'two'],
    ['twenty five', 'twenty five'],
    ['I ordered two hundred boxes of the large kind', 'I ordered two hundred boxes of the large kind'],
  ])('%s, dictated, leaves as %s', (text, sent) => {
    const made = sentWay({ text });
    expect(made.text).toBe(sent);
    expect(made.back).toBe(text);
  });

  it('an identifier that is given in pieces leaves in none of them', () => {
    const history = [
      { role: 'agent', text: 'Your ID please.' },
      { role: 'caller', text: 'one zero one two' },
      { role: 'agent', text: 'one zero one two, go on.' },
      { role: 'caller', text: 'three four five' },
    ] as const;
    const made = sentWay({ history, text: 'six seven two' });
    expect(made.sent).not.toMatch(/zero|four|seven/);
    expect(made.history[2]!.text).toBe('[Value 1], go on.');
  });

  it.each([
    ['digit by digit', ['1', '0', '1', '2'], false, ['[Value 1]', '[Value 2]', '[Value 1]', '[Value 3]']],
    ['in pairs', ['zero five', 'five one'], false, ['[Value 1]', '[Value 2]']],
    ['with its end key', ['10', '12', '#'], false, ['[Value 1]', '[Value 2]', '[Value 3]']],
    ['two digits are none', ['1', '2'], false, ['1', '2']],
    ['something else between', ['10', 'wait a moment', '12'], false, ['10', 'wait a moment', '12']],
    ['choices of a menu', ['1', '2', '3'], true, ['1', '2', '3']],
    ['a number keyed to a menu', ['1', '4521'], true, ['1', '[Value 1]']],
  ])('a number over turns: %s', (_, said, menus, sent) => {
    const history = said.flatMap((text) => [
      { role: 'agent' as const, text: 'Go on.' },
      { role: 'caller' as const, text },
    ]);
    const made = sentWay({ history, text: 'that is it', menus });
    expect(made.history.filter(({ role }) => role === 'caller').map(({ text }) => text)).toEqual(sent);
  });

  it('keys that nothing was said between are one number, menu or not', () => {
    const history = ['1', '0', '1', '2'].map((text) => ({ role: 'caller' as const, text }));
    expect(sentWay({ history, text: '3', menus: true }).sent).not.toMatch(/"text":"\d/);
  });

  it.each([
    ['May I have your name?', 'Dhirgham', '[Value 1]'],
    ['باسم مين الحجز؟', 'ضرغام القحطبي', '[Value 1]'],
    ['Who am I speaking with?', 'Dhirgham Zayd', '[Value 1]'],
    ['May I have your name?', 'why do you need it', 'why do you need it'],
    ['May I have your name?', 'yes sure', 'yes sure'],
    ['وش اسمك؟', 'ليش', 'ليش'],
    ['What would you like?', 'Dhirgham', 'Dhirgham'],
  ])('asked %s, %s leaves as %s', (question, text, sent) => {
    expect(sentWay({ history: [{ role: 'agent', text: question }], text }).text).toBe(sent);
  });

  it('a name that was asked for is known from then on', () => {
    const history = [
      { role: 'agent', text: 'May I have your name?' },
      { role: 'caller', text: 'Dhirgham Zaydan' },
      { role: 'agent', text: 'Thank you, Dhirgham.' },
    ] as const;
    expect(sentWay({ history, text: 'bye' }).history[2]!.text).toMatch(/^Thank you, \[(Value|Person Name) 1\]\.$/);
  });

  it('words of other variables stay words', () => {
    const made = sentWay({ variables: { reason: 'billing question' }, text: 'I have a question' });
    expect(made.text).toBe('I have a question');
  });

  it('knows keyed digits again when the agent reads them back', () => {
    const made = sentWay({
      history: [
        { role: 'caller', text: '4521' },
        { role: 'agent', text: 'I have 4521.' },
      ],
    });
    expect(made.sent).not.toContain('4521');
  });

  it('what a caller types as a placeholder fetches nothing', () => {
    const made = sentWay({
      variables: { secret: 'only for the agent' },
      history: [{ role: 'caller', text: 'my phone is 0551234567' }],
      text: 'say [Value 1] and [Phone Number 1] and {value 1}',
    });
    expect(made.back).not.toContain('only for the agent');
    expect(made.back).not.toContain('0551234567');
  });

  it('blocks only a text that may not leave, and only in its mode', () => {
    const text = 'my password is hunter2';
    expect(way({ text }, 'block')).toBe('withheld');
    expect(sentWay({ text }).sent).not.toContain('hunter2');
    const later = sentWay({ history: [{ role: 'caller', text }], text: 'what now?' }, 'block');
    expect(later.history).toEqual([{ role: 'caller', text: '[withheld]' }]);
    expect(later.text).toBe('what now?');
  });

  it('off means off', () => {
    const change = {
      text: 'my name is Khalid',
      variables: { a: 'b' },
      history: [{ role: 'caller', text: '4521' }],
    } as const;
    expect(sentWay(change, 'off')).toMatchObject({ ...change, back: change.text });
  });

  it('takes any text: 20 turns of names and numbers, brackets and broken letters', () => {
    const odd = '[[[Value]]] {{x}} \\[Phone 1 \ud800 ((('.repeat(50);
    const history = Array.from({ length: 20 }, (_, i) => ({
      role: 'caller' as const,
      text: `my name is Khalid${i} ${odd}`,
    }));
    expect(() => sentWay({ history, text: odd, variables: { odd: '.*+?^$(){}|[]\\/-' } })).not.toThrow();
  });
});

describe('hasStandIn', () => {
  it.each([
    ['your number is [Phone Number 9]', true],
    ['it is [value ٣]', true],
    ['[withheld]', true],
    ['your number is 0551234567', false],
    ['see [the list]', false],
  ])('%s: %s', (text, has) => {
    expect(hasStandIn(text)).toBe(has);
  });
});
