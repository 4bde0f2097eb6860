import { describe, expect, it } from 'vitest';
import { callEnd } from '../../src/call/call-end.ts';
import type { TransferResult } from '../../src/call/transfer-outcome.ts';
import { type RigOptions, rig } from '../support/conversation-rig.ts';

type Rig = ReturnType<typeof rig>;

const TARGET = 'sip:2000@127.0.0.1';

interface Pending extends Rig {
  readonly settle: (moved: boolean | Error) => void;
}

/** A conversation whose transfer was asked for, to the moment `until`. */
async function transferring(until: 'announced' | 'pending', options: RigOptions = {}): Promise<Pending> {
  let settle: Pending['settle'] = () => {};
  const outcome = new Promise<TransferResult>((resolve, reject) => {
    settle = (moved) => {
      if (moved instanceof Error) reject(moved);
      else resolve(moved ? { moved } : { moved, cause: 'failed' });
    };
  });
  let asked = 0;
  const r = rig({
    answer: ({ text }) => {
      asked += 1;
      if (asked > 1) return [{ type: 'text', text: `You said ${text}.`, language: 'en' }];
      return [
        { type: 'text', text: 'One moment please, I connect you.', language: 'en' },
        { type: 'action', action: { type: 'transfer', target: TARGET } },
      ];
    },
    transfer: () => outcome,
    ...options,
  });
  r.conversation.greet();
  await r.silence(1000);
  await r.say('a person please');
  await r.silence(until === 'announced' ? 800 : 1500);
  expect(r.conversation.state).toBe('transferring');
  expect(r.transfers).toEqual(until === 'announced' ? [] : [TARGET]);
  return { ...r, settle };
}

const DOINGS: Record<string, (r: Rig) => Promise<void>> = {
  speaks: async (r) => {
    await r.say('hello is anybody there', 1500);
    await r.silence(1500);
  },
  'presses keys': async (r) => {
    for (const key of '12#') r.conversation.onDigit(key);
    await r.silence(4000);
  },
  'is quiet': (r) => r.silence(30_000),
};

