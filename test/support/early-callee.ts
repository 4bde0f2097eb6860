import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { freeUdpRange } from './ports.ts';
import { runScenario } from './sipp-scenario.ts';
import { tone } from './tones.ts';

/** What a callee says to an INVITE, one after the other; `sound` streams a tone, and `wait` is for a CANCEL. */
export type EarlyStep = 'sound' | 'wait' | { readonly status: number; readonly tag?: string };

export interface EarlyCallee {
  readonly port: number;
  /** Ends with 0 when everything came as it should. */
  readonly done: Promise<{ readonly code: number | null; readonly output: string }>;
  stop(): void;
}

const SECONDS = 60;
/** Time to be heard. */
const SOUND_MS = 2_000;
const reply = (status: number, tag: string, sdp: string, more = '', cseq = '[last_CSeq:]'): string => `
  <send${more}><![CDATA[
SIP/2.0 ${status} Told
[last_Via:]
[last_From:]
[last_To:]${tag && `;tag=[pid]${tag}`}
[last_Call-ID:]
${cseq}
Contact: <sip:[local_ip]:[local_port];transport=[transport]>
${sdp && 'Content-Type: application/sdp\n'}Content-Length: [len]
${sdp && `\n${sdp}`}
]]></send>`;
const SDP = `v=0
o=callee 1 1 IN IP4 127.0.0.1
s=-
c=IN IP4 127.0.0.1
t=0 0
m=audio [rtpstream_audio_port] RTP/AVP 0
a=rtpmap:0 PCMU/8000
`;
const HANGS_UP = `
  <recv request="BYE"/>${reply(200, '', '')}`;

function stepText(step: EarlyStep, sound: string): string {
  if (step === 'sound') {
    return `<nop><action><exec rtp_stream="${sound},-1,0,PCMU/8000"/></action></nop>`;
  }
  if (step === 'wait') {
    const cancelled = reply(487, 't', '', ' retrans="500"', 'CSeq: 1 INVITE');
    return `<recv request="CANCEL"/>${reply(200, 't', '')}${cancelled}<recv request="ACK"/>`;
  }
  const { status, tag = 't' } = step;
  if (status < 200) return reply(status, tag, SDP);
  const wait = `<pause milliseconds="${SOUND_MS}"/>`;
  if (status >= 300) return `${wait}${reply(status, tag, '', ' retrans="500"')}<recv request="ACK"/>`;
  return `${wait}${reply(status, tag, SDP, ' retrans="500"')}<recv request="ACK"/>${HANGS_UP}`;
}

/** A sipp that takes one call so. */
export async function earlyCallee(steps: readonly EarlyStep[]): Promise<EarlyCallee> {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-early-'));
  const [sound, file] = [join(folder, 'tone.ul'), join(folder, 'callee.xml')];
  writeFileSync(sound, encodeMulaw(tone(440, 8000 * SECONDS, { amplitude: 0.3 })));
  const text = steps.map((step) => stepText(step, sound)).join('\n');
  writeFileSync(
    file,
    `<?xml version="1.0" encoding="UTF-8"?>\n<scenario name="early">\n<recv request="INVITE"/>\n${text}\n</scenario>\n`,
  );
  const first = await freeUdpRange(16);
  const ports = ['-mi', '127.0.0.1', '-mp', String(first)];
  const { port, done, stop } = await runScenario(file, undefined, ports);
  return { port, stop, done: done.finally(() => rmSync(folder, { recursive: true, force: true })) };
}
