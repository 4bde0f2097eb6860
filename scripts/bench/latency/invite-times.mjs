import { spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './gateway-process.mjs';
import { answeredInvite, HEADERS, REST } from './sipp-messages.mjs';

/** INVITE (timed to its 200), ACK, the call lasting `-d` ms, BYE. */
const scenario = (audioPort) => `<?xml version="1.0" encoding="UTF-8"?>
<scenario name="invite">
${answeredInvite(audioPort)}
  <pause/>
  <send retrans="500"><![CDATA[
BYE [next_url] SIP/2.0
${HEADERS}
[last_To:]
${REST}
CSeq: 2 BYE
Content-Length: 0

]]></send>
  <recv response="200"/>
</scenario>
`;

export const haveSipp = () => spawnSync('sipp', ['-v'], { stdio: 'ignore' }).error === undefined;

/** Milliseconds from INVITE to 200 of each call, as sipp measures them. */
export async function inviteTimes(gateway, { calls, callsPerSecond, talkMs }) {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-invite-'));
  // Takes the agent's audio. Not a port of the system's choice: an offer that names one of the gateway's own is refused.
  const sink = createSocket('udp4').bind(await freePort(20_000), gateway.host);
  await once(sink, 'listening');
  try {
    writeFileSync(join(folder, 'invite.xml'), scenario(sink.address().port));
    const args = [
      ...[`${gateway.host}:${gateway.sipPort}`, '-sf', 'invite.xml', '-s', '1000', '-i', gateway.host],
      ...['-p', await freePort(22_000), '-m', calls, '-r', callsPerSecond, '-d', talkMs, '-nostdin'],
      ...['-trace_rtt', '-rtt_freq', '1', '-timeout', '60s'],
    ];
    const child = spawn('sipp', args.map(String), { cwd: folder, stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    const file = readdirSync(folder).find((name) => name.endsWith('_rtt.csv'));
    if (!file) throw new Error(`sipp measured nothing (exit ${code})`);
    const rows = readFileSync(join(folder, file), 'utf8').trim().split('\n').slice(1);
    return { failed: calls - rows.length, times: rows.map((row) => Number(row.split(';')[1])) };
  } finally {
    sink.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
