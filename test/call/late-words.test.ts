import { describe, expect, it } from 'vitest';
import { rig } from '../support/conversation-rig.ts';

/** A call in which the recogniser takes its time over "where is my order"; `settle` has it say what it heard. */
async function slow() {
  const r = rig();
  r.conversation.greet();
  await r.silence(1000);
  const stt = r.stt();
  const { flush } = stt;
  stt.flush = () => {
    const { emit } = stt;
    stt.emit = () => {};
    flush.call(stt);
    Object.assign(stt, { emit, flush });
  };
  await r.say('where is my order');
  const settle = (): void =>
    stt.emit({ type: 'final', text: 'where is my order', confidence: 1, startMs: 0, endMs: 0 });
  return { r, settle };
}
const ANSWERED = ['caller: where is my order', 'agent: You said where is my order.'];

describe('words that come late', () => {
  it('are not judged before they are there', async () => {
    const { r, settle } = await slow();
    await r.silence(1600);
    expect(r.said().length).toBe(1);
    settle();
    await r.silence(1500);
    expect(r.said().slice(1)).toEqual(ANSWERED);
  });

  it('are excused after a while, once, and answered all the same; the dialogue does not know', async () => {
    const { r, settle } = await slow();
    await r.silence(5500);
    expect(r.said().slice(1)).toEqual(['agent: One moment.']);
    expect(r.requests).toEqual([]);
    settle();
    await r.silence(1500);
    expect(r.said().slice(2)).toEqual(ANSWERED);
    expect(r.turns.at(-1)?.latencyMs).toBeGreaterThan(5000);
    expect(r.turns.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(r.requests.map(({ history }) => history.map(({ text }) => text))).toEqual([
      ['Hello there, how can I help?'],
    ]);
  });

  it('wait for the end of the excuse', async () => {
    const { r, settle } = await slow();
    await r.silence(1800);
    expect(r.conversation.state).toBe('excusing');
    settle();
    await r.silence(1500);
    expect(r.said().slice(1)).toEqual(['agent: One moment.', ...ANSWERED]);
    expect(r.turns.at(-1)?.latencyMs).toBeGreaterThan(1800);
  });

  it('are the caller’s again where they go on, excuse or not', async () => {
    const { r, settle } = await slow();
    await r.silence(1800);
    expect(r.conversation.state).toBe('excusing');
    await r.say('number five', 300);
    expect(r.conversation.state).toBe('listening');
    expect(r.port.writtenSamples).toBe(r.port.playedSamples);
    settle();
    await r.silence(1500);
    expect(r.requests.map(({ text }) => text)).toEqual(['where is my order number five']);
  });

  it('that do not come at all are no fault of the caller: the agent says it had a problem', async () => {
    const { r, settle } = await slow();
    await r.silence(9500);
    expect(r.requests).toEqual([]);
    expect(r.said().slice(1, 3)).toEqual([
      'agent: One moment.',
      'agent: Sorry, I had a problem just now. Could you say that again?',
    ]);
    settle();
    await r.silence(1500);
    expect(r.said().slice(3)).toEqual(ANSWERED);
    expect(r.turns.at(-1)?.latencyMs).toBeGreaterThan(9500);
  });

  it('are lost with a recogniser that breaks, which is no fault of the caller either', async () => {
    const { r } = await slow();
    await r.silence(800);
    r.stt().fail(new Error('crashed'));
    await r.silence(1500);
    expect(r.requests).toEqual([]);
    expect(r.said()[1]).toMatch(/I had a problem just now/);
  });

  it('are heard on hold, too', async () => {
    const { r, settle } = await slow();
    await r.silence(1800);
    r.hold(true);
    settle();
    await r.silence(3000);
    expect(r.requests).toEqual([]);
    r.hold(false);
    await r.silence(2500);
    expect(r.requests.map(({ text }) => text)).toEqual(['where is my order']);
  });

  it.each([
    { name: 'is not excused, and nothing is made of it', text: 'uh huh', taken: [] },
    { name: 'is a turn where it meant something', text: 'cancel my order', taken: ['cancel my order'] },
  ])('of a voice over the agent that did not interrupt it $name', async ({ text, taken }) => {
    const r = rig();
    r.conversation.greet();
    await r.silence(200);
    r.stt().flush = () => {};
    await r.say('', 300);
    await r.silence(4500);
    expect(r.said()).toEqual(['agent: Hello there, how can I help?']);
    r.stt().emit({ type: 'final', text, confidence: 0.9, startMs: 0, endMs: 0 });
    await r.silence(1500);
    expect(r.requests.map((request) => request.text)).toEqual(taken);
  });
});
