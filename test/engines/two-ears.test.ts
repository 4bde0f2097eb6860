import { describe, expect, it } from 'vitest';
import type { Language } from '../../src/core/agent.ts';
import { failoverStt } from '../../src/engines/failover.ts';
import type { SttFeed, SttHints, SttOptions } from '../../src/engines/stt/contract.ts';
import { createScriptedStt } from '../../src/engines/stt/scripted.ts';
import { SttByLanguage } from '../../src/engines/stt-by-language.ts';
import { twoEars } from '../../src/engines/two-ears.ts';
import { sttConformance } from '../conformance/stt.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { LogCapture } from '../support/log-capture.ts';
import { silence } from '../support/speech-clips.ts';
import { frameOf, type Sounds, TongueStt } from '../support/tongue-stt.ts';
import { until } from '../support/until.ts';

/** Sentences, and what recognisers make of the language that they do not know. */
const TABLE = {
  hoursEn: { en: ['what are your opening hours', 0.95], ar: ['وات ار يور اوبنينغ اورز', 0.6] },
  hoursAr: { ar: ['متى تفتحون يوم الخميس', 0.9], en: ['mata tafta hoon yome', 0.5] },
  orderEn: { en: ['where is my order please', 0.95], ar: ['', 0] },
  bookAr: { ar: ['ابغى احجز موعد بكرة', 0.92], en: ['', 0] },
  digits: { en: ['4 5 2 1', 0.9], ar: ['فور فايف', 0.4] },
  okay: { en: ['okay', 0.95], ar: ['اوكي', 0.8] },
  name: { en: ['ahmed ali', 0.5], ar: ['احمد علي', 0.9] },
  wishEn: { en: ['English please', 0.9], ar: ['انجليزي لو سمحت', 0.9] },
  noise: { en: ['', 0], ar: ['', 0] },
  hello: { en: ['good morning', 0.9], ar: ['قود مورنينق', 0.5] },
} satisfies Record<string, Sounds>;
type Said = keyof typeof TABLE;
const NAMES = Object.keys(TABLE) as Said[];
const ROWS: readonly Sounds[] = NAMES.map((name) => TABLE[name]);

interface Setup {
  readonly language?: 'ar-SA' | 'en-US';
  readonly feeds?: Partial<Record<Language, SttFeed>>;
  readonly apart?: boolean;
  readonly hints?: SttHints;
}

const HINTS: SttHints = {
  phrases: ['متى تفتحون', 'opening hours', '12'],
  expect: [],
  sentences: ['وين طلبي', 'what are your opening hours'],
};

function rig({ language = 'ar-SA', feeds = {}, apart = false, hints = HINTS }: Setup = {}) {
  const clock = new FakeClock();
  const log = new LogCapture();
  const engine = (own: Language): TongueStt =>
    new TongueStt(own, ROWS, { feed: feeds[own] ?? 'whole-stretches', tellsApart: apart });
  const ears = { ar: engine('ar'), en: engine('en') };
  const abort = new AbortController();
  const hearing = new SttByLanguage(ears, { clock, logger: log.logger });
  const options: SttOptions = { language, languages: ['ar-SA', 'en-US'], sampleRateHz: 8000, interim: true, hints };
  const stream = hearing.open(options, abort.signal);
  const finals: { text: string; language: string | undefined; startMs: number; endMs: number }[] = [];
  const interims: string[] = [];
  const over = { ended: false, error: undefined as unknown };
  void (async () => {
    try {
      for await (const event of stream) {
        if (event.type === 'interim') interims.push(event.text);
        else finals.push({ text: event.text, language: event.language, startMs: event.startMs, endMs: event.endMs });
      }
    } catch (error) {
      over.error = error;
    }
    over.ended = true;
  })();
  const settle = async (): Promise<void> => {
    for (let n = 0; n < 40; n += 1) await Promise.resolve();
  };
  /** A second of speech and its pause. */
  const say = async (said: Said): Promise<void> => {
    stream.write(frameOf(NAMES.indexOf(said)));
    stream.flush();
    await settle();
  };
  /** The agent has answered: the turn is over. */
  const answered = async (more: Partial<SttHints> = {}): Promise<void> => {
    stream.hint({ ...hints, ...more });
    await settle();
  };
  const turn = async (said: Said): Promise<void> => {
    await say(said);
    await answered();
  };
  /** Who hears now. */
  const hearers = (): string => (['ar', 'en'] as const).filter((own) => ears[own].opened.length > 0).join('+');
  const texts = (): string[] => finals.map(({ text }) => text);
  return { clock, log, ears, abort, stream, finals, interims, over, settle, say, answered, turn, hearers, texts };
}

