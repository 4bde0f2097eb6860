import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { MEDIA_IO_KINDS } from '../../src/media/io/choose-io.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { freeUdpRange } from '../support/ports.ts';
import { EVERY_TEST } from '../support/property-runs.ts';

const CALLS_MAX = 60;
const folder = mkdtempSync(join(tmpdir(), 'nidaa-descriptors-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What both scripts begin with. */
const PRELUDE = `
import { createSocket } from 'node:dgram';
import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
const [dist, portMin, callsMax, recordings, io] = process.argv.slice(1);
const { createMediaPlane } = await import(dist + '/media/plane/media-plane.js');
const { systemClock } = await import(dist + '/core/clock.js');
const { silentLogger } = await import(dist + '/core/logger.js');
const seen = { uncaught: [], events: [], recordingsFailed: 0, refused: [] };
process.on('uncaughtException', (error) => seen.uncaught.push(String(error)));
process.on('unhandledRejection', (error) => seen.uncaught.push(String(error)));
const until = async (what) => {
  for (let n = 0; n < 400 && !what(); n += 1) await new Promise((resolve) => setTimeout(resolve, 25));
};
const phone = createSocket('udp4');
let heard = 0;
phone.on('message', () => { heard += 1; });
await new Promise((resolve) => phone.bind(0, '127.0.0.1', resolve));
const peer = phone.address().port;
const plane = await createMediaPlane({
  io,
  bindAddress: '127.0.0.1', advertiseAddress: '127.0.0.1', portMin: Number(portMin), portMax: Number(portMin) + 2 * callsMax - 1,
  callsPerWorker: 1000, workers: 1, rtpTimeoutMs: 30000, queueMs: 8000, jitter: { minMs: 20, maxMs: 200 },
  raisePriority: true, maxLatenessP99Ms: 1e6, maxCpuPercent: 1e6, portDrainMs: 0, logger: silentLogger, clock: systemClock,
  onRecordingFailed: () => { seen.recordingsFailed += 1; },
});
const open = () => plane.open({ callId: 'c', onEvent: (event) => seen.events.push(event.type) });
const media = (rtcpMux) => ({
  remote: { address: '127.0.0.1', port: peer }, signallingAddress: '127.0.0.1', codec: 'PCMU', payloadType: 0,
  ptimeMs: 20, direction: 'sendrecv', rtcpMux, remoteRtcpPort: peer,
});
const goesOn = async () => {
  const before = heard;
  await until(() => heard > before + 30);
  return heard > before + 30;
};
`;

/** Takes every descriptor. Prints what it saw as JSON, as the other script does. */
const WITHOUT_DESCRIPTORS = `
const live = [];
const first = await open();
first.configure(media(true));
for (let n = 0; n < callsMax; n += 1) {
  const port = await open();
  if (typeof port === 'string') { seen.refused.push(port); break; }
  live.push(port);
}
seen.opened = live.length;
const holders = []; // nothing is left for anybody
try { for (;;) holders.push(openSync('/dev/null')); } catch (error) { seen.code = error.code; }
seen.refused.push(await open());
live[0].configure(media(false)); // wants a second socket
live[1].startRecording(recordings + '/a.wav'); // wants a thread and a file
live[1].configure(media(true));
await until(() => seen.recordingsFailed > 0);
seen.goesOn = await goesOn();
const { packetsSent } = await live[0].stats();
seen.withoutRtcp = packetsSent > 0;
await live.pop().close();
const again = await open();
seen.again = typeof again;
seen.calls = plane.load().calls;
for (const holder of holders) closeSync(holder);
for (const port of live.splice(5)) await port.close();
await until(() => plane.load().calls <= 7);
live[2].startRecording(recordings + '/b.wav');
seen.threadsDown = plane.load().threadsDown;
await plane.close();
phone.close();
console.log(JSON.stringify(seen));
`;

/** Takes every thread. */
const WITHOUT_THREADS = `
const call = await open();
call.configure(media(true));
const holders = [];
try {
  for (;;) holders.push(new Worker('setInterval(() => {}, 1000)', { eval: true }));
} catch (error) {
  seen.code = error.message;
}
try {
  call.startRecording(recordings + '/c.wav');
} catch (error) {
  seen.uncaught.push(String(error));
}
await until(() => seen.recordingsFailed > 0);
seen.goesOn = await goesOn();
await Promise.all(holders.map((holder) => holder.terminate()));
await plane.close();
phone.close();
console.log(JSON.stringify(seen));
`;

/** Runs `script` under `limiter`, a command that runs the rest of its line. */
async function run(limiter: readonly string[], script: string, io = 'auto'): Promise<Record<string, unknown>> {
  const portMin = await freeUdpRange(2 * CALLS_MAX);
  const dist = fileURLToPath(new URL('../../dist', import.meta.url));
  const node = [realpathSync(process.execPath), '--input-type=module', '-e', PRELUDE + script];
  const [command = '', ...rest] = [...limiter, ...node, dist, String(portMin), String(CALLS_MAX), folder, io];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 30_000, killSignal: 'SIGKILL' });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`ended with ${code}: ${errors}`);
  return JSON.parse(out) as Record<string, unknown>;
}

const limited = ['prlimit', 'setpriv'].every(hasCommand);
if (!limited) console.warn('\n!!! NO EXHAUSTION IS TESTED: prlimit or setpriv not installed !!!\n');

describe.skipIf(!limited)('no descriptors left', () => {
  it.each(EVERY_TEST ? MEDIA_IO_KINDS : ['direct' as const])(
    'refuses or degrades the one call that wants one, and nothing else, sockets: %s',
    async (io) => {
      const seen = await run(['prlimit', '--nofile=80:80'], WITHOUT_DESCRIPTORS, io);
      expect(seen).toMatchObject({
        ...{ uncaught: [], events: [], code: 'EMFILE', refused: ['overloaded', 'overloaded'], recordingsFailed: 1 },
        ...{ goesOn: true, withoutRtcp: true, again: 'object', threadsDown: 0 },
      });
      expect(seen['calls']).toBe((seen['opened'] as number) + 1);
      expect(existsSync(join(folder, 'b.wav'))).toBe(true); // recordings work again
    },
  );
});

/** A user of its own, whose threads are counted; only root may become it. */
const SOMEBODY = '64123';
const mayBecomeSomebody = limited && process.getuid?.() === 0;

describe('no threads left', () => {
  it.skipIf(!EVERY_TEST || !mayBecomeSomebody)('costs the recording, not the call', async () => {
    const somebody = ['setpriv', `--reuid=${SOMEBODY}`, '--clear-groups', 'prlimit', '--nproc=20:20'];
    expect(await run(somebody, WITHOUT_THREADS)).toMatchObject({
      ...{ uncaught: [], events: [], code: 'EAGAIN', recordingsFailed: 1, goesOn: true },
    });
  });
});
