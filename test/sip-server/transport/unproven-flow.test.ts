import { describe, expect, it } from 'vitest';
import type { Flow } from '../../../src/sip-server/transport/flow.ts';
import { UnprovenFlow } from '../../../src/sip-server/transport/unproven-flow.ts';

function flow(receivedBytes: number) {
  const sent: string[] = [];
  const state = { proven: false, withheld: 0 };
  const inner = { transport: 'udp', send: (message: Buffer) => sent.push(message.toString().slice(0, 11)) };
  const unproven = new UnprovenFlow(
    inner as unknown as Flow,
    receivedBytes,
    () => state.proven,
    () => {
      state.withheld += 1;
    },
  );
  return { sent, state, unproven };
}
const answer = (text: string): Buffer => Buffer.from(`SIP/2.0 ${text}`.padEnd(100));
const bye = Buffer.from('BYE sip:x SIP/2.0'.padEnd(50));

describe('UnprovenFlow', () => {
  it('repeats an answer up to nine times the bytes received, another request up to ten', () => {
    const { sent, state, unproven } = flow(100);
    for (let i = 0; i < 20; i += 1) unproven.send(answer('200'));
    expect(sent).toHaveLength(9);
    for (let i = 0; i < 20; i += 1) unproven.send(bye);
    expect([sent.length, state.withheld]).toEqual([11, 29]);
  });
  it('what is new goes out once however much was sent before', () => {
    const { sent, unproven } = flow(10);
    for (const text of ['100', '180', '200', '200']) unproven.send(answer(text));
    unproven.send(bye);
    unproven.send(bye);
    expect(sent.map((text) => text.trim())).toEqual(['SIP/2.0 100', 'SIP/2.0 180', 'SIP/2.0 200', 'BYE sip:x S']);
  });
  it('a copy of the request is worth as much again', () => {
    const { sent, unproven } = flow(50);
    for (let i = 0; i < 20; i += 1) unproven.send(answer('200'));
    unproven.received(50);
    for (let i = 0; i < 20; i += 1) unproven.send(answer('200'));
    expect(sent).toHaveLength(9);
  });
  it('ends with the first sign of life', () => {
    const { sent, state, unproven } = flow(50);
    expect(unproven.unproven).toBe(true);
    state.proven = true;
    for (let i = 0; i < 20; i += 1) unproven.send(answer('200'));
    expect([sent.length, unproven.unproven]).toEqual([20, false]);
  });
});
