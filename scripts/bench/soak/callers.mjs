import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeMulaw } from '../../../dist/audio/g711.js';
import { freePort } from '../latency/gateway-process.mjs';
import { clipSamples, clips } from '../recognition/voices.mjs';

const SCENARIO = new URL('../../../test/fixtures/sipp/caller.xml', import.meta.url);
const AGENT = '1000';
const TALK_MS = { min: 10_000, max: 20_000 };
const CALLS_PER_SECOND_MAX = 20;
/** Said by a caller, one after the other, with pauses to be answered in. */
const CLIPS = 8;
const PAUSE_SAMPLES = 17_600;

/** Settings of a gateway that takes `calls` at once and has money for an hour of them. */
export function soakSettings(calls) {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-soak-'));
  const file = join(folder, 'nidaa.yaml');
  writeFileSync(
    file,
    [
      `media: { callsPerWorker: ${calls + 10}, maxLatenessP99Ms: 50, maxCpuPercent: 100 }`,
      `conversation: { maxCallsPerAccount: ${calls + 10} }`,
      'account: { name: Soak, creditCents: 100000000 }',
      '',
    ].join('\n'),
  );
  return { file, close: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Callers with RTP both ways, by sipp. */
export class Callers {
  /** From one of many to the next. */
  betweenMs = 1000 / CALLS_PER_SECOND_MAX;
  #folder = mkdtempSync(join(tmpdir(), 'nidaa-callers-'));
  constructor(gateway) {
    this.gateway = gateway;
    const scenario = readFileSync(SCENARIO, 'utf8');
    const pause = `<pause distribution="uniform" min="${TALK_MS.min}" max="${TALK_MS.max}"/>`;
    writeFileSync(join(this.#folder, 'turnover.xml'), scenario.replace('<pause/>', pause));
    writeFileSync(join(this.#folder, 'at-once.xml'), scenario);
    writeFileSync(join(this.#folder, 'speech.ulaw'), encodeMulaw(speech()));
  }

  /** `calls` at once for `ms`; who hangs up is followed by the next. */
  turnover(calls, ms) {
    const perSecond = Math.max(1, Math.ceil((calls * 2000) / (TALK_MS.min + TALK_MS.max)));
    return this.#run('turnover', ['-r', perSecond, '-l', calls, '-timeout', `${Math.round(ms / 1000)}s`]);
  }

  /** `calls` that come as fast as a gateway takes them, and are all there for some of `ms`. */
  atOnce(calls, ms) {
    const talkMs = ms + calls * this.betweenMs;
    return this.#run('at-once', [
      ...['-r', Math.min(CALLS_PER_SECOND_MAX, calls), '-l', calls, '-m', calls, '-d', talkMs],
      ...['-timeout', `${Math.round(talkMs / 1000) + 90}s`],
    ]);
  }

  close() {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #run(name, more) {
    const { host, sipPort } = this.gateway;
    const args = [
      ...[`${host}:${sipPort}`, '-sf', `${name}.xml`, '-s', AGENT, '-i', host, '-mi', host],
      ...['-p', await freePort(22_000), '-mp', await freePort(26_000), '-nostdin', ...more],
      ...['-trace_stat', '-stf', `${name}.csv`, '-fd', '5s'],
    ];
    const child = spawn('sipp', args.map(String), { cwd: this.#folder, stdio: 'ignore' });
    await new Promise((resolve) => child.once('exit', resolve));
    const rows = readFileSync(join(this.#folder, `${name}.csv`), 'utf8')
      .trim()
      .split('\n')
      .map((row) => row.split(';'));
    const column = (title) => Number(rows.at(-1)[rows[0].indexOf(title)]);
    return { successful: column('SuccessfulCall(C)'), failed: column('FailedCall(C)') };
  }
}

function speech() {
  const said = clips()
    .filter(({ file }) => file.startsWith('phrases/'))
    .slice(0, CLIPS)
    .map(({ file }) => clipSamples(file));
  const samples = new Int16Array(said.reduce((sum, clip) => sum + PAUSE_SAMPLES + clip.length, 0));
  let at = 0;
  for (const clip of said) {
    samples.set(clip, at + PAUSE_SAMPLES);
    at += PAUSE_SAMPLES + clip.length;
  }
  return samples;
}
