import { describe, expect, it } from 'vitest';
import { TALK_MESSAGES, TALK_OPERATIONS } from '../../src/api/asyncapi-talk.ts';
import { shareOf } from '../../src/console/audio/levels.ts';
import { MICROPHONE_PROBLEMS, problemBefore, problemOf } from '../../src/console/audio/microphone-problem.ts';
import { readTalkFrame, type TalkFrame } from '../../src/console/audio/talk-frames.ts';
import { medianEarMs, NO_TALK, type TalkEvent, type TalkState, talkAfter } from '../../src/console/audio/talk-state.ts';

const frame = (one: TalkFrame): TalkEvent => ({ type: 'frame', frame: one });
const opened = frame({ type: 'opened', call_id: 'call_1', sample_rate: 8_000 });
const heard = (text: string, final = false): TalkEvent => frame({ type: 'transcript', text, final });
const says = (text: string): TalkEvent => frame({ type: 'sentence', text });
const turn = (role: 'caller' | 'agent', text: string, latency?: number): TalkEvent =>
  frame({
    type: 'turn',
    role,
    text,
    started_ms: 0,
    heard_ms: 1,
    ...(latency !== undefined && { latency_ms: latency }),
  });
const talk = (...events: readonly TalkEvent[]): TalkState =>
  [{ type: 'start' } as const, { type: 'connect' } as const, ...events].reduce(talkAfter, NO_TALK);
const lines = ({ lines: all }: TalkState) => all.map(({ role, text, interim }) => `${role}: ${text}|${interim}`);

describe('a talk', () => {
  it('shows words as they come, settles them, and takes the turn as it goes on record', () => {
    const before = talk(opened, says('Hello.'), turn('agent', 'Hello.'), heard('where'), heard('where is my'));
    expect(lines(before)).toEqual(['agent: Hello.|', 'caller: |where is my']);
    const after = [
      heard('where is my order', true),
      heard('please'),
      turn('caller', 'where is my order please'),
    ].reduce(talkAfter, before);
    expect(lines(after)).toEqual(['agent: Hello.|', 'caller: where is my order please|']);
    expect(after.lines.every(({ isOver }) => isOver)).toBe(true);
  });

  it('keeps of an interrupted sentence what was heard, and says that it was cut', () => {
    const { lines: all } = talk(
      ...[opened, says('Your order is on its way.'), says('It arrives tomorrow.'), heard('wait')],
      ...[frame({ type: 'clear' }), turn('agent', 'Your order is', 400), heard('wait', true)],
    );
    expect(all).toMatchObject([
      { role: 'agent', text: 'Your order is', isCut: true, isOver: true, gatewayMs: 400 },
      { role: 'caller', text: 'wait', isOver: false },
    ]);
  });

  it('puts what was waited at the ear beside the figure of the gateway, of answers alone', () => {
    const state = talk(
      ...[
        opened,
        says('Hello.'),
        turn('agent', 'Hello.'),
        heard('hi', true),
        { type: 'answerHeard', earMs: 640 } as const,
      ],
      ...[says('One.'), turn('agent', 'One.', 420), says('Still there?'), turn('agent', 'Still there?')],
    );
    expect(state.lines.map(({ text, earMs, gatewayMs }) => [text, earMs, gatewayMs])).toEqual([
      ['Hello.', undefined, undefined],
      ['hi', undefined, undefined],
      ['One.', 640, 420],
      ['Still there?', undefined, undefined],
    ]);
    expect(medianEarMs(state.lines)).toBe(640);
    const reminded = talk(opened, { type: 'answerHeard', earMs: 640 }, turn('agent', 'Still there?'));
    expect(reminded.lines[0]!.earMs).toBeUndefined();
    expect(medianEarMs([])).toBeUndefined();
  });

  it.each<{ name: string; events: readonly TalkEvent[]; phase: string; code?: string }>([
    {
      name: 'a microphone that was refused',
      events: [{ type: 'problem', problem: { code: 'microphone.refused', message: '' } }],
      phase: 'failed',
      code: 'microphone.refused',
    },
    {
      name: 'a refusal of the gateway',
      events: [frame({ type: 'error', error: { code: 'unavailable', message: '' } })],
      phase: 'failed',
      code: 'unavailable',
    },
    { name: 'a connection that breaks', events: [opened, { type: 'closed' }], phase: 'failed', code: 'lost' },
    { name: 'somebody who hangs up before', events: [{ type: 'cancelled' }], phase: 'idle' },
    {
      name: 'an end',
      events: [
        opened,
        frame({ type: 'ended', party: 'agent', reason: 'agent-hangup', seconds: 3 }),
        { type: 'closed' },
      ],
      phase: 'ended',
    },
  ])('ends with $name, and nothing comes after', ({ events, phase, code }) => {
    const state = talk(...events);
    expect(state.phase).toBe(phase);
    expect(state.problem?.code).toBe(code);
    expect(talkAfter(state, says('late'))).toBe(state);
  });

  it('is bounded', () => {
    const many = Array.from({ length: 900 }, (_none, i) => turn(i % 2 ? 'agent' : 'caller', `${i}`));
    const { lines: all } = talk(opened, ...many);
    expect(all).toHaveLength(400);
    expect(all.at(-1)!.text).toBe('899');
    expect(new Set(all.map(({ id }) => id)).size).toBe(400);
  });
});

describe('frames of the talk socket', () => {
  it('are read as the reference has them, each', () => {
    const sent = TALK_OPERATIONS.receiveTalk.messages.map(({ $ref }) => TALK_MESSAGES[$ref.split('/').at(-1)!]!);
    const examples = sent.flatMap((message) => JSON.parse(JSON.stringify(message)).examples ?? []) as {
      payload?: unknown;
    }[];
    const frames = examples.map(({ payload }) => payload).filter((payload) => typeof payload === 'object');
    expect(frames.length).toBeGreaterThanOrEqual(10);
    for (const one of frames) expect(readTalkFrame(JSON.stringify(one))).toEqual(one);
  });

  it.each(['', 'null', '[]', '7', '{"type":7}', '{"type":"of a newer gateway"}', '{'])('%j is none', (text) => {
    expect(readTalkFrame(text)).toBeUndefined();
  });
});

describe('a microphone', () => {
  const page = { isSecure: true, hasDevices: true, hasWorklet: true };
  it.each([
    [{ ...page, isSecure: false, hasDevices: false }, 'insecure'],
    [{ ...page, hasWorklet: false }, 'unsupported'],
    [page, undefined],
  ])('of a page like %j is %s', (of, problem) => expect(problemBefore(of)).toBe(problem));

  it('is missing for a reason that people know', () => {
    expect(['NotAllowedError', 'NotFoundError', 'NotReadableError', 'Whatever'].map(problemOf)).toEqual([
      ...['refused', 'missing', 'busy', 'failed'],
    ]);
    expect(MICROPHONE_PROBLEMS).toContain('insecure');
  });

  it('has a meter that ears agree with', () => {
    expect([shareOf(0), shareOf(1), Number(shareOf(0.03).toFixed(1))]).toEqual([0, 1, 0.5]);
  });
});
