import { describe, expect, it } from 'vitest';
import { type CallEnd, callEnd } from '../../src/call/call-end.ts';
import {
  CALL_TRANSITIONS,
  type CallEvent,
  type CallState,
  leavingEvent,
  nextCallState,
} from '../../src/call/call-state.ts';
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
    'answered',
    'refused',
    'bye',
    'hold',
    'resume',
    'bridge',
    'part',
    'hangup',
    'released',
  ];
  it('goes where RFC 3261 lets it, and nowhere else', () => {
    expect(walk(Object.keys(CALL_TRANSITIONS) as CallState[], events, nextCallState)).toEqual([
      // answer cancel reject ack ackTimeout | answered refused | bye hold resume bridge part hangup released
      'offered: answering ended ended - - - - - - - - - - -',
      'dialling: - - - - - active ended - - - - - ending -',
      'answering: - - - active ended - - ended - - - - ending -',
      'active: - - - - - - - ended held - bridged - ending -',
      'held: - - - - - - - ended - active bridgedHeld - ending -',
      'bridged: - - - - - - - ending bridgedHeld - - active ending -',
      'bridgedHeld: - - - - - - - ending - bridged - held ending -',
      'ending: - - - - - - - ended - - - - - ended',
      'ended: - - - - - - - - - - - - - -',
    ]);
  });

  it.each<[string, CallEnd, string]>([
    ['the caller', callEnd('caller', 'caller-hangup'), 'cancel refused bye bye bye'],
    ['the callee', callEnd('callee', 'callee-hangup'), 'cancel refused bye bye bye'],
    ['the network', callEnd('network', 'signalling-lost'), 'cancel refused bye bye bye'],
    ['who was called', callEnd('network', 'busy', '486 Busy Here'), 'reject refused hangup hangup hangup'],
    ['silence', callEnd('network', 'media-timeout'), 'reject refused hangup hangup hangup'],
    ['us', callEnd('gateway', 'shutdown'), 'reject hangup hangup hangup hangup'],
    ['the agent', callEnd('agent', 'agent-hangup'), 'reject hangup hangup hangup hangup'],
  ])('knows whose doing its end is: that of %s', (_name, end, events) => {
    const states = ['offered', 'dialling', 'active', 'held', 'bridged'] as const;
    expect(states.map((state) => leavingEvent(state, end)).join(' ')).toBe(events);
  });
});

describe('floor', () => {
  const events: FloorEvent[] = [
    ...(['speechStart', 'speechEnd', 'discard', 'excuse', 'input', 'audio', 'keep', 'interrupt', 'done'] as const),
    ...(['prompt', 'hold', 'resume', 'transfer', 'transferFailed', 'close', 'finish'] as const),
  ];
  it('belongs to one party at a time, and to nobody who left', () => {
    expect(walk(Object.keys(FLOOR_TRANSITIONS) as FloorState[], events, nextFloorState)).toEqual([
      // speechStart speechEnd discard excuse input audio keep interrupt done | prompt hold resume transfer transferFailed close finish
      'listening: - endpointing - - thinking - - - - speaking held - - - closing finished',
      'endpointing: listening - listening excusing thinking - - - - speaking held - - - closing finished',
      'excusing: - - - - thinking - - listening endpointing speaking held - - - closing finished',
      'thinking: - - - - thinking speaking - listening listening speaking held - transferring - closing finished',
      'speaking: yielding - - - thinking - - listening listening speaking held - transferring - closing finished',
      'yielding: - - - - thinking - speaking listening listening speaking held - transferring - closing finished',
      'held: - - - - - - - - - held - listening - - closing finished',
      'transferring: - - - - - - - - - - transferringHeld - - speaking closing finished',
      'transferringHeld: - - - - - - - - - - - transferring - held closing finished',
      'closing: - - - - - - - - - - closing - - - closing finished',
      'finished: - - - - - - - - - - - - - - - finished',
    ]);
  });

  it('listens to the caller in six states and in no other', () => {
    expect((Object.keys(FLOOR_TRANSITIONS) as FloorState[]).filter(hears)).toEqual([
      ...['listening', 'endpointing', 'excusing', 'thinking', 'speaking', 'yielding'],
    ]);
    expect((Object.keys(FLOOR_TRANSITIONS) as FloorState[]).filter(onHold)).toEqual(['held', 'transferringHeld']);
  });

  it('says when listening begins and ceases, once each', () => {
    const heard: boolean[] = [];
    const floor = new Floor({ hearing: (listened) => heard.push(listened), yielding: () => {}, moved: () => {} });
    for (const event of ['prompt', 'hold', 'prompt', 'resume', 'input', 'transfer', 'hold'] as const) floor.go(event);
    expect(floor.state).toBe('transferringHeld');
    expect(heard).toEqual([false, true, false]);
    expect(floor.go('speechStart')).toBe(false);
    expect([floor.go('finish'), floor.state, heard.length]).toEqual([true, 'finished', 3]);
  });

  it.each(['keep', 'interrupt', 'done', 'hold', 'transfer', 'close', 'finish'] as const)(
    'has the agent softer while it yields, and not after %s',
    (event) => {
      const softer: boolean[] = [];
      const floor = new Floor({ hearing: () => {}, yielding: (yes) => softer.push(yes), moved: () => {} });
      for (const before of ['prompt', 'speechStart', 'speechStart'] as const) floor.go(before);
      expect(softer).toEqual([true]);
      floor.go(event);
      expect(softer).toEqual([true, false]);
    },
  );
});
