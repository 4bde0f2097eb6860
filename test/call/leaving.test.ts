import { describe, expect, it } from 'vitest';
import { callEnd } from '../../src/call/call-end.ts';
import { GOODBYE_MAX_MS } from '../../src/call/conversation.ts';
import { type RigOptions, rig, SETTINGS } from '../support/conversation-rig.ts';

type Rig = ReturnType<typeof rig>;

const END = callEnd('gateway', 'credit-exhausted');
/** "We have reached the end ... Goodbye." at 100 ms a word. */
const GOODBYE_MS = 1700;

const goodbyes = (r: Rig): number => r.said().filter((line) => line.includes('Goodbye')).length;

/** What a caller may do when told that the call ends. */
const DOINGS: Record<string, (r: Rig) => Promise<void>> = {
  nothing: (r) => r.silence(800),
  'talks over it': (r) => r.say('no wait I am not done', 1200),
  'presses a key': async (r) => {
    r.conversation.onDigit('1');
    await r.silence(800);
  },
  'presses keys to the terminator': async (r) => {
    for (const key of '123#') r.conversation.onDigit(key);
    await r.silence(800);
  },
  'coughs long': (r) => r.say('', 1200),
  'says a listening noise': (r) => r.say('okay', 400),
  'holds the call': async (r) => {
    r.hold(true);
    await r.silence(800);
  },
};

/** Where the conversation may be when the end is decided. */
const MOMENTS: Record<string, (options?: RigOptions) => Promise<Rig>> = {
  'while the agent speaks': async (options) => {
    const r = rig(options);
    r.conversation.greet();
    await r.silence(200);
    expect(r.conversation.state).toBe('speaking');
    return r;
  },
  'while the caller may speak': async (options) => {
    const r = rig(options);
    r.conversation.greet();
    await r.silence(1000);
    expect(r.conversation.state).toBe('listening');
    return r;
  },
  'in the middle of the caller’s sentence': async (options) => {
    const r = rig(options);
    r.conversation.greet();
    await r.silence(1000);
    await r.say('where is', 600);
    return r;
  },
  'in the pause after a sentence': async (options) => {
    const r = rig(options);
    r.conversation.greet();
    await r.silence(1000);
    await r.say('where is my order');
    await r.silence(300);
    expect(r.conversation.state).toBe('endpointing');
    return r;
  },
  'while keys are gathered': async (options) => {
    const r = rig(options);
    r.conversation.greet();
    await r.silence(1000);
    r.conversation.onDigit('4');
    return r;
  },
};

describe.each(Object.entries(MOMENTS))('time is up %s', (_name, until) => {
  it.each(Object.entries(DOINGS))('and the caller: %s. The call ends', async (_doing, act) => {
    const r = await until();
    const decidedMs = r.clock.nowMs();
    r.conversation.endWith('timeUp', END);
    await act(r);
    await r.silence(2 * GOODBYE_MAX_MS);
    expect(r.ends[0]).toEqual(END);
    expect(r.endedAtMs[0]! - decidedMs).toBeLessThanOrEqual(GOODBYE_MS + 100);
    expect(r.requests).toEqual([]);
    expect(goodbyes(r)).toBeLessThanOrEqual(1);
  });
});

