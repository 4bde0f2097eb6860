import { describe, expect, it } from 'vitest';
import {
  BargeInPolicy,
  type BargeInVerdict,
  Overlap,
  type OverlapVoice,
  withBackchannels,
} from '../../src/call/barge-in.ts';
import { DtmfCollector } from '../../src/call/dtmf-collector.ts';
import { Endpointing } from '../../src/call/endpointing.ts';
import { splitAtHeard } from '../../src/call/transcript.ts';
import type { SttExpectation } from '../../src/engines/stt/contract.ts';
import { FakeClock } from '../support/fake-clock.ts';

describe('endpointing: how long a pause must be', () => {
  const PHRASES = [
    'where is my order',
    'my order is late',
    'cancel my order',
    'cancel',
    'i did not get that',
    'وين طلبي',
    'أبغى ألغي الطلب',
    'when do you open',
  ];
  it.each<{ text: string; kinds?: SttExpectation[]; minDigits?: number; maxDigits?: number; ms: number }>([
    { text: 'where is my order', ms: 280 },
    { text: 'hello, where is my order please', ms: 280 },
    { text: "where's my order", ms: 280 },
    { text: "so where's the order", ms: 280 },
    { text: "i didn't get it", ms: 280 },
    { text: 'where is my', ms: 2000 },
    { text: 'I would like to cancel my order', ms: 280 },
    { text: 'أبغى ألغي الطلب لو سمحت', ms: 280 },
    { text: 'cancel', ms: 280 },
    { text: 'That is all.', ms: 280 },
    { text: 'my parcel is wet', ms: 500 },
    { text: 'عندي مشكلة', ms: 500 },
    { text: '', ms: 640 },
    { text: 'where is', ms: 2000 },
    { text: 'hello where is', ms: 2000 },
    { text: 'وين', ms: 2000 },
    { text: 'my order', ms: 1000 }, // is late
    { text: 'i was at home all day and where is my parcel and my order', ms: 500 },
    { text: 'i did not', ms: 1000 },
    { text: 'I want to', ms: 2000 },
    { text: 'it is the one with my', ms: 2000 },
    { text: 'my order number is', ms: 2000 },
    { text: 'and um', ms: 2000 },
    { text: 'أبغى', ms: 2000 },
    { text: 'عندي سؤال عن', ms: 2000 },
    { text: 'yes', kinds: ['yesno'], ms: 280 },
    { text: 'no thank you', kinds: ['yesno'], ms: 280 },
    { text: 'yes', ms: 500 },
    { text: '12', kinds: ['digits'], maxDigits: 4, ms: 2000 },
    { text: 'it is 12', kinds: ['digits'], maxDigits: 4, ms: 2000 },
    { text: '45 21', kinds: ['digits'], maxDigits: 4, ms: 280 },
    { text: 'hello', kinds: ['digits'], maxDigits: 4, ms: 500 },
    { text: '', kinds: ['digits'], maxDigits: 4, ms: 1000 },
    { text: '12', kinds: ['digits'], maxDigits: 20, ms: 1000 },
    { text: '055123', kinds: ['phone'], minDigits: 8, maxDigits: 15, ms: 2000 },
    { text: '0551234567', kinds: ['phone'], minDigits: 8, maxDigits: 15, ms: 1000 },
    { text: '12', kinds: ['digits'], minDigits: 4, maxDigits: 6, ms: 2000 },
    { text: '1234', kinds: ['digits'], minDigits: 4, maxDigits: 6, ms: 1000 },
    { text: '123456', kinds: ['digits'], minDigits: 4, maxDigits: 6, ms: 280 },
    { text: '12', kinds: ['digits', 'free'], ms: 1000 },
    { text: '12', ms: 500 },
  ])('"$text" $kinds $maxDigits -> $ms ms', ({ text, kinds, minDigits = 0, maxDigits, ms }) => {
    const hints = { phrases: PHRASES, expect: kinds ?? [] };
    const endpointing = new Endpointing(
      { hints, collect: { minDigits, maxDigits: maxDigits ?? 1, terminator: '#', timeoutMs: 3000 } },
      { endpointingMinMs: 280, endpointingMs: 500, endpointingMaxMs: 2000 },
    );
    expect(endpointing.delayMs(text)).toBe(ms);
  });

  it.each([
    { text: 'where is my order', sounds: 'complete', ms: 280 },
    { text: 'where is my order', sounds: 'incomplete', ms: 500 }, // words that are complete are given a little more
    { text: 'purple elephants', sounds: 'complete', ms: 280 },
    { text: 'purple elephants', sounds: 'incomplete', ms: 2000 },
    { text: '', sounds: 'complete', ms: 280 },
    { text: '', sounds: 'incomplete', ms: 2000 },
    { text: 'where is my', sounds: 'complete', ms: 2000 }, // the sound knows nothing of words
    { text: 'where is my', sounds: 'incomplete', ms: 2000 },
    { text: '12', digits: true, sounds: 'complete', ms: 1000 }, // nor of numbers
    { text: '12', digits: true, sounds: 'incomplete', ms: 2000 },
  ] as const)('"$text" that sounds $sounds -> $ms ms', ({ text, sounds, ms, ...more }) => {
    const endpointing = new Endpointing(
      {
        hints: { phrases: PHRASES, expect: 'digits' in more ? ['digits', 'free'] : [] },
        collect: { minDigits: 0, maxDigits: 1, terminator: '#', timeoutMs: 3000 },
      },
      { endpointingMinMs: 280, endpointingMs: 500, endpointingMaxMs: 2000 },
    );
    expect(endpointing.delayMs(text, '', sounds)).toBe(ms);
  });

  it.each([
    ['where is', 2000],
    ['where is the', 2000],
    ['I want to', 2000],
    ['7 and what', 640],
    ["can i what's", 640],
  ])('words that were heard and not settled count where a sentence begins so: "%s"', (guess, ms) => {
    const hints = { phrases: PHRASES, expect: [] };
    const endpointing = new Endpointing(
      { hints, collect: { minDigits: 0, maxDigits: 1, terminator: '#', timeoutMs: 3000 } },
      { endpointingMinMs: 280, endpointingMs: 500, endpointingMaxMs: 2000 },
    );
    expect(endpointing.delayMs('', guess)).toBe(ms);
  });
});

