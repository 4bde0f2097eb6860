import { describe, expect, it } from 'vitest';
import { type DialogEvent, type DialogState, nextDialogState } from '../../../src/sip-server/dialog/dialog-state.ts';

const STATES: readonly DialogState[] = ['early', 'confirmed', 'ending', 'terminated'];
const EVENTS: readonly DialogEvent[] = ['confirm', 'refuse', 'localBye', 'byeAnswered', 'remoteBye', 'lost'];
const EXPECTED: Readonly<Record<string, DialogState>> = {
  'early confirm': 'confirmed',
  'early refuse': 'terminated',
  'early localBye': 'ending',
  'early remoteBye': 'terminated',
  'early lost': 'terminated',
  'confirmed localBye': 'ending',
  'confirmed remoteBye': 'terminated',
  'confirmed lost': 'terminated',
  'ending localBye': 'ending',
  'ending byeAnswered': 'terminated',
  'ending remoteBye': 'terminated',
  'ending lost': 'terminated',
};

describe('dialog', () => {
  it.each(STATES.flatMap((state) => EVENTS.map((event) => ({ state, event }))))(
    '$state, $event',
    ({ state, event }) => {
      expect(nextDialogState(state, event)).toBe(EXPECTED[`${state} ${event}`]);
    },
  );
});
