import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/core/metrics.ts';
import type { TracedMessage } from '../../src/core/sip-ladder.ts';
import { countMessages } from '../../src/sip/message-counts.ts';

async function counted(text: string): Promise<{ told: readonly string[]; handedOn: number }> {
  const metrics = createMetrics();
  const handedOn: TracedMessage[] = [];
  const trace = countMessages(metrics, (message) => handedOn.push(message));
  trace({ direction: 'in', peer: '', bytes: Buffer.from(text) });
  const all = await metrics.registry.metrics();
  return { told: all.split('\n').filter((line) => /^nidaa_sip_re\w+\{/.test(line)), handedOn: handedOn.length };
}

describe('a SIP message is counted by what it is, and handed on', () => {
  it.each([
    ['INVITE sip:1 SIP/2.0\r\nCSeq: 1 INVITE\r\n\r\n', 'nidaa_sip_requests_total{direction="in",method="INVITE"} 1'],
    ['HACK sip:1 SIP/2.0\r\nCSeq: 1 HACK\r\n\r\n', 'nidaa_sip_requests_total{direction="in",method="OTHER"} 1'],
    ['\u0000\u0001', 'nidaa_sip_requests_total{direction="in",method="OTHER"} 1'],
    ['', 'nidaa_sip_requests_total{direction="in",method="OTHER"} 1'],
    [
      'SIP/2.0 404 Not Found\r\nCSeq: 7 BYE\r\n\r\n',
      'nidaa_sip_responses_total{direction="in",method="BYE",class="4xx"} 1',
    ],
    [
      'SIP/2.0 183 x\r\ncseq : 7   INVITE\r\n\r\n',
      'nidaa_sip_responses_total{direction="in",method="INVITE",class="1xx"} 1',
    ],
    ['SIP/2.0 999\r\n\r\n', 'nidaa_sip_responses_total{direction="in",method="OTHER",class="other"} 1'],
    ['SIP/2.0 ', 'nidaa_sip_responses_total{direction="in",method="OTHER",class="other"} 1'],
  ])('%j', async (text, row) => {
    expect(await counted(text)).toEqual({ told: [row], handedOn: 1 });
  });
});