describe('barge-in', () => {
  const policy = new BargeInPolicy({ bargeInMs: 500, bargeInWords: 2 }, [
    'okay',
    'yeah',
    'uh huh',
    'نعم',
    'طيب',
    'أيوه',
  ]);
  it.each([
    { name: 'a short noise waits', speechMs: 200, text: '', final: false, verdict: 'wait' },
    { name: 'half a second of speech interrupts', speechMs: 500, text: '', final: false, verdict: 'interrupt' },
    { name: 'two words interrupt earlier', speechMs: 300, text: 'no wait', final: false, verdict: 'interrupt' },
    { name: 'one word may become another', speechMs: 300, text: 'cancel', final: false, verdict: 'wait' },
    {
      name: 'one by which people take the floor does',
      speechMs: 300,
      text: 'wait',
      final: false,
      verdict: 'interrupt',
    },
    { name: 'one settled word interrupts', speechMs: 300, text: 'cancel', final: true, verdict: 'interrupt' },
    { name: 'a listening noise never does', speechMs: 300, text: 'Okay.', final: true, verdict: 'ignore' },
    { name: 'nor a long one', speechMs: 900, text: 'okay okay yeah', final: false, verdict: 'wait' },
    { name: 'nor one of two words', speechMs: 400, text: 'uh huh', final: true, verdict: 'ignore' },
    { name: 'nor in Arabic, whatever the spelling', speechMs: 400, text: 'ايوه طيب', final: true, verdict: 'ignore' },
    { name: 'words that fill a noise never do', speechMs: 400, text: 'um it is', final: true, verdict: 'ignore' },
    { name: 'nor do they before it ends', speechMs: 400, text: 'can i', final: false, verdict: 'wait' },
    {
      name: 'a listening noise and then words',
      speechMs: 400,
      text: 'okay but wait',
      final: false,
      verdict: 'interrupt',
    },
    { name: 'nor several, one of two words', speechMs: 900, text: 'uh huh okay', final: true, verdict: 'ignore' },
    { name: 'nor a misheard one', speechMs: 400, text: 'a huh', final: true, verdict: 'ignore' },
    { name: 'half of one is not one', speechMs: 400, text: 'okay huh', final: true, verdict: 'interrupt' },
    { name: 'a short sound that was nothing', speechMs: 300, text: '', final: true, verdict: 'ignore' },
  ])('$name', ({ speechMs, text, final, verdict }) => {
    expect(
      policy.judge({ speechMs, text, settled: text, unchangedMs: 200, final, confidence: 0.9, voice: 'callers' }),
    ).toBe(verdict);
  });
});

describe('what is listened for', () => {
  it('has the listening noises of the agent in it, each once, and is the same list for the same agent', () => {
    const hints = { phrases: ['yes', 'where is my order'], expect: [] };
    const own = withBackchannels(hints, ['yes', 'okay']);
    expect(own.phrases).toEqual(['yes', 'where is my order', 'okay']);
    expect(withBackchannels({ ...hints, expect: ['digits'] }, ['yes', 'okay']).phrases).toBe(own.phrases);
    expect(withBackchannels(hints, ['splendid']).phrases).toEqual(['yes', 'where is my order', 'splendid']);
  });
});

