import { describe, expect, it } from 'vitest';
import type { VadDetector } from '../../src/engines/vad/contract.ts';
import { rig } from '../support/conversation-rig.ts';
import { LevelVad } from '../support/level-vad.ts';

/** Everything is heard at one level. */
const atLevel = (levelDb: number): VadDetector => Object.assign(new LevelVad(), { levelDb });

describe('the first seconds of a call', () => {
  it('begin with the greeting when the line is open', async () => {
    const r = rig({ settings: { greetingDelayMs: 300 } });
    r.conversation.greet();
    await r.silence(280);
    expect(r.port.writtenSamples).toBe(0);
    await r.silence(40);
    expect(r.port.writtenSamples).toBeGreaterThan(0);
    await r.silence(1000);
    expect(r.said()).toEqual(['agent: Hello there, how can I help?']);
  });

  it.each(['ended', 'closed'] as const)('are over without one where the call is %s by then', async (how) => {
    const r = rig({ settings: { greetingDelayMs: 300 } });
    r.conversation.greet();
    if (how === 'closed') r.conversation.close();
    else r.conversation.endWith('timeUp', { party: 'gateway', reason: 'max-duration' });
    await r.silence(8000);
    expect(r.said().join()).not.toContain('Hello there');
    expect(r.clock.pending).toBe(how === 'closed' ? 0 : 1); // the limit of the goodbye, until the call is closed
  });

  it('gather keys that nobody asked for into one number', async () => {
    const r = rig({ collectDigits: 1, expect: ['free'] });
    r.conversation.greet();
    await r.silence(200);
    for (const key of '4521') {
      r.conversation.onDigit(key);
      await r.silence(300);
    }
    expect(r.requests).toEqual([]);
    await r.silence(1000);
    expect(r.requests.map(({ text, input }) => `${input} ${text}`)).toEqual(['keypad 4521']);
    r.conversation.onDigit('7');
    r.conversation.onDigit('#');
    await r.silence(40);
    expect(r.requests.at(-1)!.text).toBe('7');
  });
});

describe('a caller who can hardly be heard', () => {
  const faint = async (r: ReturnType<typeof rig>, text: string, ms: number): Promise<void> => {
    await r.say(text, ms);
    await r.silence(4500); // a request to speak up included
  };
  const asked = (r: ReturnType<typeof rig>): number =>
    r.said().filter((line) => line.includes('speak a little louder')).length;

  it('is asked to speak up, twice, in place of being told that nothing was understood', async () => {
    const r = rig({ vad: atLevel(-34) });
    r.conversation.greet();
    await r.silence(1500);
    await faint(r, '', 900);
    expect([asked(r), r.requests.length]).toEqual([1, 0]);
    await faint(r, '', 300);
    expect(asked(r)).toBe(1);
    await faint(r, '', 300);
    expect([asked(r), r.requests.length]).toEqual([2, 0]);
    await faint(r, '', 900);
    expect([asked(r), r.requests.length]).toEqual([2, 1]);
  });

  it.each([
    { name: 'is understood', levelDb: -34, text: 'where is my order' },
    { name: 'is loud enough', levelDb: -20, text: '' },
  ])('is not asked where what they say $name', async ({ levelDb, text }) => {
    const r = rig({ vad: atLevel(levelDb) });
    r.conversation.greet();
    await r.silence(1500);
    await faint(r, text, 900);
    expect([asked(r), r.requests.length]).toEqual([0, 1]);
  });
});