describe('while a transfer is pending', () => {
  it.each(Object.entries(DOINGS))('the agent is quiet though the caller: %s', async (_name, act) => {
    const r = await transferring('pending');
    const before = r.said();
    await act(r);
    expect(r.said()).toEqual(before);
    expect(r.requests.length).toBe(1);
    expect(r.port.writtenSamples).toBe(r.port.playedSamples);
    expect(r.conversation.state).toBe('transferring');
  });

  it.each(Object.entries(DOINGS))('its announcement is heard whole though the caller: %s', async (_name, act) => {
    const r = await transferring('announced');
    await act(r);
    await r.silence(1000);
    expect(r.said().at(-1)).toBe('agent: One moment please, I connect you.');
    expect(r.transfers).toEqual([TARGET]);
    expect(r.requests.length).toBe(1);
  });

  it.each<[string, boolean | Error]>([
    ['nobody takes it', false],
    ['it breaks', new Error('socket closed')],
  ])('and %s: the agent is back, and hears', async (_name, outcome) => {
    const r = await transferring('pending');
    await r.say('hello hello', 600); // of no account
    r.conversation.onDigit('7');
    r.settle(outcome);
    await r.silence(2500);
    expect(r.said().at(-1)).toContain('nobody could take the call');
    expect(r.conversation.state).toBe('listening');
    await r.say('cancel my order');
    await r.silence(1500);
    expect(r.requests.slice(1).map(({ text }) => text)).toEqual(['cancel my order']);
    const told = r.log.lines.filter(({ msg }) => msg === 'a transfer failed').map(({ error }) => error);
    expect(told).toEqual(outcome === false ? [] : ['socket closed']);
  });

  it('and fails: a key from before it was decided is past', async () => {
    let release = (): void => {};
    const r = rig({
      answerAfter: new Promise((resolve) => {
        release = resolve;
      }),
      answer: () => [{ type: 'action', action: { type: 'transfer', target: TARGET } }],
    });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('a person please');
    await r.silence(800);
    r.conversation.onDigit('7');
    release();
    await r.silence(6000);
    expect(r.transfers).toEqual([TARGET]);
    expect(r.said().at(-1)).toContain('nobody could take the call');
    expect(r.requests.length).toBe(1);
  });

  it('and it succeeds: nothing more is said', async () => {
    const r = await transferring('pending');
    r.settle(true);
    const before = r.said();
    await r.silence(10_000);
    expect(r.said()).toEqual(before);
    expect(r.conversation.state).toBe('transferring');
  });

  it('and its announcement cannot be spoken: it is transferred all the same', async () => {
    const r = rig({
      transfer: () => new Promise(() => {}),
      answer: () => [
        { type: 'text', text: 'One moment please.', language: 'en' },
        { type: 'action', action: { type: 'transfer', target: TARGET } },
      ],
      synthesize: async function* (text) {
        if (text.startsWith('One')) await new Promise(() => {});
        for (const _ of text.split(' ')) yield new Int16Array(800).fill(1);
      },
    });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('a person please');
    await r.silence(10_000);
    expect(r.transfers).toEqual([TARGET]);
    expect(r.said()).toEqual(['agent: Hello there, how can I help?', 'caller: a person please']);
  });

  it('and time is up: goodbye, and the outcome comes too late', async () => {
    const r = await transferring('pending');
    r.conversation.endWith('timeUp', callEnd('gateway', 'credit-exhausted'));
    await r.silence(500);
    r.settle(false);
    await r.silence(3000);
    expect(r.said().at(-1)).toContain('end of the time');
    expect(r.ends).toEqual([callEnd('gateway', 'credit-exhausted')]);
    expect(r.conversation.state).toBe('closing');
  });

  it('and the peer holds us, as phones do that call the target: a failure is told after it', async () => {
    const r = await transferring('pending');
    r.hold(true);
    expect(r.conversation.state).toBe('transferringHeld');
    await r.say('lovely music for you', 5000);
    r.settle(false);
    await r.silence(5000);
    expect(r.conversation.state).toBe('held');
    expect(r.said().at(-1)).toBe('agent: One moment please, I connect you.');
    r.hold(false);
    await r.silence(2500);
    expect(r.said().at(-1)).toContain('nobody could take the call');
    expect(r.conversation.state).toBe('listening');
    expect(r.requests.length).toBe(1);
  });

  it('and the peer holds us and takes us back: it is still pending', async () => {
    const r = await transferring('pending');
    r.hold(true);
    await r.silence(1000);
    r.hold(false);
    expect(r.conversation.state).toBe('transferring');
    await r.say('hello', 600);
    r.settle(false);
    await r.silence(2500);
    expect(r.conversation.state).toBe('listening');
    expect(r.requests.length).toBe(1);
  });

  it('and time is up on hold: it ends at once', async () => {
    const r = await transferring('pending');
    r.hold(true);
    r.conversation.endWith('timeUp', callEnd('gateway', 'max-duration'));
    expect(r.ends).toEqual([callEnd('gateway', 'max-duration')]);
    r.settle(false);
    await r.silence(5000);
    expect(r.said().at(-1)).toBe('agent: One moment please, I connect you.');
  });

  it('and we are held in the announcement: it is said to its end afterwards, then the transfer goes out', async () => {
    const r = await transferring('announced');
    r.hold(true);
    await r.silence(5000);
    expect(r.transfers).toEqual([]);
    r.hold(false);
    await r.silence(1500);
    expect(r.transfers).toEqual([TARGET]);
  });

  it('and the caller hangs up: the outcome means nothing', async () => {
    const r = await transferring('pending');
    r.conversation.close();
    r.settle(false);
    await r.silence(1000);
    expect(r.conversation.state).toBe('finished');
    expect(r.said().at(-1)).toBe('agent: One moment please, I connect you.');
    expect(r.clock.pending).toBe(0);
  });
});
