import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeMulaw } from '../../../src/audio/g711.ts';
import { ROOT } from '../gateway.ts';
import type { BadLink } from './link.ts';

const SCENARIO = join(ROOT, 'test/fixtures/sipp/caller.xml');
const TALK_MS = 1_000;
const PER_SECOND = 3;
/** A lost INVITE, 200 or ACK is repeated for 32 s (RFC 3261, timers B and H). */
const SPARE_S = 45;

/** `calls` calls by sipp through the link, each a second of talk. @returns how many were set up and ended as they should. */
export async function setUps(link: BadLink, target: string, number: string, calls: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-set-ups-'));
  try {
    copyFileSync(SCENARIO, join(folder, 'caller.xml'));
    writeFileSync(join(folder, 'speech.ulaw'), encodeMulaw(new Int16Array(8_000)));
    const secondsMax = Math.ceil(calls / PER_SECOND) + SPARE_S;
    const args = [
      ...[target, '-sf', 'caller.xml', '-s', number, '-i', link.there, '-mi', link.there, '-p', '5070', '-mp', '26000'],
      ...['-r', PER_SECOND, '-l', calls, '-m', calls, '-d', TALK_MS, '-nostdin'],
      // A 100 that the 200 has overtaken makes it give a call up otherwise.
      ...['-default_behaviors', 'all,-abortunexp'],
      ...['-timeout', `${secondsMax}s`, '-trace_stat', '-stf', 'stat.csv', '-fd', '1s'],
    ];
    const child = link.spawn('sipp', args.map(String), { cwd: folder, stdio: 'ignore' });
    // It does not always heed its own limit when a call is left over.
    const forced = setTimeout(() => child.kill('SIGTERM'), (secondsMax + 5) * 1000);
    await once(child, 'exit');
    clearTimeout(forced);
    const rows = readFileSync(join(folder, 'stat.csv'), 'utf8').trim().split('\n');
    const names = rows[0]!.split(';');
    return Number(rows.at(-1)!.split(';')[names.indexOf('SuccessfulCall(C)')]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