describe('interims over the agent', () => {
  const overlap = () => {
    const made = new Overlap(new BargeInPolicy({ bargeInMs: 850, bargeInWords: 2 }, ['okay', 'mhm']));
    made.begin(0);
    return made;
  };
  const loud = { final: false, voice: 'callers' } as const;

  it('count by the words that stay', () => {
    const guesses = overlap();
    for (const [atMs, text] of [
      [280, 'okay'],
      [340, 'okay book'],
      [400, 'okay cancel that'],
      [460, 'mhm where is'],
    ] as const) {
      expect(guesses.judge(atMs, text, loud), text).toBe('wait');
    }
    const words = overlap();
    expect(words.judge(340, 'where is my', loud)).toBe('wait');
    expect(words.judge(400, 'where is my order', loud)).toBe('interrupt');
  });

  it.each([
    { name: 'are a guess of which little is sure', text: 'damn right', confidence: 0.4, verdict: 'ignore' },
    { name: 'are sure', text: 'cancel that', confidence: 0.6, verdict: 'interrupt' },
    { name: 'take the floor', text: 'no wait', confidence: 0.4, verdict: 'interrupt' },
  ])('of a short sound are judged at its end: they $name', ({ text, confidence, verdict }) => {
    expect(overlap().judge(700, text, { final: true, confidence, voice: 'callers' })).toBe(verdict);
  });

  it('count when they stay as they are', () => {
    const words = overlap();
    for (const atMs of [300, 320, 400]) expect(words.judge(atMs, 'cancel order', loud)).toBe('wait');
    expect(words.judge(420, 'cancel order', loud)).toBe('interrupt');
    const one = overlap();
    for (const atMs of [300, 320, 400]) expect(one.judge(atMs, 'okay stop', loud)).toBe('wait');
    expect(one.judge(420, 'okay stop', loud)).toBe('interrupt');
    const other = overlap();
    for (const atMs of [300, 320, 700]) expect(other.judge(atMs, 'book a', loud)).toBe('wait');
  });

  it('need a voice that lasts, is near and was not mistaken before, where there are none', () => {
    const voice = overlap();
    expect(voice.judge(840, '', loud)).toBe('wait');
    expect(voice.judge(900, '', { ...loud, voice: 'pausing' })).toBe('wait');
    expect(voice.judge(900, '', loud)).toBe('interrupt');
    voice.learn(false);
    expect(voice.judge(950, '', loud)).toBe('wait');
    voice.learn(true);
    expect(voice.judge(950, '', loud)).toBe('interrupt');
  });

  it.each<{ name: string; voice: OverlapVoice; text?: string; at: [number, BargeInVerdict][] }>([
    { name: 'the caller’s', voice: 'callers', at: [[850, 'interrupt']] },
    {
      name: 'somebody’s',
      voice: 'somebodys',
      at: [
        [1040, 'wait'],
        [1050, 'ignore'],
      ],
    },
    {
      name: 'somebody’s with a guess',
      voice: 'somebodys',
      text: 'parcel',
      at: [
        [660, 'wait'],
        [740, 'wait'],
        [750, 'interrupt'],
      ],
    },
    {
      name: 'somebody’s with a guess of just now',
      voice: 'somebodys',
      text: 'parcel',
      at: [
        [740, 'wait'],
        [800, 'wait'],
        [820, 'interrupt'],
      ],
    },
    {
      name: 'somebody’s with a late guess',
      voice: 'somebodys',
      text: 'parcel',
      at: [
        [840, 'wait'],
        [850, 'interrupt'],
      ],
    },
    {
      name: 'somebody’s who begins a sentence',
      voice: 'somebodys',
      text: 'i am',
      at: [
        [780, 'wait'],
        [840, 'wait'],
        [860, 'interrupt'],
      ],
    },
    {
      name: 'somebody’s with one word that fills a noise',
      voice: 'somebodys',
      text: 'it',
      at: [
        [780, 'wait'],
        [1040, 'wait'],
        [1050, 'ignore'],
      ],
    },
    {
      name: 'one of several',
      voice: 'doubted',
      text: 'parcel',
      at: [
        [1040, 'wait'],
        [1050, 'ignore'],
      ],
    },
    {
      name: 'nobody known so far, who may only have answered',
      voice: 'unknown',
      text: 'no parcel',
      at: [
        [840, 'wait'],
        [1040, 'wait'],
      ],
    },
    {
      name: 'nobody known so far, who says stop',
      voice: 'unknown',
      text: 'stop',
      at: [
        [400, 'wait'],
        [520, 'interrupt'],
      ],
    },
    {
      name: 'the background',
      voice: 'distant',
      text: 'no wait stop',
      at: [
        [1040, 'wait'],
        [1050, 'ignore'],
      ],
    },
  ])('of $name', ({ voice, text = '', at }) => {
    const over = overlap();
    for (const [atMs, verdict] of at) expect(over.judge(atMs, text, { final: false, voice }), `${atMs}`).toBe(verdict);
  });

  it('that only fill a noise put the decision off, and no more', () => {
    const over = overlap();
    expect(over.judge(1040, 'mhm for', loud)).toBe('wait');
    expect(over.judge(1050, 'mhm for', loud)).toBe('interrupt');
  });

  it('that were nothing for long count again by what comes after them', () => {
    const over = overlap();
    expect(over.judge(1100, 'what are the', { final: false, voice: 'distant' })).toBe('ignore');
    for (const atMs of [1200, 1400]) expect(over.judge(atMs, 'what are the', loud)).toBe('wait');
    expect(over.judge(1500, 'what are the no wait', loud)).toBe('wait');
    expect(over.judge(1620, 'what are the no wait', loud)).toBe('interrupt');
  });

  it('of one word in two sounds count from the first', () => {
    const over = overlap();
    expect(over.judge(260, '', { final: true, voice: 'pausing' })).toBe('ignore');
    over.begin(500, 200);
    expect(over.judge(850, '', loud)).toBe('interrupt');
    const other = overlap();
    expect(other.judge(260, '', { final: true, voice: 'pausing' })).toBe('ignore');
    other.begin(700, 200);
    expect(other.judge(850, '', loud)).toBe('wait');
  });
});

