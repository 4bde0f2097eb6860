import { describe, expect, it } from 'vitest';
import { CALL_TRANSITIONS, type CallEvent, type CallState, nextCallState } from '../../src/call/call-state.ts';
import {
  FLOOR_TRANSITIONS,
  Floor,
  type FloorEvent,
  type FloorState,
  hears,
  nextFloorState,
  onHold,
} from '../../src/call/floor.ts';

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

describe('floor', () => {
  const events: FloorEvent[] = [
    ...(['speechStart', 'speechEnd', 'discard', 'input', 'audio', 'interrupt', 'done', 'prompt'] as const),
    ...(['hold', 'resume', 'transfer', 'transferFailed', 'close', 'finish'] as const),
  ];
  it('belongs to one party at a time, and to nobody who left', () => {
    expect(walk(Object.keys(FLOOR_TRANSITIONS) as FloorState[], events, nextFloorState)).toEqual([
      // speechStart speechEnd discard input audio interrupt done prompt | hold resume transfer transferFailed close finish
      'listening: - endpointing - thinking - - - speaking held - - - closing finished',
      'endpointing: listening - listening thinking - - - speaking held - - - closing finished',
      'thinking: - - - thinking speaking listening listening speaking held - transferring - closing finished',
      'speaking: - - - thinking - listening listening speaking held - transferring - closing finished',
      'held: - - - - - - - held - listening - - closing finished',
      'transferring: - - - - - - - - transferringHeld - - speaking closing finished',
      'transferringHeld: - - - - - - - - - transferring - held closing finished',
      'closing: - - - - - - - - closing - - - closing finished',
      'finished: - - - - - - - - - - - - - finished',
    ]);
  });

  it('listens to the caller in four states and in no other', () => {
    expect((Object.keys(FLOOR_TRANSITIONS) as FloorState[]).filter(hears)).toEqual([
      ...['listening', 'endpointing', 'thinking', 'speaking'],
    ]);
    expect((Object.keys(FLOOR_TRANSITIONS) as FloorState[]).filter(onHold)).toEqual(['held', 'transferringHeld']);
  });

  it('says when listening begins and ceases, once each', () => {
    const heard: boolean[] = [];
    const floor = new Floor((listened) => heard.push(listened));
    for (const event of ['prompt', 'hold', 'prompt', 'resume', 'input', 'transfer', 'hold'] as const) floor.go(event);
    expect(floor.state).toBe('transferringHeld');
    expect(heard).toEqual([false, true, false]);
    expect(floor.go('speechStart')).toBe(false);
    expect([floor.go('finish'), floor.state, heard.length]).toEqual([true, 'finished', 3]);
  });
});
