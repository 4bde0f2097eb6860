import { describe, expect, it } from 'vitest';
import { type Dialog, ladderOf } from '../../../src/console/pages/call/ladder.ts';

type Message = Dialog['messages'][number];
const at = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();
const message = (ms: number, direction: 'in' | 'out', line: string, more: Partial<Message> = {}): Message => ({
  ...{ at: at(ms), direction, line, peer: 'udp/192.0.2.7:5060', text: 'CSeq: 1 INVITE\r\n' },
  ...more,
});
const dialog = (direction: 'inbound' | 'outbound', messages: Message[]): Dialog => ({
  ...{ sip_call_id: 'x', direction, started_at: at(0), messages },
});

describe('the ladder', () => {
  it('has callers before the gateway, whom it called after it', () => {
    const { columns, rungs } = ladderOf([
      dialog('inbound', [message(0, 'in', 'INVITE sip:1000@example SIP/2.0'), message(5, 'out', 'SIP/2.0 200 OK')]),
      dialog('outbound', [message(9_000, 'out', 'INVITE sip:1900@example SIP/2.0', { peer: 'tls/198.51.100.9:5061' })]),
    ]);
    expect(columns).toEqual([
      { name: '192.0.2.7:5060', isGateway: false },
      { name: '', isGateway: true },
      { name: '198.51.100.9:5061', isGateway: false },
    ]);
    expect(rungs.map(({ from, to, ms, label, grade }) => [from, to, ms, label, grade])).toEqual([
      [0, 1, 0, 'INVITE', 'request'],
      [1, 0, 5, '200 OK', 'good'],
      [1, 2, 9_000, 'INVITE', 'request'],
    ]);
  });

  it('has the messages of all dialogs in the order of their times', () => {
    const { rungs } = ladderOf([
      dialog('inbound', [message(0, 'in', 'INVITE x SIP/2.0'), message(3_000, 'in', 'BYE x SIP/2.0')]),
      dialog('outbound', [message(1_000, 'out', 'INVITE y SIP/2.0')]),
    ]);
    expect(rungs.map(({ label }) => label)).toEqual(['INVITE', 'INVITE', 'BYE']);
    expect(new Set(rungs.map(({ key }) => key)).size).toBe(3);
  });

  it.each([
    ['SIP/2.0 100 Trying', '100 Trying', 'provisional'],
    ['SIP/2.0 183 Session Progress', '183 Session Progress', 'provisional'],
    ['SIP/2.0 202 Accepted', '202 Accepted', 'good'],
    ['SIP/2.0 302 Moved Temporarily', '302 Moved Temporarily', 'bad'],
    ['SIP/2.0 486 ', '486', 'bad'],
    ['OPTIONS sip:x SIP/2.0', 'OPTIONS', 'request'],
    ['', '', 'request'],
  ] as const)('reads "%s" as %s, %s', (line, label, grade) => {
    const [rung] = ladderOf([dialog('inbound', [message(0, 'in', line)])]).rungs;
    expect(rung).toMatchObject({ label, grade });
  });

  it('says what an answer is for, whether it has a body of SDP, whether it is sent again, and what is missing', () => {
    const text = 'Via: x\r\nCSeq: 7 UPDATE\r\n\r\nv=0\r\no=- 1 1 IN IP4 192.0.2.7\r\n';
    const [rung, again] = ladderOf([
      dialog('inbound', [
        message(0, 'in', 'SIP/2.0 200 OK', { text, skipped: 3 }),
        message(1, 'in', 'SIP/2.0 200 OK', { text: '', again: true }),
      ]),
    ]).rungs;
    expect(rung).toMatchObject({ of: 'UPDATE', hasSdp: true, skipped: 3, isAgain: false });
    expect(again).toMatchObject({ of: '', hasSdp: false, isAgain: true, skipped: 0 });
  });

  it('may be empty, and its peers unknown', () => {
    expect(ladderOf([])).toEqual({ columns: [{ name: '', isGateway: true }], rungs: [] });
    const { columns } = ladderOf([dialog('outbound', [message(0, 'out', 'INVITE x SIP/2.0', { peer: '' })])]);
    expect(columns[1]).toEqual({ name: '', isGateway: false });
  });
});