describe('what was heard of a cut reply', () => {
  const piece = (text: string, playedSamples: number, complete = true, heardChars?: number) => ({
    text,
    synthesisedSamples: 1000,
    playedSamples,
    complete,
    ...(heardChars !== undefined && { heardChars }),
  });
  it.each([
    { name: 'all', pieces: [piece('one two', 1000)], heard: 'one two', unheard: '' },
    { name: 'nothing', pieces: [piece('one two', 0)], heard: '', unheard: 'one two' },
    {
      name: 'half a sentence, at a word',
      pieces: [piece('one two three four', 520)],
      heard: 'one two',
      unheard: 'three four',
    },
    { name: 'the first of two', pieces: [piece('a b', 1000), piece('c d', 0)], heard: 'a b', unheard: 'c d' },
    { name: 'not a word of a long one', pieces: [piece('one two', 10)], heard: '', unheard: 'one two' },
    {
      name: 'as the marks say, whatever the proportion',
      pieces: [piece('one two three four', 900, true, 3), piece('a b', 10, false, 0)],
      heard: 'one',
      unheard: 'two three four a b',
    },
    {
      name: 'all by its marks',
      pieces: [piece('one two', 900, false, 7)],
      heard: 'one two',
      unheard: '',
    },
    {
      name: 'played all that exists of an unfinished one',
      pieces: [piece('a b', 1000, false)],
      heard: 'a b',
      unheard: '',
    },
  ])('$name', ({ pieces, heard, unheard }) => {
    expect(splitAtHeard(pieces)).toEqual({ heard, unheard });
  });
});

describe('keys gathered into a turn', () => {
  it.each([
    { name: 'terminator', keys: '159#', afterMs: 0, got: ['159'] },
    { name: 'full', keys: '1234', afterMs: 0, got: ['1234'] },
    { name: 'timeout', keys: '12', afterMs: 3000, got: ['12'] },
    { name: 'not yet', keys: '12', afterMs: 2999, got: [] },
    { name: 'a lone terminator is a key', keys: '#', afterMs: 3000, got: ['#'] },
    { name: 'two turns', keys: '1#2#', afterMs: 0, got: ['1', '2'] },
    { name: 'more than fits', keys: '12345', afterMs: 3000, got: ['1234', '5'] },
  ])('$name', ({ keys, afterMs, got }) => {
    const clock = new FakeClock();
    const turns: string[] = [];
    const collector = new DtmfCollector(clock, { maxDigits: 4, terminator: '#', timeoutMs: 3000 }, (d) =>
      turns.push(d),
    );
    for (const key of keys) collector.push(key);
    clock.advance(afterMs);
    expect(turns).toEqual(got);
    collector.close();
    expect(clock.pending).toBe(0);
  });
});
