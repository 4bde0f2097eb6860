import { describe, expect, it } from 'vitest';
import { Silence } from '../../src/call/silence.ts';

const SETTINGS = { resumeAfterMs: 2000, noInputMs: 8000, maxNoInputs: 2 };
const UNSAID = { text: 'the rest.', language: 'en' } as const;

describe('silence of the caller', () => {
  it('is waited for, asked about, and given up', () => {
    const silence = new Silence(SETTINGS, 1000);
    expect(silence.judge(8999)).toEqual({ do: 'wait' });
    expect([9000, 9000, 9000].map((nowMs) => silence.judge(nowMs).do)).toEqual(['ask', 'ask', 'give-up']);
  });

  it('begins anew with every sound, and is counted anew once somebody has answered', () => {
    const silence = new Silence(SETTINGS, 0);
    silence.restart(5000);
    expect([12_999, 13_000, 13_000].map((nowMs) => silence.judge(nowMs).do)).toEqual(['wait', 'ask', 'ask']);
    silence.answered(false); // our own reminder is no answer
    expect(silence.judge(13_000).do).toBe('give-up');
    silence.answered(true);
    expect(silence.judge(13_000).do).toBe('ask');
  });

  it('after an interruption that was nothing: the rest is said, once', () => {
    const silence = new Silence(SETTINGS, 0);
    silence.interrupt(UNSAID);
    expect([silence.interrupted, silence.judge(1999)]).toEqual([true, { do: 'wait' }]);
    expect(silence.judge(2000)).toEqual({ do: 'go-on', unsaid: UNSAID });
    expect([silence.interrupted, silence.judge(4000)]).toEqual([false, { do: 'wait' }]);
  });

  it('after an interruption of the last word: there is no rest', () => {
    const silence = new Silence(SETTINGS, 0);
    silence.interrupt({ ...UNSAID, text: '' });
    expect([silence.interrupted, silence.judge(2000)]).toEqual([false, { do: 'wait' }]);
  });

  it('after an interruption that was answered: what was unsaid is past', () => {
    const silence = new Silence(SETTINGS, 0);
    silence.interrupt(UNSAID);
    silence.answered(false);
    expect([silence.interrupted, silence.judge(2000)]).toEqual([false, { do: 'wait' }]);
  });
});
