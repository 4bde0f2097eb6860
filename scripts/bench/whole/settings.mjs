import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../latency/gateway-process.mjs';

/** RTP, RTCP, a recording and what comes and goes, of each call; and what a gateway has open anyway. */
const DESCRIPTORS = { each: 6, beside: 1000 };
/** A call takes two ports, and one that has ended keeps them for a while. */
const PORTS_EACH = 4;

/**
 * Environment of a gateway whose numbers allow `calls` at once, with money for them. What it measures still refuses: late media
 * threads, and processor time. Callers who never say a word are not asked whether they are there, which would end their calls.
 */
export async function wholeSettings(calls) {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-whole-'));
  const file = join(folder, 'nidaa.yaml');
  const first = await freePort(40_000);
  writeFileSync(
    file,
    [
      `media: { callsPerWorker: ${calls} }`,
      `conversation: { maxCallsPerAccount: ${calls}, noInputMs: 120000, maxNoInputs: 20 }`,
      `engines: { limits: { stt: { concurrency: ${calls} } } }`,
      'account: { name: Whole, creditCents: 100000000 }',
      'shutdown: { drainSeconds: 5 }', // what a bench that was stopped leaves behind is not waited for
      '',
    ].join('\n'),
  );
  return {
    // The reason of a refusal is told at this level, which is also the one that gateways run at.
    env: { NIDAA_CONFIG: file, NIDAA_LOG_LEVEL: 'info', NIDAA_RTP_PORTS: `${first}-${first + PORTS_EACH * calls - 1}` },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Lets this process, and what it starts, open what so many calls need. */
export function raiseDescriptors(calls) {
  const needed = calls * DESCRIPTORS.each + DESCRIPTORS.beside;
  const limit = Number(/^Max open files\s+\d+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]);
  if (limit >= needed) return; // Node has raised the soft limit already
  const { status } = spawnSync('prlimit', ['--pid', String(process.pid), `--nofile=${needed}:${needed}`]);
  if (status !== 0) throw new Error(`${calls} calls need ${needed} descriptors, and only ${limit} are allowed here`);
}
