import { expect, it } from 'vitest';
import { hearsTones, keySending } from '../../src/media/dtmf/key-way.ts';

it.each([
  { agreed: { dtmfPayloadType: 101 }, sends: 'event', hears: false },
  { agreed: {}, sends: 'tone', hears: true },
  { agreed: { dtmf: 'auto', dtmfPayloadType: 101 }, sends: 'event', hears: false },
  { agreed: { dtmf: 'rfc4733', dtmfPayloadType: 101 }, sends: 'event', hears: false },
  { agreed: { dtmf: 'rfc4733' }, sends: 'none', hears: false },
  { agreed: { dtmf: 'inband' }, sends: 'tone', hears: true },
  { agreed: { dtmf: 'info' }, sends: 'info', hears: false },
] as const)('$agreed: keys leave as $sends', ({ agreed, sends, hears }) => {
  expect(keySending(agreed)).toBe(sends);
  expect(hearsTones(agreed)).toBe(hears);
});
