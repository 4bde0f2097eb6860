import { describe, expect, it } from 'vitest';
import {
  isSettled,
  isTelling,
  nextTransferState,
  TRANSFER_TRANSITIONS,
  type TransferEvent,
  type TransferState,
} from '../../src/call/transfer-state.ts';

const EVENTS: readonly TransferEvent[] = [
  ...(['refer', 'referred', 'dial', 'answered', 'said', 'accepted', 'hand', 'kept', 'joined'] as const),
  ...(['personLeft', 'unmet', 'back', 'over'] as const),
];
/** Rows: state, then what each of EVENTS leads to; `-` where it means nothing. */
const TABLE = `
begun      referring - ringing - - - - - - - unmet - over
referring  - gone ringing - - - - - - - unmet - over
ringing    - - - whispering - - - - - - unmet unmet over
whispering - - - - deciding joining - - - - unmet unmet over
deciding   - - - - - joining - - - - unmet unmet over
joining    - - - - - - handing - joined - unmet - over
handing    - gone - - - - - joining - replaced - - over
replaced   - gone - - - - - unmet - - - - over
joined     - - - - - - - - - left - - over
gone       - - - - - - - - - - - - -
unmet      - - - - - - - - - - - - -
left       - - - - - - - - - - - - -
over       - - - - - - - - - - - - -`;

describe('an attempt to reach a person', () => {
  const rows = TABLE.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));

  it('has the states that the table has', () => {
    expect(rows.map(([state]) => state)).toEqual(Object.keys(TRANSFER_TRANSITIONS));
  });

  it.each(rows)('%s: every event', (state, ...nexts) => {
    const found = EVENTS.map((event) => nextTransferState(state as TransferState, event) ?? '-');
    expect(found).toEqual(nexts);
  });

  it('is settled where nothing follows, and before that the end of the call always does', () => {
    for (const state of Object.keys(TRANSFER_TRANSITIONS) as TransferState[]) {
      expect(isSettled(state), state).toBe(nextTransferState(state, 'over') === undefined);
    }
  });

  it('is told to the person alone in two states', () => {
    const telling = (Object.keys(TRANSFER_TRANSITIONS) as TransferState[]).filter(isTelling);
    expect(telling).toEqual(['whispering', 'deciding']);
  });
});
