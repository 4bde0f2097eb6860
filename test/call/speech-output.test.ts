import { describe, expect, it } from 'vitest';
import { SENTENCES_WAITING_MAX, type SpeechOutputHandlers, Utterance } from '../../src/call/speech-output.ts';
import type { ReplyEvent } from '../../src/engines/reply/contract.ts';
import { type TtsChunk, withMarks } from '../../src/engines/tts/contract.ts';
import { rig } from '../support/conversation-rig.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { FakeMediaPort } from '../support/fake-media-port.ts';
import { settle } from '../support/reception-rig.ts';

const SENTENCES = 500;
const PLACES = [...'one two three four'.matchAll(/\S+/g)].map(({ index, 0: word }) => ({
  charStart: index,
  charEnd: index + word.length,
}));
const sentence = (n: number): ReplyEvent => ({ type: 'text', text: `Number ${n}.`, language: 'en' });

/** An answer that counts how far it was read, and whether its reading was ended. */
function counted(limit: number) {
  const seen = { read: 0, ended: false };
  const answer = {
    *[Symbol.iterator](): Generator<ReplyEvent> {
      try {
        for (; seen.read < limit; ) {
          seen.read += 1;
          yield sentence(seen.read);
        }
      } finally {
        seen.ended = true;
      }
    },
  };
  return { seen, answer: () => answer as unknown as readonly ReplyEvent[] };
}

describe('a long reply', () => {
  it('is said to its end, nothing left out, and read no faster than it is spoken', async () => {
    const { seen, answer } = counted(SENTENCES);
    const r = rig({ answer });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('count to five hundred');
    await r.silence(1000);
    expect(seen.read).toBeGreaterThan(SENTENCES_WAITING_MAX);
    expect(seen.read).toBeLessThan(SENTENCES_WAITING_MAX + 60); // 10 s of audio are ahead of the wire
    await r.silence(SENTENCES * 200 + 1000);
    const all = Array.from({ length: SENTENCES }, (_, i) => `Number ${i + 1}.`).join(' ');
    expect(r.turns[2]).toMatchObject({ text: all, heardMs: SENTENCES * 200 });
    expect(r.turns[2]!.charge!.characters).toBe(all.length - (SENTENCES - 1));
    expect(r.conversation.state).toBe('listening');
  });

  it('without end holds no more than what was said and a few sentences', async () => {
    const { seen, answer } = counted(Number.POSITIVE_INFINITY);
    const r = rig({ answer });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('never stop');
    await r.silence(60_500);
    expect(seen.read).toBeLessThan(60_000 / 200 + SENTENCES_WAITING_MAX + 60);
    expect(seen.ended).toBe(false);
    await r.say('no wait stop', 800);
    expect(seen.ended).toBe(true);
    expect(r.conversation.state).toBe('listening');
    await r.silence(1500);
    expect(r.requests.at(-1)!.text).toBe('no wait stop');
  });

  it('that is never spoken holds as little', async () => {
    const { seen, answer } = counted(Number.POSITIVE_INFINITY);
    const r = rig({
      answer,
      synthesize: async function* (text) {
        if (text.startsWith('Number')) await new Promise(() => {});
        yield new Int16Array(800).fill(1);
      },
    });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('never stop');
    await r.silence(2000);
    expect(seen.read).toBe(SENTENCES_WAITING_MAX + 1);
  });
});

interface Said {
  readonly utterance: Utterance;
  readonly port: FakeMediaPort;
  readonly clock: FakeClock;
  readonly told: string[];
  readonly made: () => number;
  readonly run: (ms: number) => Promise<void>;
}

/** An utterance of which each word is 100 ms, in chunks of a word. */
function said(queueSamples = 64_000, chunkOf = (samples: Int16Array, _word: number): TtsChunk => samples): Said {
  const wordSamples = 800;
  const clock = new FakeClock();
  const port = new FakeMediaPort(clock, queueSamples);
  const told: string[] = [];
  let made = 0;
  const handlers: SpeechOutputHandlers = {
    firstAudio: (atMs) => told.push(`audio ${atMs}`),
    firstPacket: (atMs) => told.push(`packet ${atMs}`),
    done: () => told.push('done'),
    failed: () => told.push('failed'),
  };
  const synthesize = async function* (text: string): AsyncGenerator<TtsChunk> {
    for (const word of text.split(' ').keys()) {
      made += 1;
      yield chunkOf(new Int16Array(wordSamples).fill(1), word);
    }
  };
  const utterance = new Utterance(port, synthesize, clock, handlers);
  const run = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 20) {
      utterance.pump();
      await settle();
      clock.advance(20);
    }
  };
  return { utterance, port, clock, told, made: () => made, run };
}