describe('two recognisers of one language each', () => {
  it.each([
    { said: 'hoursEn', language: 'ar-SA', hears: 'en' },
    { said: 'hoursAr', language: 'ar-SA', hears: 'ar' },
    { said: 'hoursAr', language: 'en-US', hears: 'ar' },
    { said: 'hello', language: 'ar-SA', hears: 'en' },
  ] as const)(
    '$language: both hear the first turn, $said is kept as $hears heard it, which then hears alone',
    async (row) => {
      const r = rig({ language: row.language });
      expect(r.hearers()).toBe('ar+en');
      await r.say(row.said);
      expect(r.finals).toEqual([{ text: TABLE[row.said][row.hears][0], language: row.hears, startMs: 0, endMs: 1000 }]);
      expect(r.hearers()).toBe('ar+en');
      await r.answered();
      expect(r.hearers()).toBe(row.hears);
      await r.say(row.said);
      expect(r.texts()).toHaveLength(2);
      expect(r.ears[row.hears].streams).toHaveLength(1);
    },
  );

  it('goes on with both while nothing tells the language, three turns long, and names what was said after the agent', async () => {
    const r = rig();
    for (const said of ['digits', 'okay', 'noise'] as const) {
      expect(r.hearers()).toBe('ar+en');
      await r.turn(said);
    }
    expect(r.hearers()).toBe('ar');
    expect(r.finals.map(({ text, language }) => [text, language])).toEqual([
      ...[['4 5 2 1', 'ar'], ['اوكي', 'ar'], ['', 'ar']], // biome-ignore format: rows
    ]);
  });

  it('changes after two sentences of the other language: the first is heard again by the other, the second by both', async () => {
    const r = rig();
    await r.turn('hoursAr');
    expect(r.hearers()).toBe('ar');
    await r.say('orderEn');
    expect(r.finals.at(-1)).toEqual({ text: 'where is my order please', language: 'en', startMs: 1000, endMs: 2000 });
    expect(r.hearers()).toBe('ar');
    await r.answered();
    expect(r.hearers()).toBe('ar+en');
    await r.say('hoursEn');
    await r.answered();
    expect(r.hearers()).toBe('en');
    expect(r.texts()).toEqual(['متى تفتحون يوم الخميس', 'where is my order please', 'what are your opening hours']);
    await r.turn('bookAr');
    await r.turn('hoursAr');
    expect(r.hearers()).toBe('ar');
    expect(r.texts().slice(3)).toEqual(['ابغى احجز موعد بكرة', 'متى تفتحون يوم الخميس']);
    expect(r.clock.pending).toBe(0);
  });

  it('one sentence of the other language among others is understood, and changes nothing', async () => {
    const r = rig();
    for (const said of ['hoursAr', 'orderEn', 'bookAr'] as const) await r.turn(said);
    expect(r.hearers()).toBe('ar');
    expect(r.finals.map(({ language }) => language)).toEqual(['ar', 'en', 'ar']);
  });

  it('numbers, names and borrowed words change nothing, and ask nobody', async () => {
    const r = rig({ language: 'en-US' });
    await r.turn('hoursEn');
    for (const said of ['digits', 'okay', 'digits', 'okay'] as const) await r.turn(said);
    expect(r.hearers()).toBe('en');
    expect(r.ears.ar.streams).toHaveLength(1); // that of the first turn
    await r.answered({ expect: ['name'] });
    await r.say('name');
    expect(r.ears.ar.streams).toHaveLength(1);
    await r.answered();
    await r.turn('name'); // which nobody has asked for
    expect(r.hearers()).toBe('en');
    expect(r.ears.ar.streams).toHaveLength(2);
  });

  it.each([
    { wish: 'in words', at: 'wishEn' as const },
    { wish: 'by a key', at: undefined },
  ])('a wish $wish changes at once', async ({ at }) => {
    const r = rig();
    await r.turn('hoursAr');
    if (at) await r.say(at);
    else await r.answered({ language: 'en' });
    expect(r.hearers()).toBe('en');
    await r.turn('orderEn');
    expect(r.texts().at(-1)).toBe('where is my order please');
    expect(r.ears.ar.streams[0]!.frames).not.toContain(NAMES.indexOf('orderEn'));
  });

  it('a wish in the language that is not heard is understood, and granted', async () => {
    const r = rig({ language: 'en-US' });
    const wish: Sounds = { ar: ['عربي لو سمحت', 0.9], en: ['are a be law sam hat', 0.3] };
    const at = ROWS.length;
    (ROWS as Sounds[]).push(wish);
    await r.turn('hoursEn');
    r.stream.write(frameOf(at));
    r.stream.flush();
    await r.settle();
    expect(r.finals.at(-1)).toMatchObject({ text: 'عربي لو سمحت', language: 'ar' });
    expect(r.hearers()).toBe('ar');
    (ROWS as Sounds[]).pop();
  });

  it('asks the other in vain four times at most, and not about a short sound', async () => {
    const r = rig();
    await r.turn('hoursAr');
    r.stream.write(frameOf(NAMES.indexOf('noise'), 4_000));
    r.stream.flush();
    await r.settle();
    expect(r.ears.en.streams).toHaveLength(1);
    for (let n = 0; n < 8; n += 1) await r.turn('noise');
    expect(r.ears.en.streams).toHaveLength(1 + 4);
    expect(r.texts()).toHaveLength(10);
    expect(r.hearers()).toBe('ar');
  });

  it('words that are surely right wait for nobody', async () => {
    const r = rig();
    r.ears.ar.holdsBack = true;
    await r.say('hoursEn');
    expect(r.texts()).toEqual(['what are your opening hours']);
    r.ears.ar.streams[0]!.release();
    await r.settle();
    expect(r.texts()).toHaveLength(1);
    await r.say('orderEn');
    expect(r.texts()).toHaveLength(2);
  });

  it('who is not expected is waited for a while, who is as long as it takes', async () => {
    const slow = rig();
    slow.ears.en.holdsBack = true;
    await slow.say('name'); // nothing but a name: not sure
    const before = slow.texts();
    slow.clock.advance(1_300);
    await slow.settle();
    expect([before, slow.texts()]).toEqual([[], ['احمد علي']]);

    const doubted = rig();
    doubted.ears.en.holdsBack = true;
    await doubted.say('hoursEn');
    expect(doubted.texts()).toEqual([]);
    doubted.clock.advance(2_600);
    await doubted.settle();
    expect(doubted.texts()).toEqual(['وات ار يور اوبنينغ اورز']);
    doubted.ears.en.streams[0]!.release();
    await doubted.settle();
    expect(doubted.texts()).toHaveLength(1);

    const expected = rig();
    expected.ears.ar.holdsBack = true;
    await expected.say('hoursAr');
    expected.clock.advance(5_000);
    await expected.settle();
    expect(expected.texts()).toEqual([]);
    expected.ears.ar.streams[0]!.release();
    await expected.settle();
    expect(expected.texts()).toEqual(['متى تفتحون يوم الخميس']);
  });

  it('pauses are answered in their order, each once', async () => {
    const r = rig();
    r.ears.ar.holdsBack = true;
    r.ears.en.holdsBack = true;
    await r.say('hoursAr');
    await r.say('bookAr');
    r.ears.en.streams[0]!.release();
    await r.settle();
    expect(r.texts()).toEqual([]);
    r.ears.ar.streams[0]!.release();
    await r.settle();
    expect(r.texts()).toEqual(['متى تفتحون يوم الخميس', 'ابغى احجز موعد بكرة']);
  });

  it('what is said while the change is made is heard by who hears from then on, and once', async () => {
    const r = rig();
    await r.turn('hoursAr');
    await r.turn('orderEn');
    await r.say('hoursEn');
    r.stream.write(frameOf(NAMES.indexOf('orderEn'))); // over the agent's last words
    await r.answered();
    expect(r.hearers()).toBe('en');
    r.stream.flush();
    await r.settle();
    expect(r.texts().slice(2)).toEqual(['what are your opening hours', 'where is my order please']);
  });

  it('nobody is left who still owes words', async () => {
    const r = rig();
    await r.say('hoursEn');
    for (const ear of [r.ears.ar, r.ears.en]) ear.holdsBack = true;
    await r.say('hoursAr'); // before the agent has answered
    await r.answered();
    expect(r.hearers()).toBe('ar+en');
    for (const ear of [r.ears.ar, r.ears.en]) ear.streams[0]!.release();
    await r.settle();
    expect(r.texts()).toEqual(['what are your opening hours', 'متى تفتحون يوم الخميس']);
    expect(r.hearers()).toBe('en');
  });

  it('each is told what may be said in its language', () => {
    const r = rig();
    const told = (own: Language): unknown => r.ears[own].streams[0]!.options.hints;
    expect(told('ar')).toEqual({ phrases: ['متى تفتحون', '12'], expect: [], sentences: ['وين طلبي'] });
    expect(told('en')).toEqual({
      phrases: ['opening hours', '12'],
      expect: [],
      sentences: ['what are your opening hours'],
    });
    r.stream.hint({ phrases: ['نعم', 'yes'], expect: ['yesno'] });
    expect(r.ears.en.streams[0]!.hints).toEqual([{ phrases: ['yes'], expect: ['yesno'] }]);
    expect(r.ears.ar.streams[0]!.options.language).toBe('ar-SA');
    expect(r.ears.en.streams[0]!.options.language).toBe('en-US');
  });

  it('without the second the first hears alone; without the first there is none', async () => {
    const r = rig();
    r.ears.en.streams[0]!.channel.fail(new Error('gone'));
    await r.settle();
    await r.say('hoursAr');
    expect(r.texts()).toEqual(['متى تفتحون يوم الخميس']);
    expect(r.hearers()).toBe('ar');
    r.ears.ar.streams[0]!.channel.fail(new Error('gone too'));
    await until(() => r.over.ended);
    expect(String(r.over.error)).toContain('gone too');
  });

  it('who ends without being asked to leaves nobody behind', async () => {
    const r = rig();
    r.ears.ar.streams[0]!.channel.finish();
    await until(() => r.over.ended);
    expect([r.over.error, r.hearers()]).toEqual([undefined, '']);
  });

  it('who cannot be had when it is to hear alone is not waited for', async () => {
    const r = rig();
    await r.turn('hoursAr');
    await r.turn('orderEn');
    await r.say('hoursEn');
    r.ears.en.why = 'paused';
    await r.answered();
    expect(r.hearers()).toBe('ar');
    await r.turn('bookAr');
    expect(r.texts().at(-1)).toBe('ابغى احجز موعد بكرة');
  });

  it('a second that cannot be had is not asked', async () => {
    const r = rig();
    await r.turn('hoursAr');
    r.ears.en.why = 'paused';
    await r.say('orderEn');
    expect(r.texts()).toEqual(['متى تفتحون يوم الخميس', '']);
  });

  it('one that fails while it is asked loses nothing', async () => {
    const r = rig();
    await r.turn('hoursAr');
    r.ears.en.holdsBack = true;
    await r.say('orderEn');
    expect(r.texts()).toHaveLength(1);
    r.ears.en.opened[0]!.channel.fail(new Error('gone'));
    await r.settle();
    expect(r.texts()).toEqual(['متى تفتحون يوم الخميس', '']);
  });

  it('ends when both have said all they owe', async () => {
    const r = rig();
    r.ears.en.holdsBack = true;
    r.stream.write(frameOf(NAMES.indexOf('hoursAr')));
    r.stream.end();
    await r.settle();
    r.ears.en.streams[0]!.release();
    await until(() => r.over.ended);
    expect(r.texts()).toEqual(['متى تفتحون يوم الخميس']);
    expect(r.clock.pending).toBe(0);
  });

  it('leaves nothing behind when nobody listens any more', async () => {
    const r = rig();
    r.ears.en.holdsBack = true;
    await r.say('hoursEn');
    r.abort.abort();
    await until(() => r.over.ended);
    expect([r.over.error, r.hearers(), r.clock.pending]).toEqual([undefined, '', 0]);
  });

  it.each([
    { feeds: { ar: 'new-speech', en: 'new-speech' }, both: 'new-speech', one: 'new-speech' },
    { feeds: { ar: 'new-speech', en: 'whole-stretches' }, both: 'whole-stretches', one: 'new-speech' },
    { feeds: { ar: 'whole-stretches', en: 'new-speech' }, both: 'whole-stretches', one: 'whole-stretches' },
  ] as const)('is given speech as those who hear want it: $feeds', async ({ feeds, both, one }) => {
    const r = rig({ feeds });
    expect(r.stream.feed).toBe(both);
    await r.turn('hoursAr');
    expect(r.stream.feed).toBe(one);
  });
});

