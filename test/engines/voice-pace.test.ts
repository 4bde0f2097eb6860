import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { EspeakTts } from '../../src/engines/tts/espeak.ts';
import { ScriptedTts } from '../../src/engines/tts/scripted.ts';
import { HeardSpeech, VoicePaces } from '../../src/engines/voice-pace.ts';
import { clauseStarts } from '../../src/language/sentence-pieces.ts';
import { collectSpeech, TEST_VOICE, TEST_VOICE_AR, ttsRequest } from '../conformance/tts.ts';
import { LETTER_SAMPLES, pausedSpeech } from '../support/paused-speech.ts';
import { runs, someOf } from '../support/property-runs.ts';
import { joined } from '../support/speech-clips.ts';

const RATE = 8_000;
const voice = new ScriptedTts();
const request = ttsRequest();
const SENTENCES = [
  'Thank you for calling, this is the clinic, how can I help you today?',
  'We are open from nine to five, Sunday to Thursday, and closed on Friday.',
  'Please tell me your name, then your date of birth, and I will look for your file.',
  'Your order was sent yesterday evening and should be with you by Wednesday, unless the driver cannot find the address.',
  'No problem: I will call you back in twenty minutes. Is there anything else?',
];
const ARABIC = [
  'أهلا بك في العيادة، كيف أقدر أساعدك اليوم؟',
  'موعدك يوم الاثنين، الساعة التاسعة والنصف، مع الدكتورة نورة.',
  'تم إرسال طلبك مساء أمس، وسيكون عندك يوم الأربعاء، إلا إذا لم يجد السائق العنوان.',
  'السعر مئتان وخمسون ريالا، شاملا الضريبة، ويمكنك الدفع بالبطاقة.',
];

function heardOf(samples: Int16Array): HeardSpeech {
  const heard = new HeardSpeech(RATE);
  heard.take(samples);
  return heard;
}

/** Paces of a voice that has said these sentences as `say` does. */
function learnt(texts: readonly string[], say = (text: string): Int16Array => pausedSpeech(text, RATE)): VoicePaces {
  const paces = new VoicePaces();
  for (const text of texts) paces.learn(voice, request, text, heardOf(say(text)));
  return paces;
}

