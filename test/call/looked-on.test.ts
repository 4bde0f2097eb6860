import { describe, expect, it } from 'vitest';
import { rig } from '../support/conversation-rig.ts';

const LONG = () =>
  [{ type: 'text', text: 'one two three four five six seven eight nine ten', language: 'en' }] as const;

describe('whoever looks on a conversation', () => {
  it('has something said in the place of what is being said, and the agent goes on after it', async () => {
    const r = rig({ answer: LONG });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('tell me');
    await r.silence(900);
    expect(r.conversation.state).toBe('speaking');
    expect(r.conversation.sayNow('We close in five minutes.')).toBe(true);
    await r.silence(1500);
    expect(r.said().at(-1)).toBe('agent: We close in five minutes.');
    expect(r.said().at(-2)).toMatch(/^agent: one two/);
    expect(r.turns.at(-1)!.charge).toMatchObject({ reply: false, characters: 25 });
    await r.say('and then');
    await r.silence(2000);
    expect(r.requests.at(-1)!.history.map(({ text }) => text)).toContain('We close in five minutes.');
  });

  it('takes the floor from a caller whose words stay on record', async () => {
    const r = rig();
    r.conversation.greet();
    await r.silence(1000);
    await r.say('I was about to');
    await r.silence(300);
    expect(r.conversation.sayNow('لحظة من فضلك')).toBe(true);
    await r.silence(1500);
    expect(r.said().slice(-2)).toEqual(['caller: I was about to', 'agent: لحظة من فضلك']);
    expect(r.conversation.state).toBe('listening');
  });

  it('has the caller put through, and back where nobody takes the call', async () => {
    const r = rig({ transferOk: false });
    r.conversation.greet();
    await r.silence(1000);
    expect(r.conversation.sendTo('phone:reception')).toBe(true);
    expect(r.conversation.sendTo('phone:other')).toBe(false); // it leaves already
    expect(r.conversation.sayNow('Hello')).toBe(false);
    await r.silence(3000);
    expect(r.transfers).toEqual(['phone:reception']);
    expect(r.said().slice(1, 2)).toEqual(['agent: One moment.']);
    expect(r.said().at(-1)).toMatch(/nobody could take the call/);
    expect(r.conversation.state).toBe('listening');
  });

  it('does nothing to one that is on hold, or over', async () => {
    const r = rig();
    r.conversation.greet();
    await r.silence(1000);
    r.hold(true);
    expect([r.conversation.sayNow('Hello'), r.conversation.sendTo('1900')]).toEqual([false, false]);
    r.hold(false);
    r.conversation.close();
    expect([r.conversation.sayNow('Hello'), r.conversation.sendTo('1900')]).toEqual([false, false]);
    expect(r.transfers).toEqual([]);
  });

  it('has the agent know something from its next reply on, which the caller hears nothing of', async () => {
    const r = rig({ takesNote: (_agent, note) => (note === 'secret' ? 'withheld' : 'taken') });
    r.conversation.greet();
    await r.silence(1000);
    const before = r.said();
    expect(r.conversation.notes.take('The order comes tomorrow.')).toBe('taken');
    expect(r.conversation.notes.take('secret')).toBe('withheld');
    await r.silence(500);
    expect([r.said(), r.conversation.state]).toEqual([before, 'listening']);
    await r.say('where is my order');
    await r.silence(1500);
    expect(r.requests.map(({ notes }) => notes)).toEqual([['The order comes tomorrow.']]);
    for (const note of ['1', '2', '3', '4', '5']) r.conversation.notes.take(note);
    await r.say('and then');
    await r.silence(1500);
    expect(r.requests.at(-1)!.notes).toEqual(['1', '2', '3', '4', '5']);
  });

  it('is told where nothing of that is heeded', async () => {
    const r = rig();
    r.conversation.greet();
    expect(r.conversation.notes.take('The order comes tomorrow.')).toBe('no');
    await r.silence(1000);
    await r.say('where is my order');
    await r.silence(1500);
    expect(r.requests.map((request) => 'notes' in request)).toEqual([false]);
  });
});
