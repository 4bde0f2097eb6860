import { describe, expect, it } from 'vitest';
import type { TurnRecord } from '../../src/billing/contract.ts';
import type { AgentTurn } from '../../src/call/agent-turn.ts';
import { AgentVoice } from '../../src/call/agent-voice.ts';
import type { CallerTurnRecord } from '../../src/call/caller-turn.ts';
import type { Synthesize } from '../../src/call/speech-output.ts';
import { TurnLog } from '../../src/call/turn-log.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { ReplyEngine, ReplyEvent, ReplyRequest } from '../../src/engines/reply/contract.ts';
import { AGENT, SETTINGS } from '../support/conversation-rig.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { FakeMediaPort } from '../support/fake-media-port.ts';
import { settle } from '../support/reception-rig.ts';

const { replyTimeoutMs, synthesisTimeoutMs } = SETTINGS;
const CALLER: CallerTurnRecord = { text: 'hello', startMs: 0, endMs: 100, spoken: true, endpointMs: 600, finalMs: 400 };
const REQUEST: ReplyRequest = {
  ...{ agent: AGENT, text: 'hello', input: 'speech', mode: 'voice', confidence: 1, history: [], variables: {} },
};
const text = (words: string): ReplyEvent => ({ type: 'text', text: words, language: 'en' });
/** 100 ms of audio a word. */
const spoken: Synthesize = async function* (words) {
  for (const _ of words.split(' ')) yield new Int16Array(800).fill(1);
};
const never = new Promise<never>(() => {});

function rig(reply: (signal: AbortSignal, clock: FakeClock) => AsyncIterable<ReplyEvent>, synthesize = spoken) {
  const clock = new FakeClock();
  clock.advance(CALLER.endpointMs);
  const told: string[] = [];
  const turns: TurnRecord[] = [];
  const log = new TurnLog((turn) => turns.push(turn), createMetrics(), 0, 'sada-1');
  let signal: AbortSignal | undefined;
  const engine: Pick<ReplyEngine, 'reply'> = {
    reply: (_request, given) => {
      signal = given;
      return reply(given, clock);
    },
  };
  const voice = new AgentVoice(
    {
      ...{ port: new FakeMediaPort(clock), synthesize, clock, log, settings: SETTINGS },
      reply: engine as ReplyEngine,
    },
    {
      audio: () => told.push('audio'),
      decided: ({ action }: AgentTurn) => told.push(`decided ${action?.type}`),
      done: () => told.push('done'),
      failed: (error) => told.push(`failed ${(error as Error).message}`),
    },
  );
  const run = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 20) {
      await clock.advanceAsync(20, 20);
      voice.tick(clock.nowMs());
    }
  };
  return { clock, voice, told, turns, run, aborted: () => signal?.aborted };
}

const hanging = (): AsyncIterable<never> => ({ [Symbol.asyncIterator]: () => ({ next: () => never }) });

describe('what the agent says', () => {
  it('is recorded with every station of the answer, the first text and not the last', async () => {
    const s = rig(async function* (_signal, clock) {
      clock.advance(50);
      yield text('One.');
      clock.advance(30);
      yield text('Two.');
    });
    s.voice.ask(REQUEST, CALLER);
    await settle();
    await s.run(1000);
    expect(s.told).toEqual(['audio', 'done']);
    expect(s.turns.map(({ role }) => role)).toEqual(['caller', 'agent']);
    expect(s.turns[1]!.timings).toMatchObject({
      ...{ speechEndMs: CALLER.endMs, endpointMs: CALLER.endpointMs, finalTranscriptMs: CALLER.finalMs },
      firstTextMs: CALLER.endpointMs + 50,
    });
  });

  it('in answer may take as long as reply and synthesis together, and its own words as long as synthesis', async () => {
    const answer = rig(hanging);
    answer.voice.ask(REQUEST, CALLER);
    await answer.run(replyTimeoutMs + synthesisTimeoutMs);
    expect(answer.told).toEqual([]);
    await answer.run(20);
    expect(answer.told).toEqual(['failed no answer in time']);
    const own = rig(hanging, hanging as unknown as Synthesize);
    own.voice.say('Hello.', 'en');
    await own.run(synthesisTimeoutMs);
    expect(own.told).toEqual([]);
    await own.run(20);
    expect(own.told).toEqual(['failed no answer in time']);
  });

  it('and is cut: nobody goes on making it, and what fails because of that is no failure', async () => {
    const s = rig(async function* (signal) {
      yield text('One two three four.');
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    });
    s.voice.ask(REQUEST, CALLER);
    await s.run(200);
    expect([s.voice.stop(), s.voice.turn, s.aborted()]).toEqual(['two three four.', undefined, true]);
    const { length } = s.turns;
    await s.run(9000);
    expect([s.told, s.voice.stop(), s.turns.length]).toEqual([['audio'], '', length]);
  });

  it('and is cut twice is recorded once', async () => {
    const s = rig(async function* () {
      yield text('One. ');
      yield text('Two three four five six.');
    });
    s.voice.ask(REQUEST, CALLER);
    await s.run(300);
    const { turn } = s.voice;
    expect(turn!.stop()).toContain('six');
    const { length } = s.turns;
    expect([turn!.stop(), s.turns.length, length]).toEqual(['', length, 2]);
  });

  it('before it leaves is left off: the engine is told, and what exists is heard', async () => {
    const s = rig(async function* () {
      yield text('Goodbye.');
      yield { type: 'action', action: { type: 'hangup' } };
      await never;
    });
    s.voice.ask(REQUEST, CALLER);
    await s.run(40);
    expect([s.told, s.aborted()]).toEqual([['audio', 'decided hangup'], false]);
    s.voice.turn!.leaveOff();
    expect(s.aborted()).toBe(true);
    await s.run(500);
    expect(s.told).toEqual(['audio', 'decided hangup', 'done']);
  });
});
