import { describe, expect, it } from 'vitest';
import {
  SOCKET_TRANSITIONS,
  type SocketEvent,
  type SocketState,
  socketTransition,
} from '../../../src/api/transcribe-socket/socket-state.ts';

const EVENTS: readonly SocketEvent[] = ['admitted', 'start', 'audio', 'stop', 'fault', 'expire', 'drained', 'gone'];
const STATES = Object.keys(SOCKET_TRANSITIONS) as SocketState[];

/** Every state with every event; `-` is ignored. */
const EXPECTED: Readonly<Record<SocketState, readonly string[]>> = {
  //                 admitted              start                audio                 stop               fault          expire          drained          gone
  authenticating: ['awaiting-start greet', '-', '-', '-', 'closed fail', 'closed fail', '-', 'closed release'],
  'awaiting-start': [
    '-',
    'open open',
    'closed refuse-audio',
    'closed finish',
    'closed fail',
    'closed fail',
    '-',
    'closed release',
  ],
  open: [
    '-',
    'closed refuse-start',
    'open hear',
    'complete settle',
    'closed fail',
    'complete cut',
    '-',
    'closed release',
  ],
  complete: ['-', '-', '-', '-', 'closed fail', 'complete cut', 'closed finish', 'closed release'],
  closed: ['-', '-', '-', '-', '-', '-', '-', '-'],
};

describe('socketTransition', () => {
  it.each(STATES.flatMap((state) => EVENTS.map((event, i) => ({ state, event, expected: EXPECTED[state][i] }))))(
    '$state with $event: $expected',
    ({ state, event, expected }) => {
      const transition = socketTransition(state, event);
      expect(transition ? `${transition.to} ${transition.does}` : '-').toBe(expected);
    },
  );

  it('reaches the end from everywhere by a fault and by a lost connection', () => {
    for (const state of STATES.filter((one) => one !== 'closed')) {
      expect(socketTransition(state, 'fault')?.to).toBe('closed');
      expect(socketTransition(state, 'gone')?.to).toBe('closed');
    }
  });
});
