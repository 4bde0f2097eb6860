import { describe, expect, it } from 'vitest';
import type { SoundMean } from '../../../src/engines/stt/cepstral-mean.ts';
import type { SttHints } from '../../../src/engines/stt/contract.ts';
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
  readonly did: string[] = []; // what the stretches were told, `audio ID SAMPLES`
  begin(request: StretchRequest, listener: StretchListener): number {
    return this.asked.push({ request, listener });
  }
  audio(id: number, samples: Int16Array): void {
    this.did.push(`audio ${id} ${samples.length}`);
  }
  finish(id: number): void {
    this.did.push(`finish ${id}`);
  }
  drop(id: number): void {
    this.did.push(`drop ${id}`);
  }
  answer(
    text: string,
    more: { readonly sound?: SoundMean; readonly samples?: Int16Array; readonly confidence?: number } = {},
  ): void {
    const { listener } = this.asked.at(-1) ?? {};
    listener?.final({ type: 'final', id: this.asked.length, text, confidence: 0.9, ...more });
  }
}

const SENTENCES = ['i would like to cancel it'];

/** A stream of one who may say anything, with a thread for grammars and one for sentences. */
function openStream(expect: SttHints['expect']) {
  const [grammar, free] = [new AskedThread(), new AskedThread()];
  const stream = new SphinxStream(
    {
      ...{ language: 'en-US', sampleRateHz: 8000, interim: false },
      hints: { phrases: ['track my order'], expect, sentences: SENTENCES },
    },
    {
      clock: new FakeClock(),
      limits: { queuedMsMax: 10_000, finalMsMax: 15_000 },
      threadFor: () => grammar as Partial<RecognitionThread> as RecognitionThread,
      secondTry: (_hints, list) =>
        list === SENTENCES ? (free as Partial<RecognitionThread> as RecognitionThread) : undefined,
      prepare: () => {},
      dropped: () => {},
      ended: () => {},
    },
  );
  const say = (): void => {
    stream.write({ samples: new Int16Array(480), sampleRateHz: 8000 });
    stream.flush();
  };
  return { stream, grammar, free, say };
}

async function textsOf(stream: SphinxStream): Promise<string[]> {
  stream.end();
  const texts = [];
  for await (const event of stream) texts.push(event.text);
  return texts;
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
      thread.answer(text, sounds && { sound: sounds });
    }
    expect(thread.asked.map(({ request }) => request.sound)).toEqual([undefined, sound, sound]);
    stream.end();
  });

  it('has a stretch heard by what callers say from its beginning, and asks for that where the grammar is not sure', async () => {
    const { stream, grammar, free, say } = openStream(['free']);
    say();
    expect(free.did).toEqual(['audio 1 480']); // as it was spoken
    grammar.answer('track my order', { confidence: 0.6 });
    expect(free.did.slice(1)).toEqual(['finish 1']);
    free.answer('i would like to cancel it');
    say();
    grammar.answer('track my order', { confidence: 0.6 });
    free.answer('');
    expect(grammar.asked.map(({ request }) => [request.keepBelow, request.hints.sentences])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(free.asked.map(({ request }) => request.sentences)).toEqual([SENTENCES, SENTENCES]);
    expect(await textsOf(stream)).toEqual(['i would like to cancel it', 'track my order']);
  });

  it('lets the sentences be where the grammar is sure, and where nobody listens any more', async () => {
    const { stream, grammar, free, say } = openStream(['free']);
    say();
    grammar.answer('track my order');
    expect(free.did.slice(1)).toEqual(['drop 1']);
    expect(await textsOf(stream)).toEqual(['track my order']);
    const left = openStream(['free']);
    left.say();
    left.stream.abort();
    expect([left.grammar.did.at(-1), left.free.did.at(-1)]).toEqual(['drop 1', 'drop 1']);
  });

  it('goes on without the sentences where they are not heard any more', async () => {
    const { stream, grammar, free, say } = openStream(['free']);
    say();
    free.asked[0]?.listener.failed('crashed');
    grammar.answer('track my order', { confidence: 0.6 });
    expect(free.did.slice(1)).toEqual([]);
    expect(await textsOf(stream)).toEqual(['track my order']);
  });

  it('hears an answer once more as a whole, where the grammar found nothing or hardly anything', async () => {
    const { stream, grammar, free, say } = openStream(['digits']);
    say();
    expect(free.did).toEqual([]);
    expect(grammar.asked[0]?.request.keepBelow).toBe(0.75);
    grammar.answer('', { confidence: 0, samples: new Int16Array(480) });
    expect(free.did).toEqual(['audio 1 480', 'finish 1']);
    free.answer('i would like to cancel it please');
    expect(await textsOf(stream)).toEqual(['i would like to cancel it please']);
  });
});