describe('where the clause begins in which a sentence broke off', () => {
  const text = 'Your parcel is ready, it comes to you on Monday, at nine or ten.';
  const [second, third] = clauseStarts(text) as [number, number];
  const lengthOf = (of: string): number => pausedSpeech(of, RATE).length;
  const known = learnt(SENTENCES);

  it.each([
    { name: 'in the first one', at: lengthOf('Your parcel is rea'), from: 0 },
    { name: 'in the pause after it, which may be within it', at: lengthOf('Your parcel is ready, '), from: 0 },
    { name: 'in the second one', at: lengthOf('Your parcel is ready, it comes to'), from: second },
    { name: 'at its very end', at: lengthOf('Your parcel is ready, it comes to you on Monday'), from: second },
    {
      name: 'in the third one',
      at: lengthOf('Your parcel is ready, it comes to you on Monday, at nine o'),
      from: third,
    },
  ])('$name', ({ at, from }) => {
    const heard = heardOf(pausedSpeech(text, RATE).subarray(0, at));
    expect(known.clauseUnderWay(voice, request, text, heard)).toBe(from);
  });

  it.each([
    { name: 'a voice that has said two sentences', paces: learnt(SENTENCES.slice(0, 2)), said: text },
    {
      name: 'one that has only said short ones',
      paces: learnt(Array.from({ length: 9 }, () => 'Yes, it is.')),
      said: text,
    },
    { name: 'one that makes no pauses', paces: known, said: text, pauseSamples: 0 },
    {
      name: 'one whose pace changes too much',
      said: text,
      paces: learnt([...SENTENCES, ...SENTENCES], slowerEachTime()),
    },
    { name: 'a text with figures, whose letters are not counted', paces: known, said: text.replace('nine', '9') },
    { name: 'a text in two alphabets', paces: known, said: text.replace('nine', 'تسعة') },
    { name: 'a voice that has spoken the other language alone', paces: known, said: ARABIC[2]! },
  ])('is its beginning, of $name', ({ paces, said, pauseSamples }) => {
    const whole = pausedSpeech(said, RATE, pauseSamples === undefined ? {} : { pauseSamples });
    expect(paces.clauseUnderWay(voice, request, said, heardOf(whole))).toBe(0);
  });

  const slowBy = (times: number): { letterSamples: number } => ({ letterSamples: Math.round(LETTER_SAMPLES * times) });
  const pause = new Int16Array(2_000);
  it.each([
    {
      name: 'its end has not been reached, and a pause comes just before it',
      said: 'When the parcel is in, we call you at once.',
      heard: [pausedSpeech('When the parcel is ', RATE, slowBy(1.1)), pause, pausedSpeech('i', RATE, slowBy(1.1))],
    },
    {
      name: 'a clause that took longer pauses where the next one would',
      said: 'ABC, yes, the next one is on Monday evening.',
      heard: [pausedSpeech('ABC, ', RATE, slowBy(2.5)), pausedSpeech('ye', RATE)],
    },
    {
      name: 'its voice is slow and has paused somewhere',
      said: 'We have looked for it in every room, and it is not here.',
      heard: [
        pausedSpeech('We have looked ', RATE, slowBy(1.4)),
        pause,
        pausedSpeech('for it in every', RATE, slowBy(1.4)),
      ],
    },
  ])('is not the next one, where $name', ({ said, heard }) => {
    expect(known.clauseUnderWay(voice, request, said, heardOf(joined(...heard)))).toBe(0);
  });

  it('is told of each voice by its own pace, and of the last voices alone', () => {
    const paces = learnt(SENTENCES);
    const heard = heardOf(pausedSpeech(text, RATE));
    expect(paces.clauseUnderWay(voice, { ...request, voice: { ...TEST_VOICE, id: 'x' } }, text, heard)).toBe(0);
    expect(paces.clauseUnderWay(voice, { ...request, speed: 2 }, text, heard)).toBe(0);
    for (let n = 0; n < 64; n += 1) {
      const other = { ...request, voice: { ...TEST_VOICE, id: `voice ${n}` } };
      paces.learn(voice, other, SENTENCES[0]!, heardOf(pausedSpeech(SENTENCES[0]!, RATE)));
    }
    expect(paces.clauseUnderWay(voice, request, text, heard)).toBe(0);
  });

  /** Clauses said faster and slower, commas without a pause, pauses where no clause ends. */
  const moods = fc.record({
    paces: fc.array(fc.double({ min: 0.88, max: 1.12, noNaN: true }), { minLength: 8, maxLength: 8 }),
    silent: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
    gap: fc.option(fc.nat(60)),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
    text: fc.constantFrom(...SENTENCES),
  });
  it('is never one that was not reached, however unevenly a voice speaks', () => {
    fc.assert(
      fc.property(moods, ({ text: said, cut, ...mood }) => {
        const { samples, ends } = unevenSpeech(said, mood);
        const at = Math.round(samples.length * cut);
        const from = known.clauseUnderWay(voice, request, said, heardOf(samples.subarray(0, at)));
        expect(ends.get(from)).toBeLessThanOrEqual(at);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it.each(
    someOf(
      [
        { name: 'English', texts: SENTENCES, of: TEST_VOICE, least: 0.35 },
        { name: 'Arabic', texts: ARABIC, of: TEST_VOICE_AR, least: 0.35 },
      ],
      2,
    ),
  )(
    'is right of a real voice: nothing is left out, and far less is heard twice: $name',
    async ({ texts, of, least }) => {
      const espeak = new EspeakTts({ clock: systemClock });
      const say = async (text: string): Promise<Int16Array> =>
        (await collectSpeech(espeak, ttsRequest({ text, voice: of }))).samples;
      const paces = new VoicePaces();
      const asked = ttsRequest({ voice: of });
      const sounds = new Map<string, Int16Array>();
      for (const text of texts) {
        sounds.set(text, await say(text));
        paces.learn(espeak, asked, text, heardOf(sounds.get(text)!));
      }
      let [twice, whole] = [0, 0];
      for (const [text, sound] of sounds) {
        const ends = new Map([[0, 0]]); // it speaks clause by clause, so that one sounds alike with and without the next
        for (const at of clauseStarts(text)) ends.set(at, (await say(text.slice(0, at).trim())).length);
        for (let at = 400; at < sound.length; at += 2_000) {
          const end = ends.get(paces.clauseUnderWay(espeak, asked, text, heardOf(sound.subarray(0, at))))!;
          expect(end, `${text} at ${at}`).toBeLessThanOrEqual(at);
          twice += at - end;
          whole += at;
        }
      }
      expect(1 - twice / whole).toBeGreaterThan(least);
    },
  );
});

/** A voice that takes longer for every sentence. */
function slowerEachTime(): (text: string) => Int16Array {
  let slow = 1;
  return (text) => {
    slow *= 1.15;
    return pausedSpeech(text, RATE, { letterSamples: Math.round(LETTER_SAMPLES * slow) });
  };
}

/** Each clause at a pace of its own; and where it was over, by where the next one begins. */
function unevenSpeech(
  text: string,
  { paces, silent, gap }: { paces: readonly number[]; silent: readonly boolean[]; gap: number | null },
) {
  const starts = [0, ...clauseStarts(text), text.length];
  const ends = new Map([[0, 0]]);
  const parts: Int16Array[] = [];
  let length = 0;
  for (const [n, from] of starts.slice(0, -1).entries()) {
    const pauseSamples = silent[n] ? 0 : undefined;
    const clause = text.slice(from, starts[n + 1]);
    const letterSamples = Math.round(LETTER_SAMPLES * paces[n]!);
    const sound = pausedSpeech(clause, RATE, { letterSamples, ...(pauseSamples !== undefined && { pauseSamples }) });
    const broken = gap === null || n > 0 ? [sound] : withPauseAt(sound, gap * letterSamples);
    for (const part of broken) parts.push(part);
    length += broken.reduce((sum, part) => sum + part.length, 0);
    ends.set(starts[n + 1]!, length);
  }
  return { samples: joined(...parts), ends };
}

const withPauseAt = (sound: Int16Array, at: number): Int16Array[] => [
  ...[sound.subarray(0, at), new Int16Array(2_000), sound.subarray(at)],
];
