import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { ROOT } from './gateway.ts';
import { freeSipPort, freeUdpRange } from './ports.ts';

export interface LoadResult {
  readonly code: number | null;
  readonly successful: number;
  readonly failed: number;
  readonly errors: string;
}

export interface LoadOptions {
  readonly target: string; // host:port
  readonly number: string;
  readonly calls: number;
  readonly callsPerSecond: number;
  readonly talkMs: number;
  readonly speech: Int16Array; // 8 kHz, repeated while the call lasts
  readonly transport?: 'u1' | 't1';
}

/** Many real calls with RTP both ways, by sipp. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-sipp-'));
  try {
    copyFileSync(join(ROOT, 'test/fixtures/sipp/caller.xml'), join(folder, 'caller.xml'));
    writeFileSync(join(folder, 'speech.ulaw'), encodeMulaw(options.speech));
    const limitS = Math.ceil(options.calls / options.callsPerSecond + options.talkMs / 1000 + 40);
    const args = [
      ...[options.target, '-sf', 'caller.xml', '-s', options.number, '-t', options.transport ?? 'u1'],
      ...[
        '-i',
        '127.0.0.1',
        '-mi',
        '127.0.0.1',
        '-p',
        String(await freeSipPort()),
        '-mp',
        String(await freeUdpRange(8)),
      ],
      ...['-r', String(options.callsPerSecond), '-l', String(options.calls), '-m', String(options.calls)],
      ...['-d', String(options.talkMs), '-timeout', `${limitS}s`, '-nostdin'],
      ...['-trace_stat', '-stf', 'stat.csv', '-trace_err', '-error_file', 'err.log'],
    ];
    const child = spawn('sipp', args, { cwd: folder, stdio: 'ignore' });
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    const file = (name: string): string =>
      existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
    const rows = file('stat.csv').trim().split('\n');
    const names = (rows[0] ?? '').split(';');
    const last = (rows[rows.length - 1] ?? '').split(';');
    const column = (name: string): number => Number(last[names.indexOf(name)] ?? Number.NaN);
    return {
      ...{ code, successful: column('SuccessfulCall(C)'), failed: column('FailedCall(C)') },
      errors: file('err.log').slice(0, 2000),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
