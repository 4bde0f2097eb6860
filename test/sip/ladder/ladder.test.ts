import { describe, expect, it } from 'vitest';
import { type KeptMessage, keptMessage } from '../../../src/sip/ladder/kept-message.ts';
import { FIRST_STEPS_MAX, LAST_STEPS_MAX, Ladder } from '../../../src/sip/ladder/ladder.ts';

function sip(first: string, cseq: string, more = ''): KeptMessage {
  const kept = keptMessage(Buffer.from(`${first}\r\nCall-ID: c\r\nCSeq: ${cseq}\r\n${more}\r\n`));
  if (!kept) throw new Error('not a message');
  return kept;
}
const request = (method: string, n = 1): KeptMessage => sip(`${method} sip:a SIP/2.0`, `${n} ${method}`);
const response = (status: number, method: string, n = 1): KeptMessage => sip(`SIP/2.0 ${status} X`, `${n} ${method}`);
const ladder = (): Ladder => new Ladder('c', new Date(0), true);
const add = (into: Ladder, ...messages: KeptMessage[]): void => {
  for (const message of messages)
    into.add(message, message.status === undefined ? 'in' : 'out', 'udp/192.0.2.7:5060', new Date(5));
};

describe('Ladder', () => {
  it.each([
    { name: 'an answered call', messages: [request('INVITE'), response(200, 'INVITE')], over: false, answered: true },
    { name: 'a refused one', messages: [request('INVITE'), response(486, 'INVITE')], over: true, answered: false },
    {
      name: 'a challenged one that goes on',
      messages: [request('INVITE'), response(401, 'INVITE'), request('INVITE', 2)],
      over: false,
      answered: false,
    },
    {
      name: 'a refused change of a call that is up',
      messages: [request('INVITE'), response(200, 'INVITE'), request('INVITE', 2), response(488, 'INVITE', 2)],
      over: false,
      answered: true,
    },
    {
      name: 'a call that was hung up',
      messages: [request('INVITE'), response(200, 'INVITE'), request('BYE', 2), response(200, 'BYE', 2)],
      over: true,
      answered: true,
    },
    { name: 'one that rings', messages: [request('INVITE'), response(180, 'INVITE')], over: false, answered: false },
  ])('knows of $name whether it is over', ({ messages, over, answered }) => {
    const call = ladder();
    add(call, ...messages);
    expect([call.over, call.record().answered]).toEqual([over, answered]);
  });

  it('says of what came again that it did', () => {
    const call = ladder();
    add(call, request('INVITE'), response(200, 'INVITE'), request('INVITE'), response(200, 'INVITE'), request('ACK'));
    const steps = call
      .record()
      .steps.map(({ line, again, text }) => `${line} ${again ?? ''}${text === '' ? '' : 'text'}`);
    expect(steps).toEqual([
      'INVITE sip:a SIP/2.0 text',
      'SIP/2.0 200 X text',
      'INVITE sip:a SIP/2.0 true',
      'SIP/2.0 200 X true',
      'ACK sip:a SIP/2.0 text',
    ]);
  });

  it('keeps how a long call began and how it ended', () => {
    const call = ladder();
    for (let n = 0; n < 1_000; n += 1) add(call, request('INFO', n));
    const { steps } = call.record();
    expect(steps.length).toBe(FIRST_STEPS_MAX + LAST_STEPS_MAX);
    expect(steps[FIRST_STEPS_MAX - 1]?.text).toContain('CSeq: 149 INFO');
    expect(steps[FIRST_STEPS_MAX]).toMatchObject({ skipped: 800, text: expect.stringContaining('CSeq: 950 INFO') });
    expect(steps.filter(({ skipped }) => skipped !== undefined).length).toBe(1);
  });

  it('keeps no more than 64 KB of it', () => {
    const call = ladder();
    for (let n = 0; n < 200; n += 1) {
      add(call, sip('INFO sip:a SIP/2.0', `${n} INFO`, `${'X-A: '.padEnd(400, 'z')}\r\n`.repeat(5)));
    }
    expect(call.characters).toBeLessThanOrEqual(64 * 1024);
    expect(JSON.stringify(call.record().steps).length).toBeLessThan(80 * 1024);
    expect(call.record().steps.at(-1)?.text).toContain('CSeq: 199 INFO');
  });
});