describe('a recogniser that tells languages apart', () => {
  it('hears alone, is told of both, and says the language of each final', async () => {
    const r = rig({ apart: true });
    expect(r.hearers()).toBe('ar');
    const [own] = r.ears.ar.streams;
    expect(own!.options).toMatchObject({ language: 'ar-SA', languages: ['ar-SA', 'en-US'], hints: HINTS });
    own!.channel.push({ type: 'final', text: '4 5 2 1', confidence: 0.9, language: 'en', startMs: 0, endMs: 0 });
    await r.turn('orderEn'); // of which it understands nothing
    await r.answered({ language: 'en' });
    expect(r.hearers()).toBe('ar');
    expect(r.ears.en.streams).toHaveLength(0);
    expect(r.finals[0]).toMatchObject({ text: '4 5 2 1', language: 'en' });
  });

  it('is followed by one that hears a language alone: then the other is there, too', async () => {
    const apart = new TongueStt('ar', ROWS, { tellsApart: true });
    const [alone, en] = [new TongueStt('ar', ROWS), new TongueStt('en', ROWS)];
    const { logger } = new LogCapture();
    const hearing = new SttByLanguage(
      { ar: failoverStt([apart, alone], logger), en },
      { clock: new FakeClock(), logger },
    );
    const options = {
      language: 'ar-SA',
      languages: ['ar-SA', 'en-US'],
      sampleRateHz: 8000,
      interim: true,
      hints: HINTS,
    };
    const stream = hearing.open(options, new AbortController().signal);
    const texts: string[] = [];
    void (async () => {
      for await (const event of stream) if (event.type === 'final') texts.push(event.text);
    })();
    expect(apart.streams[0]!.options.hints).toBe(HINTS);
    expect(en.streams).toHaveLength(0);
    apart.streams[0]!.channel.fail(new Error('gone'));
    await until(() => alone.streams.length === 1);
    stream.write(frameOf(NAMES.indexOf('hoursAr')));
    stream.flush();
    await until(() => texts.length === 1);
    stream.hint(HINTS);
    stream.write(frameOf(NAMES.indexOf('orderEn')));
    stream.flush();
    await until(() => texts.length === 2);
    expect(texts).toEqual(['متى تفتحون يوم الخميس', 'where is my order please']);
  });
});