describe('an utterance', () => {
  it('tells its first audio, its first packet, and its end once', async () => {
    const s = said();
    await s.run(100);
    void s.utterance.say('one two three', 'en');
    await s.run(100);
    s.utterance.finish();
    await s.run(1000);
    expect(s.told).toEqual(['audio 100', 'packet 100', 'done']);
    expect(s.utterance.heard()).toEqual({ heard: 'one two three', unheard: '', heardMs: 300 });
  });

  it('begins when it is its turn, where other words are still being played', async () => {
    const s = said();
    s.port.write(new Int16Array(4_000)); // half a second
    await s.run(100);
    void s.utterance.say('one two three', 'en');
    await s.run(600);
    expect(s.told).toEqual(['audio 100', 'packet 500']);
  });

  it('is not over before it is finished, nor before it was played', async () => {
    const s = said();
    void s.utterance.say('one two three', 'en');
    await s.run(1000);
    expect(s.told).not.toContain('done');
    s.utterance.finish();
    void s.utterance.say('four five six', 'en');
    await s.run(280);
    expect(s.told).not.toContain('done');
    await s.run(100);
    expect(s.told.at(-1)).toBe('done');
  });

  it('without words is over at once', async () => {
    const s = said();
    void s.utterance.say('  ', 'en');
    s.utterance.finish();
    await s.run(20);
    expect(s.told).toEqual(['done']);
    expect(s.utterance.characters).toBe(0);
  });

  it('has no more made than two seconds beyond what the port takes', async () => {
    const s = said(8000);
    void s.utterance.say(new Array(200).fill('word').join(' '), 'en');
    await s.run(200); // 2 words played, a second in the port, two before it
    expect(s.made()).toBeGreaterThanOrEqual(31);
    expect(s.made()).toBeLessThanOrEqual(33);
    await s.run(1000);
    expect(s.made()).toBeGreaterThanOrEqual(41);
    expect(s.made()).toBeLessThanOrEqual(43);
  });

  it('cut in the middle tells what was heard, plays no more and has no more made', async () => {
    const s = said(8000);
    void s.utterance.say(new Array(100).fill('word').join(' '), 'en');
    void s.utterance.say('last words', 'en');
    await s.run(1000);
    const { heard, unheard, heardMs } = s.utterance.cut();
    const made = s.made();
    expect(heardMs).toBe(1000);
    expect(heard.split(' ').length).toBeGreaterThan(0);
    expect(unheard.endsWith('last words')).toBe(true);
    expect(s.port.writtenSamples).toBe(s.port.playedSamples);
    await s.run(5000);
    expect([s.made(), s.told.includes('done'), s.port.writtenSamples]).toEqual([made, false, s.port.playedSamples]);
    expect(await s.utterance.say('more', 'en')).toBeUndefined();
  });

  it('left off plays what was made of it, and is done', async () => {
    const s = said(8000);
    void s.utterance.say(new Array(100).fill('word').join(' '), 'en');
    await s.run(200);
    const made = s.made();
    s.utterance.leaveOff();
    await s.run(made * 100 + 100);
    expect(s.told.at(-1)).toBe('done');
    expect(s.made()).toBe(made);
    expect(s.port.playedSamples).toBe(made * 800);
  });

  it('cut after its end leaves what others play alone', async () => {
    const s = said();
    void s.utterance.say('one', 'en');
    s.utterance.finish();
    await s.run(400);
    expect(s.told.at(-1)).toBe('done');
    s.port.write(new Int16Array(8000));
    s.utterance.cut();
    expect(s.port.writtenSamples - s.port.playedSamples).toBe(8000);
  });

  it('measures what was heard from its own first sample', async () => {
    const s = said();
    s.port.write(new Int16Array(4000));
    void s.utterance.say('one two three four', 'en');
    await s.run(700);
    expect(s.utterance.heard()).toEqual({ heard: 'one two', unheard: 'three four', heardMs: 200 });
  });

  it('goes by the marks of the synthesiser where there are some: a word is heard once the next one begins', async () => {
    // Four words of 100 ms each in their sound; the marks say that the first one takes 250 ms of that.
    const text = 'one two three four';
    const marks = [0, 250, 300, 350].map((atMs, i) => ({ ...PLACES[i]!, atMs }));
    const s = said(64_000, (samples, word) => (word === 0 ? withMarks(samples, marks) : samples));
    void s.utterance.say(text, 'en');
    for (const [ms, heard] of [
      [220, ''],
      [60, 'one'],
      [60, 'one two'],
    ] as const) {
      await s.run(ms);
      expect(s.utterance.heard().heard).toBe(heard);
    }
    s.utterance.finish();
    await s.run(500);
    expect(s.utterance.heard()).toMatchObject({ heard: text, unheard: '' });
  });
});
