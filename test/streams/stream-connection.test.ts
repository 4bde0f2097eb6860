import { describe, expect, it } from 'vitest';
import { AGENT, SPEECH_LEVEL } from '../support/conversation-rig.ts';
import { streamRig } from '../support/stream-rig.ts';

describe('a call by talk socket', () => {
  it('is a call like any other: greeting, turns, record', async () => {
    const rig = streamRig();
    await rig.open();
    await rig.speak(1500);
    expect(rig.socket.types()).toEqual(expect.arrayContaining(['authenticated', 'opened', 'sentence', 'turn', 'mark']));
    expect(rig.begun[0]).toMatchObject({ direction: 'inbound', sipCallId: 'str_1', from: 'web', agentId: AGENT.id });
    expect(rig.socket.audioFrames).toBe(5); // 100 ms a word
    expect(rig.registry.size).toBe(1);
    rig.send({ type: 'end' });
    await rig.run(100);
    expect(rig.socket.frames.at(-1)).toMatchObject({ type: 'ended', party: 'caller', reason: 'caller-hangup' });
    expect(rig.socket.closed?.code).toBe(1000);
    expect(rig.summaries[0]).toMatchObject({ answered: true, end: { reason: 'caller-hangup' } });
    expect(rig.summaries[0]!.quality).toMatchObject({ codec: 'L16' });
    expect(rig.registry.size).toBe(0);
  });

  it('hears what is said and answers it, and tells all of it as it happens', async () => {
    const rig = streamRig();
    await rig.open();
    await rig.speak(1500);
    // The recogniser of the rig knows what was said by its level.
    rig.spoken.push('where is my order');
    for (let at = 0; at < 800; at += 20) {
      rig.connection.receive(Buffer.from(new Int16Array(160).fill(SPEECH_LEVEL).buffer), true);
      await rig.run(20);
    }
    await rig.speak(1500);
    const told = rig.socket.frames.slice(-20);
    const text = 'where is my order';
    expect(told).toContainEqual({ type: 'transcript', text, final: true });
    expect(told).toContainEqual({ type: 'sentence', text: `You said ${text}.` });
    const [, caller, agent] = told.filter(({ type }) => type === 'turn');
    expect(caller).toMatchObject({ role: 'caller', text });
    expect(agent).toMatchObject({ role: 'agent', text: `You said ${text}.`, latency_ms: expect.any(Number) });
    // 740 over a line without a network; 60 more are what is kept against jitter, and a slot.
    expect(agent!['latency_ms']).toBeLessThanOrEqual(800);
  });

  it('takes keys, also those pressed before it is answered', async () => {
    const rig = streamRig();
    rig.connection.admit(AGENT);
    rig.send({ type: 'start', sample_rate: 8000 });
    rig.send({ type: 'dtmf', digits: '4' });
    await rig.speak(1500);
    rig.send({ type: 'dtmf', digits: '2' });
    await rig.speak(200);
    rig.send({ type: 'end' });
    await rig.run(100);
    expect(rig.summaries[0]!.dtmf).toBe('42');
  });

  it('keeps frames until it is known whose they are', async () => {
    const rig = streamRig();
    expect(rig.socket.isPaused).toBe(true);
    rig.send({ type: 'start' });
    expect(rig.begun).toHaveLength(0);
    rig.connection.admit(AGENT);
    await rig.run(0);
    expect(rig.begun).toHaveLength(1);
    expect(rig.socket.isPaused).toBe(false);
  });

  it.each([
    { name: 'no credit', setup: { credit: 'insufficient-credit' as const }, code: 4402, error: 'insufficient_credit' },
    { name: 'every line in use', setup: { capacity: 0 }, code: 4429, error: 'too_many_sessions' },
    { name: 'no engine', setup: { engineProblem: 'none' }, code: 4503, error: 'unavailable' },
  ])('is refused with an error: $name', async ({ setup, code, error }) => {
    const rig = streamRig(setup);
    await rig.open();
    await rig.run(100);
    expect(rig.socket.frames.at(-1)).toMatchObject({ type: 'error', error: { code: error } });
    expect(rig.socket.closed?.code).toBe(code);
  });

  it('ends with the connection, and with its silence', async () => {
    const lost = streamRig();
    await lost.open();
    lost.connection.gone();
    await lost.run(100);
    expect(lost.summaries[0]!.end.reason).toBe('caller-hangup');
    const silent = streamRig({ settings: { noInputMs: 600_000 } });
    await silent.open();
    await silent.run(31_000);
    expect(silent.summaries[0]!.end.reason).toBe('media-timeout');
    expect(silent.socket.frames.at(-1)).toMatchObject({ type: 'ended', reason: 'media-timeout' });
  });

  it('is told of the end of the gateway, in a call and before one', async () => {
    const called = streamRig();
    await called.open();
    void called.registry.drain(0, called.shutdown);
    await called.run(100);
    expect(called.socket.closed).toEqual({ code: 1012, reason: 'shutdown' });
    const waiting = streamRig();
    waiting.connection.admit(AGENT);
    waiting.connection.close();
    expect(waiting.socket.closed?.code).toBe(1012);
  });

  it('waits ten seconds for a start, and for a token to be judged', async () => {
    const rig = streamRig();
    rig.connection.admit(AGENT);
    await rig.run(11_500);
    expect(rig.socket.closed?.code).toBe(4408);
    const unjudged = streamRig();
    await unjudged.run(11_500);
    expect(unjudged.socket.closed?.code).toBe(4503);
  });

  it('stops reading a sender that is faster than speech, and goes on when that was heard', async () => {
    const rig = streamRig();
    await rig.open();
    const second = Buffer.alloc(16_000);
    for (let n = 0; n < 3 && !rig.socket.isPaused; n += 1) rig.connection.receive(second, true);
    expect(rig.socket.isPaused).toBe(true);
    await rig.run(2500);
    expect(rig.socket.isPaused).toBe(false);
  });

  it('keeps no audio for a reader that is too slow, and gives it up', async () => {
    const rig = streamRig({ settings: { noInputMs: 600_000 } });
    await rig.open();
    rig.socket.bufferedAmount = 40_000;
    const before = rig.socket.audioFrames;
    await rig.speak(5_000);
    expect(rig.socket.audioFrames).toBe(before);
    await rig.speak(7_000);
    expect(rig.socket.terminated).toBe(true);
    expect(rig.summaries[0]!.end).toMatchObject({ party: 'network', reason: 'media-timeout' });
  });

  it('asks whether anybody is there', async () => {
    const rig = streamRig({ settings: { noInputMs: 600_000 } });
    await rig.open();
    await rig.speak(45_000);
    expect(rig.socket.pings).toBe(2);
    rig.connection.answeredPing();
    await rig.speak(60_000);
    expect(rig.socket.terminated).toBe(true);
  });

  it('cannot be transferred by REFER, and says so', async () => {
    const rig = streamRig({
      answer: () => [{ type: 'action', action: { type: 'transfer', target: 'sip:desk@host' } }],
    });
    await rig.open();
    await rig.speak(1500);
    rig.send({ type: 'dtmf', digits: '1' });
    await rig.speak(3000);
    expect(rig.log.lines.some((line) => line['msg'] === 'transfer' && line['ok'] === false)).toBe(true);
  });
});
