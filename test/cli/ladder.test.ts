import { expect, it } from 'vitest';
import type { CommandContext } from '../../src/cli/context.ts';
import { showLadder } from '../../src/cli/ladder.ts';
import type { LadderStep } from '../../src/core/sip-ladder.ts';
import { MemoryOutput } from '../support/memory-output.ts';

const at = (ms: number): string => new Date(Date.UTC(2026, 0, 1, 9, 30) + ms).toISOString();
const peer = 'udp/192.0.2.7:5060';
const STEPS: readonly LadderStep[] = [
  {
    at: at(1),
    direction: 'in',
    peer,
    line: 'INVITE sip:1000@b SIP/2.0',
    text: 'CSeq: 1 INVITE\n\nv=0\nm=audio 4000 RTP/AVP 0',
  },
  {
    at: at(2),
    direction: 'out',
    peer,
    line: 'SIP/2.0 200 OK',
    text: 'CSeq: 1 INVITE\n\nm=audio 5000 RTP/AVP 0\na=recvonly',
  },
  { at: at(502), direction: 'out', peer, line: 'SIP/2.0 200 OK', text: '', again: true },
  { at: at(600), direction: 'in', peer: '', line: 'ACK sip:b SIP/2.0', text: 'CSeq: 1 ACK', skipped: 3 },
];

async function shown(options: { full?: boolean; json?: boolean } = {}, found = true): Promise<string> {
  const out = new MemoryOutput(options.json);
  const ladder = {
    ...{ call_id: 'call_1', sip_call_id: 'a@b', started_at: at(0), direction: 'inbound', answered: true },
    messages: STEPS,
  };
  const context = {
    out,
    withDesk: (work: (desk: object) => unknown) => work({ calls: { ladders: async () => (found ? [ladder] : []) } }),
  } as unknown as CommandContext;
  await showLadder(context, 'call_1', options);
  return out.text;
}

it('shows who sent what when', async () => {
  expect(await shown()).toBe(
    [
      'call         call_1',
      'SIP Call-ID  a@b',
      '',
      'time (UTC)    caller    nidaa  message',
      '              udp/192.0.2.7:5060',
      '09:30:00.001  |------------>|  INVITE sip:1000@b  SDP',
      '09:30:00.002  |<------------|  200 OK (INVITE)  SDP recvonly',
      '09:30:00.502  |<------------|  200 OK  again',
      '              ... 3 more ...',
      '09:30:00.600  |------------>|  ACK sip:b',
      '',
    ].join('\n'),
  );
});

it('shows what is kept of each where that is asked for', async () => {
  expect(await shown({ full: true })).toContain('INVITE sip:1000@b  SDP\n              CSeq: 1 INVITE\n');
});

it('is one value for programs', async () => {
  expect(JSON.parse(await shown({ json: true }))).toMatchObject([
    { call_id: 'call_1', sip_call_id: 'a@b', direction: 'inbound', answered: true, messages: STEPS },
  ]);
});

it('says when there is none', async () => {
  await expect(shown({}, false)).rejects.toThrow('No SIP messages of a call call_1');
});