describe('time is up', () => {
  it('while an answer is being made: what the caller said stays on record', async () => {
    const r = rig({
      synthesize: (text, language, signal) => (text.startsWith('You') ? silent(signal) : words(text, language, signal)),
    });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('where is my order');
    await r.silence(800);
    expect(r.conversation.state).toBe('thinking');
    r.conversation.endWith('timeUp', END);
    await r.silence(3000);
    expect(r.ends).toEqual([END]);
    r.conversation.close();
    expect(r.said().filter((line) => line.startsWith('caller'))).toEqual(['caller: where is my order']);
    expect(goodbyes(r)).toBe(1);
  });

  it.each<[string, Partial<RigOptions>, number]>([
    ['fails', { synthesisFails: true }, 100],
    ['hangs', { synthesize: (_text, _language, signal) => silent(signal) }, SETTINGS.synthesisTimeoutMs + 100],
    ['ignores being told to stop', { synthesize: () => deaf() }, SETTINGS.synthesisTimeoutMs + 100],
    ['never ends', { synthesize: () => endless() }, GOODBYE_MAX_MS + 100],
  ])('and the goodbye cannot be spoken, synthesis %s: the call ends all the same', async (_name, options, limitMs) => {
    const r = rig(options);
    r.conversation.endWith('timeUp', END);
    await r.silence(limitMs);
    expect(r.ends[0]).toEqual(END);
    r.conversation.close();
    expect(r.clock.pending).toBe(0);
  });

  it('and nothing is played any more, the line being dead: the call ends all the same', async () => {
    const r = rig();
    Object.defineProperty(r.port, 'playedSamples', { get: () => 0 });
    r.conversation.endWith('timeUp', END);
    await r.silence(GOODBYE_MAX_MS + 20);
    expect(r.ends).toEqual([END]);
  });

  it('for two reasons at once: one goodbye, the first reason', async () => {
    const r = rig();
    r.conversation.endWith('timeUp', END);
    await r.silence(200);
    r.conversation.endWith('timeUp', callEnd('gateway', 'max-duration'));
    await r.silence(3000);
    expect(r.ends).toEqual([END]);
    expect(goodbyes(r)).toBe(1);
  });

  it('over words that already end the call: those are said, and within the limit', async () => {
    const farewell = 'Thank you for calling and have a very nice day goodbye.';
    const r = rig({ answer: () => hangupAfter(farewell) });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('that is all');
    await r.silence(800);
    expect(r.conversation.state).toBe('closing');
    r.conversation.endWith('timeUp', END);
    await r.silence(3000);
    expect(r.said().at(-1)).toBe(`agent: ${farewell}`);
    expect(r.ends).toEqual([callEnd('agent', 'agent-hangup')]);
  });

  it('over words that already end the call and that last for ever: they are cut', async () => {
    const r = rig({
      answer: () => hangupAfter('You go on for ever.'),
      synthesize: (text, language, signal) => (text.startsWith('You') ? endless() : words(text, language, signal)),
    });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('that is all');
    await r.silence(800);
    r.conversation.endWith('timeUp', END);
    await r.silence(GOODBYE_MAX_MS + 40);
    expect(r.ends).toEqual([END]);
  });

  it('after the call ended: nothing', async () => {
    const r = rig();
    r.conversation.close();
    r.conversation.endWith('timeUp', END);
    await r.silence(GOODBYE_MAX_MS + 40);
    expect([r.ends, r.said(), r.clock.pending]).toEqual([[], [], 0]);
  });
});

describe('an agent that decided to hang up', () => {
  it.each(Object.entries(DOINGS))('does so though the caller: %s', async (_name, act) => {
    const r = rig({ answer: () => hangupAfter('Thank you for calling. Goodbye and all the best.') });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('that is all');
    await r.silence(700);
    await act(r);
    await r.silence(3000);
    expect(r.ends[0]).toEqual(callEnd('agent', 'agent-hangup'));
    expect(r.requests.length).toBe(1);
  });

  it('does so though its last words cannot be spoken', async () => {
    const r = rig({
      answer: () => hangupAfter('You will not hear this.'),
      synthesize: (text, language, signal) => (text.startsWith('You') ? failing() : words(text, language, signal)),
    });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('that is all');
    await r.silence(1000);
    expect(r.ends).toEqual([callEnd('agent', 'agent-hangup')]);
    expect(r.said()).toEqual(['agent: Hello there, how can I help?', 'caller: that is all']);
  });
});

const hangupAfter = (text: string) =>
  [
    { type: 'text', text, language: 'en' },
    { type: 'action', action: { type: 'hangup' } },
  ] as const;

async function* words(text: string, _language: string, signal: AbortSignal): AsyncGenerator<Int16Array> {
  for (const _ of text.split(' ')) if (!signal.aborted) yield new Int16Array(800).fill(1);
}
/** Yields nothing until it is told to stop. */
async function* silent(signal: AbortSignal): AsyncGenerator<Int16Array> {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
}
/** Never yields, and does not listen. */
async function* deaf(): AsyncGenerator<Int16Array> {
  await new Promise(() => {});
}
async function* endless(): AsyncGenerator<Int16Array> {
  for (;;) yield new Int16Array(800).fill(1);
}
/** Fails before its first chunk, but after the whole text was read. */
// biome-ignore lint/correctness/useYield: that is how it fails
async function* failing(): AsyncGenerator<Int16Array> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
  throw new Error('no voice');
}
