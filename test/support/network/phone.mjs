#!/usr/bin/env node
/**
 * One call by baresip, from the network namespace that this runs in: `node phone.mjs '{"address", "uri", "keys", "seconds"}'`. Speaks a tone
 * of 440 Hz, presses the keys, and hangs up. Prints one JSON object a line: ESTABLISHED as it is answered, then the end.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { wavFile } from '../../../dist/audio/wav.js';

const MODULES = [
  '/usr/lib/baresip/modules',
  '/usr/lib/x86_64-linux-gnu/baresip/modules',
  '/usr/local/lib/baresip/modules',
];
const RATE_HZ = 8000;
const TONE_HZ = 440;
const CONTROL_PORT = 4444; // the namespace is nobody else's
const ANSWER_MS_MAX = 40_000;
const KEY_MS = 300;

const { address, uri, keys = '', seconds } = JSON.parse(process.argv[2] ?? '{}');
const folder = mkdtempSync(join(tmpdir(), 'nidaa-bad-network-'));
const tone = new Int16Array(RATE_HZ * (seconds + 60));
for (let i = 0; i < tone.length; i += 1) tone[i] = Math.round(3_000 * Math.sin((2 * Math.PI * TONE_HZ * i) / RATE_HZ));
writeFileSync(join(folder, 'mic.wav'), wavFile({ channels: 1, sampleRateHz: RATE_HZ }, tone));
mkdirSync(join(folder, 'rec'));
writeFileSync(join(folder, 'contacts'), '');
writeFileSync(
  join(folder, 'accounts'),
  `<sip:caller@${address}>;regint=0;audio_codecs=PCMU,PCMA;answermode=manual;dtmfmode=rtpevent\n`,
);
writeFileSync(
  join(folder, 'config'),
  `sip_listen ${address}:5060
net_interface ${address}
module_path ${MODULES.find((path) => existsSync(path))}
audio_player aubridge,spk
audio_source aufile,${join(folder, 'mic.wav')}
audio_alert aubridge,alert
ausrc_srate 8000
auplay_srate 8000
audio_telev_pt 101
rtp_ports 30000-30100
rtcp_enable yes
rtp_timeout 0
ctrl_tcp_listen 127.0.0.1:${CONTROL_PORT}
module_tmp account.so
module_app menu.so
module_app ctrl_tcp.so
${['g711', 'aufile', 'aubridge', 'uuid'].map((name) => `module ${name}.so`).join('\n')}
`,
);
const phone = spawn('baresip', ['-f', folder, '-t', String(seconds + 60)], { stdio: 'ignore' });
phone.once('exit', () => tell({ type: '_GONE' }));

const events = [];
let wake = () => {};
function tell(event) {
  events.push(event);
  wake();
}
async function event(type, withinMs) {
  const deadlineMs = Date.now() + withinMs;
  for (;;) {
    const found = events.find((one) => type.test(one.type ?? ''));
    if (found || Date.now() >= deadlineMs) return found;
    // A wait that is over keeps nobody up.
    const timeUp = sleep(deadlineMs - Date.now(), undefined, { ref: false });
    await Promise.race([new Promise((resolve) => (wake = resolve)), timeUp]);
  }
}

async function control() {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const socket = await new Promise((resolve) => {
      const trying = connect(CONTROL_PORT, '127.0.0.1', () => resolve(trying));
      trying.once('error', () => resolve(undefined));
    });
    if (socket) return socket;
    await sleep(50);
  }
  throw new Error('baresip did not start');
}

function listen(socket) {
  let pending = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    for (
      let found = /^(\d+):/.exec(pending.toString('latin1', 0, 12));
      found;
      found = /^(\d+):/.exec(pending.toString('latin1', 0, 12))
    ) {
      const end = found[0].length + Number(found[1]);
      if (pending.length < end + 1) return;
      const json = pending.toString('utf8', found[0].length, end);
      pending = pending.subarray(end + 1);
      try {
        tell(JSON.parse(json));
      } catch {
        // Some of its events are not JSON; none of those matter here.
      }
    }
  });
}

const say = (result) => process.stdout.write(`${JSON.stringify(result)}\n`);
const socket = await control();
listen(socket);
const command = (name, params = '') => {
  const json = JSON.stringify({ command: name, params, token: 't' });
  socket.write(`${Buffer.byteLength(json)}:${json},`);
};
const startedMs = Date.now();
command('dial', uri);
const first = await event(/^(CALL_ESTABLISHED|CALL_CLOSED|_GONE)$/, ANSWER_MS_MAX);
const established = first?.type === 'CALL_ESTABLISHED';
say({ established, setupMs: Date.now() - startedMs, sipCallId: first?.id, reason: first?.param });
let dropped;
if (established) {
  const endsMs = Date.now() + seconds * 1000;
  await sleep(1_000);
  for (const key of keys) {
    command('sndcode', key);
    await sleep(KEY_MS);
  }
  dropped = await event(/^(CALL_CLOSED|_GONE)$/, Math.max(0, endsMs - Date.now()));
  command('hangup');
  await sleep(1_000);
}
say({ survived: established && !dropped, reason: dropped?.param });
command('quit');
await Promise.race([new Promise((resolve) => phone.once('exit', resolve)), sleep(3_000)]);
if (phone.exitCode === null) phone.kill('SIGKILL');
socket.destroy();
rmSync(folder, { recursive: true, force: true });
