import { expect, it } from 'vitest';
import { header, type SipResponse } from '../../../src/sip-server/message/sip-message.ts';
import { repairedResponse } from '../../../src/sip-server/transaction/repair-response.ts';

it.each([
  { name: 'one tag', to: '<sip:a@b>;tag=x', want: '<sip:a@b>;tag=x' },
  { name: 'the same tag twice', to: '<sip:a@b>;tag=x;tag=x', want: '<sip:a@b>;tag=x' },
  { name: 'two tags: the first is ours', to: '<sip:a@b>;tag=x;tag=y', want: '<sip:a@b>;tag=x' },
  { name: 'three tags stay wrong', to: '<sip:a@b>;tag=x;tag=y;tag=z', want: '<sip:a@b>;tag=x;tag=y;tag=z' },
  { name: 'another fault stays', to: '<sip:a@b;tag=x;tag=y', want: '<sip:a@b;tag=x;tag=y' },
  { name: 'no tag at all', to: '<<>>', want: '<<>>' },
])('To with $name', ({ to, want }) => {
  const response: SipResponse = {
    kind: 'response',
    status: 200,
    reason: 'OK',
    headers: [{ name: 'To', value: to }],
    body: Buffer.alloc(0),
  };
  expect(header(repairedResponse(response), 'To')).toBe(want);
});
