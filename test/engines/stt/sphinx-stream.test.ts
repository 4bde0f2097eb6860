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
  answer(text: string, sound?: SoundMean): void {
    const { listener } = this.asked.at(-1) ?? {};
    listener?.final({ type: 'final', id: this.asked.length, text, confidence: 0.9, ...(sound ? { sound } : {}) });
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
});