describe('calls in one language', () => {
  it('are heard by its recogniser, as before', () => {
    const ears = { ar: new TongueStt('ar', ROWS), en: new TongueStt('en', ROWS) };
    const hearing = new SttByLanguage(ears, { clock: new FakeClock(), logger: new LogCapture().logger });
    expect(hearing.forCall('ar-SA', ['ar-SA'])).toBe(ears.ar);
    expect(hearing.forCall('en-US', ['en-US', 'ar-SA'])).not.toBe(ears.en);
    expect(new SttByLanguage(ears).forCall('en-US', ['en-US', 'ar-SA'])).toBe(ears.en);
    expect(
      new SttByLanguage({ en: ears.en }, { clock: new FakeClock(), logger: new LogCapture().logger }).forCall('en-US', [
        'ar-SA',
      ]),
    ).toBe(ears.en);
  });
});

const SCRIPT = { texts: ['where is my order'] };
sttConformance('two recognisers, as one', {
  ...{ language: 'en-US', foreignLanguage: 'ar-SA', hints: { phrases: ['where is my order'], expect: [] } },
  ...{ samples: silence(1000), text: 'where is my order' },
  make: () => {
    const en = createScriptedStt({ ...SCRIPT, languages: ['en-US'] });
    const ar = createScriptedStt({ ...SCRIPT, languages: ['ar-SA'] });
    const both = twoEars({ ar, en }, 'en', { clock: new FakeClock(), logger: new LogCapture().logger });
    return { ...both, close: async () => void (await Promise.all([ar.close(), en.close()])) };
  },
});
