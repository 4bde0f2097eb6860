import { describe, expect, it } from 'vitest';
import { CALL_TRANSITIONS, type CallEvent, type CallState, nextCallState } from '../../src/call/call-state.ts';
import { nextTurnState, TURN_TRANSITIONS, type TurnEvent, type TurnState } from '../../src/call/turn-state.ts';

/** Every state with every event, written out: '-' is nowhere to go. A change of the machine must change this table. */
function walk<S extends string, E extends string>(
  states: readonly S[],
  events: readonly E[],
  next: (state: S, event: E) => S | undefined,
): string[] {
  return states.map((state) => `${state}: ${events.map((event) => next(state, event) ?? '-').join(' ')}`);
}

describe('call machine', () => {
  const events: CallEvent[] = [
    'answer',
    'cancel',
    'reject',
    'ack',
    'ackTimeout',
    'bye',
    'hold',
    'resume',
    'hangup',
    'released',
  ];
  it('goes where RFC 3261 lets it, and nowhere else', () => {
    expect(walk(Object.keys(CALL_TRANSITIONS) as CallState[], events, nextCallState)).toEqual([
      //         answer    cancel reject ack    ackTimeout bye  hold resume hangup released
      'offered: answering ended ended - - - - - - -',
      'answering: - - - active ended ended - - ending -',
      'active: - - - - - ended held - ending -',
      'held: - - - - - ended - active ending -',
      'ending: - - - - - ended - - - ended',
      'ended: - - - - - - - - - -',
    ]);
  });
});

describe('turn machine', () => {
  const events: TurnEvent[] = [
    ...(['speechStart', 'speechEnd', 'complete', 'discard', 'input', 'audio', 'nothing', 'interrupt', 'done'] as const),
    ...(['prompt', 'finish'] as const),
  ];
  it('gives the floor to one party at a time', () => {
    expect(walk(Object.keys(TURN_TRANSITIONS) as TurnState[], events, nextTurnState)).toEqual([
      //  speechStart speechEnd complete discard input audio nothing interrupt done prompt finish
      'listening: - endpointing - - thinking - - - - speaking finished',
      'endpointing: listening - thinking listening thinking - - - - speaking finished',
      'thinking: - - - - thinking speaking listening listening - speaking finished',
      'speaking: - - - - thinking - - listening listening speaking finished',
      'finished: - - - - - - - - - - finished',
    ]);
  });
});
