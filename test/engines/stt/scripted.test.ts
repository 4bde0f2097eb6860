import { describe, expect, it } from 'vitest';
import type { SttEvent, SttStream } from '../../../src/engines/stt/contract.ts';
import { createScriptedStt } from '../../../src/engines/stt/scripted.ts';
import { sttConformance } from '../../conformance/stt.ts';
import { framesOf, silence } from '../../support/speech-clips.ts';

const SUBJECT = {
  language: 'en-US',
  foreignLanguage: 'ar-SA',
  hints: { phrases: ['where is my order'], expect: [] },
  samples: silence(1000),
  text: 'where is my order',
};
const script = { texts: ['where is my order'], languages: ['en-US'] };

sttConformance('scripted', { ...SUBJECT, make: () => createScriptedStt(script) });
sttConformance('scripted, every frame once, words and languages told', {
  ...SUBJECT,
  make: () => createScriptedStt({ ...script, feed: 'everything', words: true, heardLanguages: ['en', 'ar'] }),
  feed: 'everything',
  words: true,
});

async function collect(stream: SttStream): Promise<SttEvent[]> {
  const events: SttEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}
const options = { language: 'en-US', sampleRateHz: 8000, interim: false };
const never = new AbortController().signal;

describe('scripted recogniser', () => {
  it('says its lines in order, then nothing was recognised', async () => {
    const stream = createScriptedStt({ texts: ['one', 'two'] }).open(options, never);
    for (let i = 0; i < 3; i += 1) {
      for (const frame of framesOf(silence(100))) stream.write(frame);
      stream.flush();
    }
    stream.end();
    const events = await collect(stream);
    expect(events.map((e) => [e.text, e.type === 'final' && e.confidence])).toEqual([
      ['one', 0.9],
      ['two', 0.9],
      ['', 0],
    ]);
  });

  it('reveals words as audio arrives', async () => {
    const stream = createScriptedStt({ texts: ['where is my order'] }).open({ ...options, interim: true }, never);
    const said: string[] = [];
    const reading = (async () => {
      for await (const event of stream) if (event.type === 'interim') said.push(event.text);
    })();
    for (const frame of framesOf(silence(700))) {
      stream.write(frame);
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
    }
    stream.end();
    await reading;
    expect(said).toEqual(['where', 'where is', 'where is my']);
  });

  it('tells the language of each final where it is told several', async () => {
    const stream = createScriptedStt({ texts: ['one', 'اثنين', 'three'], heardLanguages: ['en', 'ar'] }).open(
      options,
      never,
    );
    for (let i = 0; i < 3; i += 1) {
      stream.write(framesOf(silence(20))[0]!);
      stream.flush();
    }
    stream.end();
    expect((await collect(stream)).map((event) => event.type === 'final' && event.language)).toEqual([
      'en',
      'ar',
      'en',
    ]);
  });

  it('refuses streams beyond its limit, and frees the place of one that ended', async () => {
    const engine = createScriptedStt({ texts: [], streamsMax: 1 });
    const first = engine.open(options, never);
    await expect(collect(engine.open(options, never))).rejects.toMatchObject({ code: 'unavailable' });
    first.end();
    expect(engine.openStreams).toBe(0);
    const third = engine.open(options, never);
    third.end();
    expect(await collect(third)).toEqual([]);
  });
});
