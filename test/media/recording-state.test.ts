import { expect, it } from 'vitest';
import { FAULT_TOLD_MS, RecordingState } from '../../src/media/recording/recording-state.ts';
import { FakeClock } from '../support/fake-clock.ts';

it('a recording that failed is told for a minute after the last one', () => {
  const clock = new FakeClock();
  const state = new RecordingState(clock);
  expect(state.now).toEqual({ ok: true });
  state.failed('ENOSPC: no space left on device');
  clock.advance(FAULT_TOLD_MS - 1);
  expect(state.now).toEqual({ ok: false, why: 'calls are not recorded: ENOSPC: no space left on device' });
  state.failed('EROFS: read-only file system');
  clock.advance(FAULT_TOLD_MS - 1);
  expect(state.now).toMatchObject({ ok: false, why: expect.stringContaining('EROFS') });
  clock.advance(1);
  expect(state.now).toEqual({ ok: true });
});
