import { describe, expect, it } from 'vitest';
import {
  STREAM_TRANSITIONS,
  type StreamEvent,
  type StreamState,
  streamTransition,
} from '../../src/streams/stream-state.ts';

const STATES = Object.keys(STREAM_TRANSITIONS) as StreamState[];

/** Every state with every event; what is left out is ignored. */
const EXPECTED: Readonly<Record<StreamState, Partial<Record<StreamEvent, string>>>> = {
  admitting: { admitted: 'starting welcome', fault: 'closed refuse', gone: 'closed lose' },
  starting: {
    ...{ start: 'offered offer', audio: 'closed refuse-audio', stop: 'closed leave' },
    ...{ fault: 'closed refuse', gone: 'closed lose' },
  },
  offered: {
    ...{ answered: 'live open', audio: 'offered hear', keys: 'offered press', start: 'closed refuse-start' },
    ...{ stop: 'closed end', hangup: 'closed tell-end', fault: 'closed fail', gone: 'closed lose' },
  },
  live: {
    ...{ audio: 'live hear', keys: 'live press', mark: 'live mark', pause: 'live hold', resume: 'live go-on' },
    ...{ start: 'closed refuse-start', stop: 'closed end', hangup: 'closed tell-end' },
    ...{ fault: 'closed fail', gone: 'closed lose' },
  },
  closed: {},
};
const EVENTS: readonly StreamEvent[] = [
  ...(['admitted', 'start', 'audio', 'keys', 'mark', 'pause', 'resume'] as const),
  ...(['stop', 'answered', 'hangup', 'fault', 'gone'] as const),
];

describe('streamTransition', () => {
  it.each(STATES.flatMap((state) => EVENTS.map((event) => ({ state, event }))))(
    '$state, $event',
    ({ state, event }) => {
      const transition = streamTransition(state, event);
      expect(transition && `${transition.to} ${transition.does}`).toBe(EXPECTED[state][event]);
    },
  );
});
