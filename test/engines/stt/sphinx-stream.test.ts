import { describe, expect, it } from 'vitest';
import type { SoundMean } from '../../../src/engines/stt/cepstral-mean.ts';
import type {
  RecognitionThread,
  StretchListener,
  StretchRequest,
} from '../../../src/engines/stt/recognition-thread.ts';
import { SphinxStream } from '../../../src/engines/stt/sphinx-stream.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** A thread that keeps what it is asked, and answers when the test says so. */
class AskedThread implements Pick<RecognitionThread, 'begin' | 'audio' | 'finish' | 'drop'> {
  readonly asked: { readonly request: StretchRequest; readonly listener: StretchListener }[] = [];
  begin(request: StretchRequest, listener: StretchListener): number {
    return this.asked.push({ request, listener });
  }
  audio(): void {}
  finish(): void {}
  drop(): void {}
  answer(text: string, sound?: SoundMean, samples?: Int16Array): void {
    const { listener } = this.asked.at(-1) ?? {};
    const more = { ...(sound && { sound }), ...(samples && { samples }) };
    listener?.final({ type: 'final', id: this.asked.length, text, confidence: 0.9, ...more });
  }
}

describe('SphinxStream', () => {
  it('tells at each stretch how its speaker sounded when words were understood last', () => {
    const thread = new AskedThread();
    const stream = new SphinxStream(
      { language: 'en-US', sampleRateHz: 8000, interim: false, hints: { phrases: ['yes'], expect: [] } },
      {
        clock: new FakeClock(),
        limits: { queuedMsMax: 10_000, finalMsMax: 15_000 },
        threadFor: () => thread as Partial<RecognitionThread> as RecognitionThread,
        secondTry: () => undefined,
        prepare: () => {},
        dropped: () => {},
        ended: () => {},
      },
    );
    const sound: SoundMean = { values: [1, 2, 3], frames: 90 };
    for (const [text, sounds] of [['yes', sound], [''], ['']] as const) {
      stream.write({ samples: new Int16Array(480), sampleRateHz: 8000 });
      stream.flush();
      thread.answer(text, sounds);
    }
    expect(thread.asked.map(({ request }) => request.sound)).toEqual([undefined, sound, sound]);
    stream.end();
  });

  it('hears a stretch again by what callers say, where the grammar found nothing or hardly anything', async () => {
    const [grammar, free] = [new AskedThread(), new AskedThread()];
    const sentences = ['i would like to cancel it'];
    const stream = new SphinxStream(
      {
        ...{ language: 'en-US', sampleRateHz: 8000, interim: false },
        hints: { phrases: ['track my order'], expect: ['free'], sentences },
      },
      {
        clock: new FakeClock(),
        limits: { queuedMsMax: 10_000, finalMsMax: 15_000 },
        threadFor: () => grammar as Partial<RecognitionThread> as RecognitionThread,
        secondTry: (_hints, list) =>
          list === sentences ? (free as Partial<RecognitionThread> as RecognitionThread) : undefined,
        prepare: (hints) => expect(hints.sentences).toBeUndefined(),
        dropped: () => {},
        ended: () => {},
      },
    );
    const samples = new Int16Array(480);
    for (const [first, second] of [
      ['track my order', 'i would like to cancel it'],
      ['track my order', ''],
    ] as const) {
      stream.write({ samples: new Int16Array(480), sampleRateHz: 8000 });
      stream.flush();
      grammar.answer(first, undefined, samples);
      free.answer(second);
    }
    expect(grammar.asked.map(({ request }) => [request.keepBelow, request.hints.sentences])).toEqual([
      [0.8, undefined],
      [0.8, undefined],
    ]);
    expect(free.asked.map(({ request }) => request.sentences)).toEqual([sentences, sentences]);
    stream.end();
    const texts = [];
    for await (const event of stream) texts.push(event.text);
    expect(texts).toEqual(['i would like to cancel it', 'track my order']);
  });
});
