import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../src/core/errors.ts';
import type { SttEngine, SttHints, SttStream } from '../../../src/engines/stt/contract.ts';
import { DEBIAN_LANGUAGE_MODEL, sphinxInstalled } from '../../../src/engines/stt/model-folder.ts';
import { createPocketsphinxStt, type PocketsphinxOptions } from '../../../src/engines/stt/pocketsphinx.ts';
import { EVERY_TEST } from '../../support/property-runs.ts';
import { framesOf, joined, readClip, silence } from '../../support/speech-clips.ts';
import { until } from '../../support/until.ts';

const FREE: SttHints = { phrases: [], expect: ['free'] };
const ORDER: SttHints = { phrases: ['track my order'], expect: [] };
/** Not what is said, but it may be anything. */
const HOURS: SttHints = { phrases: ['opening hours'], expect: ['free'] };
const SPEECH = joined(silence(200), readClip('phrases/slt_06.wav'), silence(300));
const cacheDir = mkdtempSync(join(tmpdir(), 'nidaa-stt-'));
afterAll(() => rmSync(cacheDir, { recursive: true, force: true }));

/** Processes that hear free speech with the models of `cacheDir`. */
function processes(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const command = commandOf(pid);
      return command.includes('recogniser-process-main') && command.includes(cacheDir);
    });
}
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // it has ended
  }
}

const canHear = sphinxInstalled() && existsSync(DEBIAN_LANGUAGE_MODEL) && existsSync('/proc/self/cmdline');
describe.skipIf(!canHear)('the process for free speech', () => {
  const never = new AbortController().signal;
  const engine = (options: Partial<PocketsphinxOptions> = {}): SttEngine =>
    createPocketsphinxStt({ cacheDir, threads: 1, finalMsMax: 100_000, ...options });
  const speak = (recogniser: SttEngine, hints: SttHints): SttStream => {
    const stream = recogniser.open({ language: 'en-US', sampleRateHz: 8000, interim: false, hints }, never);
    for (const frame of framesOf(SPEECH)) stream.write(frame);
    return stream;
  };
  const hear = async (recogniser: SttEngine, hints: SttHints): Promise<string> => {
    const stream = speak(recogniser, hints);
    stream.end();
    const events = [];
    for await (const event of stream) events.push(event);
    return events.map(({ text }) => text).join();
  };

  it.runIf(EVERY_TEST)('is there while somebody speaks, goes when nobody has for a while, and comes back', async () => {
    const recogniser = engine({ idleMs: 300 });
    expect(processes()).toEqual([]);
    const first = await hear(recogniser, FREE);
    expect(first).toContain('order');
    await until(() => processes().length === 0, 'the process to go', 60_000);
    expect([recogniser.available('en-US').ok, await hear(recogniser, FREE)]).toEqual([true, first]);
    await recogniser.close();
    expect(processes()).toEqual([]);
  });

  it('that is killed fails what it was hearing and nothing else, and is replaced', async () => {
    const recogniser = engine();
    const order = speak(recogniser, ORDER);
    const lost = speak(recogniser, FREE);
    await until(() => processes().length === 1, 'the process', 60_000);
    for (const pid of processes()) process.kill(pid, 'SIGKILL');
    const failure = await lost[Symbol.asyncIterator]()
      .next()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ServiceError);
    expect(failure).toMatchObject({ code: 'transcription_failed' });
    order.end();
    const heard = [];
    for await (const event of order) heard.push(event.text);
    expect(heard).toEqual(['track my order']);
    expect(await hear(recogniser, FREE)).toContain('order');
    await recogniser.close();
  });

  it.runIf(EVERY_TEST)('is not ended by what a terminal sends to all, but by its engine', async () => {
    const recogniser = engine();
    await hear(recogniser, FREE);
    const [pid = 0] = processes();
    process.kill(pid, 'SIGTERM'); // what a terminal sends to all: the gateway has calls to end first
    expect(await hear(recogniser, FREE)).toContain('order');
    expect(processes()).toEqual([pid]);
    await recogniser.close();
    expect(processes()).toEqual([]);
  });

  it.runIf(EVERY_TEST)(
    'goes while more people speak than can be answered: what they said is tried by their grammar alone',
    async () => {
      const recogniser = engine({ liveDecodersMax: 1, idleMs: 300_000 }); // time for four stretches
      expect(await hear(recogniser, HOURS)).toContain('order');
      const others = Array.from({ length: 5 }, () => speak(recogniser, HOURS));
      expect(await hear(recogniser, HOURS)).toBe('');
      await until(() => processes().length === 0, 'the process to go', 60_000);
      for (const other of others) void other[Symbol.asyncIterator]().return?.();
      expect(await hear(recogniser, HOURS)).toContain('order');
      await recogniser.close();
    },
  );
});
