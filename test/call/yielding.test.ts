import { describe, expect, it } from 'vitest';
import { AGENT, rig } from '../support/conversation-rig.ts';

const LONG = {
  en: 'Hello there, you can ask me about your order, the price of a parcel and when we are open, today and at any other time of the week',
};
const agent = { ...AGENT, definition: { ...AGENT.definition, greeting: LONG } };
const SETTINGS = { bargeInMs: 850 };
const bargeIns = async (r: ReturnType<typeof rig>): Promise<number> =>
  (await r.metrics.bargeIns.get()).values[0]?.value ?? 0;

describe('a voice over the agent’s', () => {
  it.each([
    { name: 'a listening noise', text: 'okay', ms: 400 },
    { name: 'a long one', text: 'uh huh yeah okay', ms: 1400 },
    { name: 'one of this agent', text: 'splendid', ms: 400 },
    { name: 'a cough', text: '', ms: 600 },
  ])('makes it softer, and no more where it is $name', async ({ text, ms }) => {
    const definition = { ...agent.definition, backchannels: { en: ['splendid'] } };
    const r = rig({ agent: { ...agent, definition }, settings: SETTINGS });
    r.conversation.greet();
    await r.silence(400);
    await r.say(text, ms);
    expect(r.port.gainsDb).toEqual([-12]);
    await r.silence(300);
    expect(r.port.gainsDb).toEqual([-12, 0]);
    expect(r.conversation.state).toBe('speaking');
    await r.silence(2500);
    expect(await bargeIns(r)).toBe(0);
    expect(r.said()).toEqual([`agent: ${LONG.en}`]);
    expect(r.requests).toEqual([]);
  });

  it.each([
    { name: 'two words', text: 'no wait', ms: 300, byMs: 300 },
    { name: 'one word, once it is settled', text: 'cancel', ms: 400, byMs: 700 },
    { name: 'words after a listening noise', text: 'okay but wait', ms: 600, byMs: 600 },
    { name: 'voice that goes on, of which nothing is recognised', text: '', ms: 900, byMs: 900 },
  ])('interrupts it where it is $name', async ({ text, ms, byMs }) => {
    const r = rig({ agent, settings: SETTINGS });
    r.conversation.greet();
    await r.silence(400);
    await r.say(text, ms);
    await r.silence(byMs - ms);
    expect(await bargeIns(r)).toBe(1);
    expect(r.port.gainsDb).toEqual([-12, 0]);
    expect(r.port.writtenSamples).toBe(r.port.playedSamples);
  });

  it('interrupts by itself once; after that it takes words', async () => {
    const r = rig({ agent, settings: SETTINGS });
    r.conversation.greet();
    await r.silence(400);
    await r.say('', 1200);
    expect(await bargeIns(r)).toBe(1);
    for (let waitedMs = 0; waitedMs < 4000 && r.conversation.state !== 'speaking'; waitedMs += 20) await r.silence(20);
    expect(r.conversation.state).toBe('speaking');
    await r.say('', 900);
    expect(await bargeIns(r)).toBe(1);
    expect(r.conversation.state).toBe('yielding');
    await r.say('no wait stop', 300);
    expect(await bargeIns(r)).toBe(2);
  });

  it('does not make it softer where nothing may interrupt it', async () => {
    const definition = { ...agent.definition, bargeIn: 'off' as const };
    const r = rig({ agent: { ...agent, definition }, settings: SETTINGS });
    r.conversation.greet();
    await r.silence(400);
    await r.say('no wait stop', 1200);
    expect(r.port.gainsDb).toEqual([]);
    expect(r.conversation.state).toBe('speaking');
  });

  it('is waited for only so long where its words do not come', async () => {
    const r = rig({ agent, settings: SETTINGS });
    r.conversation.greet();
    await r.silence(200);
    r.stt().flush = () => {};
    await r.say('okay', 300);
    await r.silence(600);
    expect(r.port.gainsDb).toEqual([-12]);
    await r.silence(200);
    expect(r.port.gainsDb).toEqual([-12, 0]);
    expect(r.conversation.state).toBe('speaking');
  });

  it.each([
    { name: 'is no turn where it ends after the agent', kinds: ['free'] as const, taken: [] },
    {
      name: 'is none either where yes and no are among what may be said',
      kinds: ['free', 'yesno'] as const,
      taken: [],
    },
    { name: 'is the answer to a question of yes or no', kinds: ['yesno'] as const, taken: ['okay'] },
  ])('that is a listening noise $name', async ({ kinds, taken }) => {
    const r = rig({ expect: kinds, settings: SETTINGS });
    r.conversation.greet();
    await r.silence(440);
    await r.say('okay', 400); // the greeting ends meanwhile
    await r.silence(1500);
    expect(r.requests.map(({ text }) => text)).toEqual(taken);
  });

  it('that comes after the agent’s is a turn, whatever it is', async () => {
    const r = rig({ settings: SETTINGS });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('okay', 400);
    await r.silence(1000);
    expect(r.requests.map(({ text }) => text)).toEqual(['okay']);
  });

  it('is listened to with the listening noises among what may be said', async () => {
    const r = rig();
    r.conversation.greet();
    await r.silence(1000);
    expect(r.stt().hints.at(-1)!.phrases).toContain('uh huh');
  });
});
