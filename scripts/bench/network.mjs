#!/usr/bin/env node
/**
 * Calls through bad networks: whether they are set up, whether their keys are counted as they were pressed, what is heard of the
 * caller, and whether a call survives a time of nothing. By baresip and sipp in a network namespace behind a link that loses and
 * delays; the gateway is a whole one. `busy ms` is by how much this machine itself was late: more than 20 spoils a row. Needs root
 * (says so and stops), python3, iproute2, baresip and sipp.
 *
 *   node scripts/bench/network.mjs [NAME-OF-A-NETWORK ...]        needs `npm run build`; --calls 20 for the set-ups of each
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startGateway } from './latency/gateway-process.mjs';
import { heardTone } from './network/heard-tone.mjs';
import { openLink, whyNoLink } from './network/link.mjs';
import { setUps } from './network/set-ups.mjs';

const PHONE = fileURLToPath(new URL('./network/phone.mjs', import.meta.url));
const NUMBER = '1000';
const KEYS = '15904862371122334455'; // with some pressed twice
const TALK_S = 10;
const RECORD_MS = 4_000; // a call is written so soon after its end
const AFTER_CUT_S = 5;

const NETWORKS = [
  { name: 'good' },
  { name: 'loss-1', link: { loss: 1 }, exact: true },
  { name: 'loss-3', link: { loss: 3 }, exact: true },
  { name: 'loss-5', link: { loss: 5 }, exact: true },
  { name: 'loss-10', link: { loss: 10 } },
  { name: 'burst-5', link: { loss: 5, burst: 5 } },
  { name: 'jitter-30', link: { delay: 20, jitter: 30 }, exact: true },
  { name: 'jitter-100', link: { delay: 20, jitter: 100 }, exact: true },
  { name: 'mixed-100', link: { delay: 20, jitter: 100, mixed: 1 }, exact: true },
  { name: 'reorder-2', link: { delay: 20, reorder: 2 }, exact: true },
  { name: 'duplicate-2', link: { duplicate: 2 }, exact: true },
  { name: 'all-at-once', link: { loss: 3, delay: 20, jitter: 60, reorder: 2, duplicate: 1 }, exact: true },
  { name: 'cut-2', cutS: 2 },
  { name: 'cut-10', cutS: 10 },
];

const missing = whyNoLink();
if (missing) {
  console.error(`bench:network ${missing}`);
  process.exit(1);
}
const args = process.argv.slice(2);
const at = args.indexOf('--calls');
const calls = at < 0 ? 20 : Number(args.splice(at, 2)[1]);
const networks = NETWORKS.filter(({ name }) => args.length === 0 || args.includes(name));

const dataDir = mkdtempSync(join(tmpdir(), 'nidaa-network-'));
const link = await openLink();
let gateway;
let failures = 0;

/** One call by baresip. @returns what it saw, what the gateway has of it, and what was heard. */
async function callBy({ cutS }) {
  const seconds = cutS === undefined ? TALK_S : 3 + cutS + AFTER_CUT_S;
  const order = { address: link.there, uri: gateway.uri(NUMBER), keys: cutS === undefined ? KEYS : '', seconds };
  const since = new Date().toISOString();
  const phone = link.spawn(process.execPath, [PHONE, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const seen = {};
  for await (const line of createInterface({ input: phone.stdout })) {
    const told = JSON.parse(line);
    Object.assign(seen, told);
    if (told.established && cutS !== undefined) setTimeout(() => link.cut(cutS), 3_000);
  }
  if (!seen.established) return { seen };
  for (let left = RECORD_MS * 3; left > 0; left -= 500) {
    const [call] = await gateway.nidaa('calls', 'list', '--limit', '1').catch(() => []);
    if (call?.ended_at && call.started_at > since)
      return { seen, call, heard: call.recording && heardTone(join(dataDir, call.recording)) };
    await sleep(500);
  }
  return { seen };
}

/** What of it is not as it should be. */
function faultsOf({ exact, cutS, link: { loss = 0 } = {} }, { seen, call, heard }, setUp) {
  const faults = [];
  if (setUp !== undefined && setUp < (loss <= 5 ? calls : calls * 0.98)) faults.push('set-up');
  if (!seen.established || !call) return [...faults, 'no call'];
  if (!seen.survived) faults.push(`ended: ${call.end?.reason}`);
  if (exact && call.dtmf !== KEYS) faults.push('keys');
  if (cutS === undefined && call.dtmf.length > KEYS.length) faults.push('keys doubled');
  if (cutS !== undefined && (heard?.longestGapMs ?? Number.POSITIVE_INFINITY) > cutS * 1000 + 1_000)
    faults.push('audio late');
  if (cutS === undefined && (heard?.presentPercent ?? 0) < 95 - 2 * loss) faults.push('heard too little');
  return faults;
}

const cells = (...texts) =>
  console.log(texts.map((text, i) => String(text).padEnd([12, 9, 9, 7, 5, 7, 5, 10, 7, 7, 8][i] ?? 0)).join(' '));
const figure = (value, digits = 1) => (typeof value === 'number' ? value.toFixed(digits) : '-');
async function close() {
  await gateway?.stop();
  await link.close();
  rmSync(dataDir, { recursive: true, force: true });
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void close().then(() => process.exit(1)));

try {
  gateway = await startGateway(
    { NIDAA_HOST: link.here, NIDAA_SIP_ANONYMOUS: 'true', NIDAA_DATA_DIR: dataDir },
    link.here,
  );
  cells(
    'network',
    'set up',
    'after ms',
    'keys',
    'MOS',
    'lost %',
    'late',
    'concealed',
    'tone %',
    'gap ms',
    'busy ms',
    'faults',
  );
  for (const network of networks) {
    await link.set(network.link ?? {});
    const setUp =
      network.cutS === undefined
        ? await setUps(link, { target: `${link.here}:${gateway.sipPort}`, number: NUMBER, calls })
        : undefined;
    const outcome = await callBy(network);
    const { late_ms: lateMs } = await link.set({});
    const { seen, call, heard } = outcome;
    const faults = faultsOf(network, outcome, setUp);
    failures += faults.length;
    const { quality = {} } = call ?? {};
    cells(
      ...[network.name, setUp === undefined ? '-' : `${setUp}/${calls}`, seen.established ? seen.setupMs : '-'],
      ...[
        network.cutS === undefined
          ? `${call?.dtmf === KEYS ? KEYS.length : `${call?.dtmf.length ?? 0} not`}/${KEYS.length}`
          : '-',
      ],
      ...[
        figure(quality.mos, 2),
        figure(quality.lossPercent),
        quality.packetsLate ?? '-',
        quality.packetsConcealed ?? '-',
      ],
      ...[figure(heard?.presentPercent), heard?.longestGapMs ?? '-', lateMs, faults.join(', ') || 'none'],
    );
  }
} finally {
  await close();
}
process.exitCode = failures > 0 ? 1 : 0;
