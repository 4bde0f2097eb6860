import { describe, expect, it } from 'vitest';
import { AGENT, rig, SyllableVad } from '../support/conversation-rig.ts';

const LONG = {
  en: 'Hello there, you can ask me about your order, the price of a parcel and when we are open, today and at any other time of the week',
};
const agent = { ...AGENT, definition: { ...AGENT.definition, greeting: LONG } };
const SETTINGS = { bargeInMs: 850 };
const bargeIns = async (r: ReturnType<typeof rig>): Promise<number> =>
  (await r.metrics.bargeIns.get()).values[0]?.value ?? 0;

/** Of which everybody can go away from the telephone. */
class DistantVad extends SyllableVad {
  lossDb = 0;
  override get levelDb(): number {
    return super.levelDb - this.lossDb;
  }
}

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
    { name: 'a word that is not settled, in a voice that goes on', text: 'parcel', ms: 760, byMs: 760 },
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

  /** A greeting that goes on, and a recogniser that tells words only when it is asked for them. */
  const asking = async () => {
    const r = rig({ agent, settings: SETTINGS });
    r.conversation.greet();
    await r.silence(400);
    const stt = r.stt();
    const emit = stt.emit.bind(stt);
    stt.emit = (event) => event.type === 'final' && emit(event);
    return r;
  };

  it('is asked for its words as soon as it pauses, before it has ended', async () => {
    const r = await asking();
    await r.say('stop', 400);
    await r.silence(180); // 200 ms end it
    expect(await bargeIns(r)).toBe(1);
    await r.silence(1500);
    expect(r.requests.map(({ text }) => text)).toEqual(['stop']);
  });

  it('goes on after a listening noise, and is one turn', async () => {
    const r = await asking();
    await r.say('okay', 300);
    await r.silence(180);
    expect([await bargeIns(r), r.conversation.state]).toEqual([0, 'yielding']);
    await r.say('but wait stop', 400);
    await r.silence(180);
    expect(await bargeIns(r)).toBe(1);
    await r.silence(1500);
    expect(r.requests.map(({ text }) => text)).toEqual(['okay but wait stop']);
  });

  it('interrupts by a word that settles once it is over', async () => {
    const r = rig({ agent, settings: SETTINGS });
    r.conversation.greet();
    await r.silence(200);
    r.stt().flush = () => {};
    await r.say('', 300);
    await r.silence(240);
    r.stt().emit({ type: 'interim', text: 'stop' });
    await r.silence(100);
    expect(await bargeIns(r)).toBe(0);
    await r.silence(60);
    expect(await bargeIns(r)).toBe(1);
  });

  /** The caller has said something: how loud they speak is known. The agent answers at length. */
  const known = async (options: Parameters<typeof rig>[0] = {}) => {
    const r = rig({ settings: SETTINGS, answer: () => [{ type: 'text', text: LONG.en, language: 'en' }], ...options });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('where is my order', 800);
    for (let waitedMs = 0; waitedMs < 4000 && r.conversation.state !== 'speaking'; waitedMs += 20) await r.silence(20);
    return r;
  };

  it('interrupts without words once it is known how loud the caller speaks, and not before', async () => {
    const r = await known();
    await r.say('', 900);
    expect(await bargeIns(r)).toBe(1);
    const other = rig({ agent, settings: SETTINGS });
    other.conversation.greet();
    await other.silence(400);
    await other.say('', 1100);
    expect(await bargeIns(other)).toBe(0);
    expect(other.port.gainsDb).toEqual([-12, 0]);
    await other.say('no wait stop', 300);
    expect(await bargeIns(other)).toBe(1);
  });

  it('that is many voices interrupts nobody, whatever is made of it, and the agent is as loud as before', async () => {
    const r = rig({ agent, settings: SETTINGS, voice: 'crowd' });
    r.conversation.greet();
    await r.silence(400);
    await r.say('parcel', 1500);
    expect(r.port.gainsDb).toEqual([-12, 0]);
    expect(r.conversation.state).toBe('speaking');
    await r.say('parcel of the', 1500);
    expect(await bargeIns(r)).toBe(0);
  });

  it('of somebody farther away does not even make it softer', async () => {
    const vad = new DistantVad();
    const r = await known({ vad });
    vad.lossDb = 14;
    await r.say('', 1500);
    expect(await bargeIns(r)).toBe(0);
    expect(r.port.gainsDb).toEqual([]);
    await r.silence(3500);
    expect(r.requests.map(({ text }) => text)).toEqual(['where is my order']);
  });

  it('interrupts by itself once; after that it takes words', async () => {
    const r = await known();
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
