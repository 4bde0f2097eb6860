import { describe, expect, it } from 'vitest';
import { callEnd } from '../../src/call/call-end.ts';
import { type RigOptions, rig } from '../support/conversation-rig.ts';

type Rig = ReturnType<typeof rig>;

const heardOf = (r: Rig, role: string): string =>
  r.turns
    .filter((turn) => turn.role === role)
    .map((turn) => turn.text)
    .join(' | ');

async function listening(options?: RigOptions): Promise<Rig> {
  const r = rig(options);
  r.conversation.greet();
  await r.silence(1000);
  return r;
}

/** Half a minute of somebody else's voice. */
const music = (r: Rig): Promise<void> => r.say('press one for more lovely music', 30_000);

describe('on hold', () => {
  it('music is neither recognised nor answered, and silence is not counted', async () => {
    const r = await listening();
    r.hold(true);
    expect(r.conversation.state).toBe('held');
    await music(r);
    await r.silence(30_000);
    r.hold(false);
    expect(r.conversation.state).toBe('listening');
    await r.silence(7000);
    expect(r.said()).toEqual(['agent: Hello there, how can I help?']);
    expect(r.requests).toEqual([]);
  });

  it('and back, the caller is heard, from the first sound', async () => {
    const r = await listening();
    r.hold(true);
    await music(r);
    r.hold(false);
    await r.silence(500);
    const spokenMs = r.clock.nowMs();
    await r.say('where is my order');
    await r.silence(1500);
    expect(heardOf(r, 'caller')).toBe('where is my order');
    expect(r.turns.find((turn) => turn.role === 'caller')!.startedMs).toBe(spokenMs - 20); // a frame is heard as it ends
  });

  it('an answer waits where it was, and its rest is said afterwards', async () => {
    const words = 'one two three four five six seven eight nine ten';
    const r = await listening({ answer: () => [{ type: 'text', text: words, language: 'en' }] });
    await r.say('count for me');
    await r.silence(900);
    expect(r.conversation.state).toBe('speaking');
    r.hold(true);
    const playedAtHold = r.port.playedSamples;
    await music(r);
    expect([r.port.playedSamples, r.said().length]).toEqual([playedAtHold, 2]);
    r.hold(false);
    expect(r.conversation.state).toBe('speaking');
    await r.silence(1500);
    expect(r.said().at(-1)).toBe(`agent: ${words}`);
    expect(r.turns.at(-1)!.heardMs).toBe(1000);
    expect(r.conversation.state).toBe('listening');
  });

  it('an answer that is being made is heard afterwards', async () => {
    let release = (): void => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const r = await listening({
      synthesize: async function* (text) {
        if (text.startsWith('You said')) await slow;
        for (const _ of text.split(' ')) yield new Int16Array(800).fill(1);
      },
    });
    await r.say('where is my order');
    await r.silence(700);
    expect(r.conversation.state).toBe('thinking');
    r.hold(true);
    release();
    await music(r);
    expect(heardOf(r, 'agent')).toBe('Hello there, how can I help?');
    r.hold(false);
    await r.silence(1500);
    expect(heardOf(r, 'agent')).toContain('You said where is my order.');
    expect(r.requests.length).toBe(1);
  });

  it('an answer that never comes is apologised for afterwards', async () => {
    const r = await listening({
      synthesize: async function* (text) {
        if (text.startsWith('You said')) await new Promise(() => {});
        for (const _ of text.split(' ')) yield new Int16Array(800).fill(1);
      },
    });
    await r.say('where is my order');
    await r.silence(700);
    r.hold(true);
    await r.silence(20_000);
    r.hold(false);
    await r.silence(2000);
    expect(heardOf(r, 'agent')).toContain('I had a problem');
  });

  it('a failing engine is apologised for afterwards, and counted', async () => {
    let fail = (): void => {};
    const failure = new Promise<void>((_resolve, reject) => {
      fail = () => reject(new Error('no voice'));
    });
    const r = await listening({
      synthesize: async function* (text) {
        if (text.startsWith('You said')) await failure;
        for (const _ of text.split(' ')) yield new Int16Array(800).fill(1);
      },
    });
    await r.say('where is my order');
    await r.silence(700);
    r.hold(true);
    fail();
    await r.silence(5000);
    expect(heardOf(r, 'agent')).not.toContain('problem');
    r.hold(false);
    await r.silence(2000);
    expect(heardOf(r, 'agent')).toContain('I had a problem');
  });

  it('a sentence that was said before is answered afterwards', async () => {
    const r = await listening();
    await r.say('where is my order');
    await r.silence(240);
    expect(r.conversation.state).toBe('endpointing');
    r.hold(true);
    await music(r);
    expect(r.requests).toEqual([]);
    r.hold(false);
    await r.silence(1500);
    expect(r.requests.map(({ text }) => text)).toEqual(['where is my order']);
    expect(r.turns.find(({ role }) => role === 'caller')!.heardMs).toBe(800);
  });

  it('a sentence that it cut off counts as far as it went', async () => {
    const r = await listening();
    await r.say('where is my order', 600);
    r.hold(true);
    await music(r);
    r.hold(false);
    await r.silence(1500);
    expect(r.requests.map(({ text }) => text)).toEqual(['where is my order']);
    expect(r.turns.find(({ role }) => role === 'caller')!.heardMs).toBe(600 + 20); // its last frame ends with the tick
  });

  it('a voice over the agent that was not yet judged is forgotten', async () => {
    const r = rig();
    r.conversation.greet();
    await r.silence(100);
    await r.say('well', 200);
    r.hold(true);
    await r.silence(2000);
    r.hold(false);
    await r.silence(3000);
    expect(r.requests).toEqual([]);
    expect(r.said()).toEqual(['agent: Hello there, how can I help?']);
  });

  it('keys wait: those before stay, those during are not taken', async () => {
    const r = await listening();
    r.conversation.onDigit('4');
    r.conversation.onDigit('5');
    r.hold(true);
    r.conversation.onDigit('9');
    await r.silence(10_000);
    expect(r.requests).toEqual([]);
    r.hold(false);
    await r.silence(2900);
    r.conversation.onDigit('2');
    r.conversation.onDigit('#');
    await r.silence(500);
    expect(r.requests.map(({ text }) => text)).toEqual(['452']);
  });

  it('keys from before are a turn when no more come', async () => {
    const r = await listening();
    r.conversation.onDigit('4');
    r.hold(true);
    await r.silence(10_000);
    r.hold(false);
    await r.silence(3200);
    expect(r.requests.map(({ text }) => text)).toEqual(['4']);
  });

  it('a greeting begun on hold is heard afterwards', async () => {
    const r = rig();
    r.hold(true);
    r.conversation.greet();
    await music(r);
    expect(r.said()).toEqual([]);
    r.hold(false);
    await r.silence(1500);
    expect(r.said()).toEqual(['agent: Hello there, how can I help?']);
  });

  it('the end is not announced: nobody would hear it', async () => {
    const r = await listening();
    r.hold(true);
    r.conversation.endWith('timeUp', callEnd('gateway', 'credit-exhausted'));
    expect(r.ends).toEqual([callEnd('gateway', 'credit-exhausted')]);
    await music(r);
    r.hold(false);
    await music(r);
    expect([r.requests, r.said().length, r.conversation.state]).toEqual([[], 1, 'closing']);
  });

  it('an agent that wants to hang up first says why, afterwards', async () => {
    let release = (): void => {};
    const r = await listening({
      answerAfter: new Promise((resolve) => {
        release = resolve;
      }),
      answer: () => [
        { type: 'text', text: 'Your order is cancelled, goodbye.', language: 'en' },
        { type: 'action', action: { type: 'hangup' } },
      ],
    });
    await r.say('cancel my order');
    await r.silence(800);
    expect(r.conversation.state).toBe('thinking');
    r.hold(true);
    release();
    await music(r);
    expect([r.ends, r.said().length, r.conversation.state]).toEqual([[], 2, 'held']);
    r.hold(false);
    expect(r.conversation.state).toBe('closing');
    await r.say('wait wait', 600);
    await r.silence(1000);
    expect(r.said().at(-1)).toBe('agent: Your order is cancelled, goodbye.');
    expect(r.ends).toEqual([callEnd('agent', 'agent-hangup')]);
  });

  it('an agent that hangs up without a word does so afterwards', async () => {
    let release = (): void => {};
    const r = await listening({
      answerAfter: new Promise((resolve) => {
        release = resolve;
      }),
      answer: () => [{ type: 'action', action: { type: 'hangup' } }],
    });
    await r.say('that is all');
    await r.silence(800);
    r.hold(true);
    release();
    await music(r);
    expect(r.ends).toEqual([]);
    r.hold(false);
    await r.silence(100);
    expect(r.ends).toEqual([callEnd('agent', 'agent-hangup')]);
  });

  it('a recogniser that fails is opened again, and hears afterwards', async () => {
    const r = await listening();
    r.hold(true);
    r.stt().fail(new Error('crashed'));
    await r.silence(100);
    r.hold(false);
    await r.say('where is my order');
    await r.silence(1500);
    expect(r.requests.map(({ text }) => text)).toEqual(['where is my order']);
  });

  it('asked for twice, or ended without having begun, means nothing more', async () => {
    const r = await listening();
    r.hold(false);
    expect(r.conversation.state).toBe('listening');
    r.hold(true);
    r.hold(true);
    r.hold(false);
    expect(r.conversation.state).toBe('listening');
  });

  it('and the caller hangs up: what they said before stays on record', async () => {
    const r = await listening();
    await r.say('where is my order');
    await r.silence(240);
    r.hold(true);
    await r.silence(1000);
    r.conversation.close();
    expect(heardOf(r, 'caller')).toBe('where is my order');
    expect(r.clock.pending).toBe(0);
  });
});
