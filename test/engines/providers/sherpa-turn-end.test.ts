import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MEL_BANDS } from '../../../src/audio/log-mel.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { ServiceError } from '../../../src/core/errors.ts';
import { silentLogger } from '../../../src/core/logger.ts';
import { sherpaMissing } from '../../../src/engines/providers/sherpa/installed.ts';
import { startModelProcess } from '../../../src/engines/providers/sherpa/model-host.ts';
import type { FromModel } from '../../../src/engines/providers/sherpa/process-protocol.ts';
import { SherpaTurnEnd } from '../../../src/engines/providers/sherpa/sherpa-turn-end.ts';
import { TurnEndWork } from '../../../src/engines/providers/sherpa/turn-end-work.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { EVERY_TEST, someOf } from '../../support/property-runs.ts';
import { ScriptedModel } from '../../support/scripted-model.ts';
import { joined, silence } from '../../support/speech-clips.ts';
import { tinyDetector, tinySmartTurn } from '../../support/tiny-models.ts';
import { tone } from '../../support/tones.ts';
import { until } from '../../support/until.ts';

const modelsDir = mkdtempSync(join(tmpdir(), 'nidaa-models-'));
afterAll(() => rmSync(modelsDir, { recursive: true, force: true }));
tinySmartTurn(join(modelsDir, 'turns'));
tinyDetector(join(modelsDir, 'other'));
tinySmartTurn(join(modelsDir, 'renamed'), 'sound');
mkdirSync(join(modelsDir, 'broken'));
writeFileSync(join(modelsDir, 'broken', 'model.onnx'), 'this is no model');

const SETTINGS = { threads: 1, idleMinutes: 0, ears: [], voices: [], modelsDir };
const made = (model: string, deps: Partial<ConstructorParameters<typeof SherpaTurnEnd>[2]> = {}) =>
  new SherpaTurnEnd({ model, kind: 'smart-turn', complete: 0.5 }, SETTINGS, {
    ...{ clock: systemClock, logger: silentLogger },
    ...deps,
  });
const LOW = joined(tone(500, 8_000), silence(200));
const HIGH = joined(tone(2_600, 8_000), silence(200));
const at8 = (samples: Int16Array) => ({ samples, sampleRateHz: 8_000 });
const never = new AbortController().signal;
const causeOf = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => expect.fail('it was judged'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ServiceError);
  return ((error as ServiceError).cause as Error).message;
};

describe.skipIf(sherpaMissing() !== undefined)('a judge of turns, with the real library', () => {
  it('tells by the end of the turn how likely it is complete, at either rate', async () => {
    const model = made('turns');
    try {
      expect(model.why).toBeUndefined();
      const high16 = { samples: joined(tone(2_600, 16_000, { rateHz: 16_000 }), silence(400)), sampleRateHz: 16_000 };
      const both = [at8(joined(LOW, HIGH)), at8(joined(HIGH, LOW))].map((sound) => model.judge(sound, never));
      const [complete, incomplete] = await Promise.all(both);
      expect(complete).toBeGreaterThan(0.9);
      expect(incomplete).toBeLessThan(0.1);
      expect(await model.judge(high16, never)).toBeGreaterThan(0.9);
    } finally {
      await model.close();
    }
    expect(await causeOf(model.judge(at8(HIGH), never))).toContain('closed');
  });

  it.each(
    someOf(
      [
        { model: 'broken', says: 'CreateSession' },
        { model: 'other', says: 'it takes 3 inputs' },
        { model: 'renamed', says: 'called sound: expected one, called input_features' },
      ],
      4,
    ),
  )('says what is wrong with a file that is no such model: $model', async ({ model, says }) => {
    const judge = made(model);
    expect(await causeOf(judge.judge(at8(HIGH), never))).toContain(says);
    expect(judge.why).toContain(says);
    await judge.close();
  });

  it('stays loaded when what loaded it is cleared away', () => {
    const module = new URL('../../../dist/engines/providers/sherpa/one-value-model.js', import.meta.url).href;
    const file = JSON.stringify(join(modelsDir, 'turns', 'smart-turn-tiny.onnx'));
    const program = `
      const { loadOneValueModel } = await import(${JSON.stringify(module)});
      const model = loadOneValueModel(${file}, { name: 'input_features', shape: [1, 80, 800] }, 1);
      for (let i = 0; i < 20; i += 1) {
        gc();
        await new Promise((resolve) => setImmediate(resolve));
        model.run(new Float32Array(64_000));
      }
      console.log('fine');`;
    const ran = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect([ran.signal, ran.stdout.trim()]).toEqual([null, 'fine']);
  });

  it.runIf(EVERY_TEST)('is there again for the next turn when its process was killed', async () => {
    const pids: (number | undefined)[] = [];
    const judge = made('turns', {
      start: (setup, events) => {
        const host = startModelProcess(setup, events);
        pids.push(host.pid);
        return host;
      },
    });
    await judge.judge(at8(HIGH), never);
    const late = judge.judge(at8(HIGH), never);
    process.kill(pids[0]!, 'SIGKILL');
    expect(await causeOf(late)).toContain('SIGKILL');
    await until(() => judge.why === undefined, 'it may be used again');
    expect(await judge.judge(at8(LOW), never)).toBeLessThan(0.1);
    expect(pids).toHaveLength(2);
    await judge.close();
  });
});

it('says that a model which is not installed lacks its files', () => {
  expect(made('nowhere', { lacking: () => undefined }).why).toContain('nowhere');
});

describe('a judge of turns that does not answer', () => {
  const slow = () => {
    const scripted = new ScriptedModel();
    const clock = new FakeClock();
    const judge = made('turns', { clock, start: scripted.start, lacking: () => undefined });
    return { scripted, judge, clock };
  };

  it('refuses at once who would wait behind two others, until one of them is judged', async () => {
    const { scripted, judge } = slow();
    const leave = new AbortController();
    const both = [0, 1].map(() => causeOf(judge.judge(at8(HIGH), leave.signal)));
    expect(await causeOf(judge.judge(at8(HIGH), never))).toContain('too many');
    expect(scripted.judged).toHaveLength(2);
    leave.abort();
    expect(await Promise.all(both)).toEqual(Array(2).fill('nobody waits for it'));
    expect(scripted.busy).toBe(0); // dropped there too
    scripted.verdicts.push(0.25);
    expect(await judge.judge(at8(HIGH), never)).toBe(0.25);
  });

  it('is given up with its process after five seconds of nothing, and started again for the next turn', async () => {
    const { scripted, judge, clock } = slow();
    const stuck = causeOf(judge.judge(at8(HIGH), never));
    for (let i = 0; i < 4; i += 1) await Promise.resolve(); // it is loaded
    clock.advance(4_900);
    expect(scripted.busy).toBe(1);
    clock.advance(5_200);
    expect(await stuck).toContain('nothing was heard of it for 5 s');
    expect(scripted.busy).toBe(0);
    scripted.verdicts.push(0.75);
    expect(await judge.judge(at8(HIGH), never)).toBe(0.75);
    expect(scripted.starts).toBe(2);
  });

  it('is not asked for a turn that goes on already', async () => {
    const { scripted, judge } = slow();
    expect(await causeOf(judge.judge(at8(HIGH), AbortSignal.abort()))).toContain('nobody');
    expect(scripted.judged).toHaveLength(0);
  });
});

describe('the work of its process', () => {
  const rig = (run: (features: Float32Array) => number) => {
    const said: FromModel[] = [];
    const clock = new FakeClock();
    const work = new TurnEndWork({ run }, (message) => said.push(message), clock);
    return { said, clock, work };
  };
  const judge = (id: number, samples: Int16Array, rateHz = 8_000) => ({ type: 'judge' as const, id, samples, rateHz });
  /** Mean of a frame well within the sound. */
  const bandAt = (features: Float32Array, band: number) => features[band * 800 + 750]!;

  it('hears 8 kHz as 16 kHz: tones stay where they are, and nothing is above the telephone band', () => {
    const heard: Float32Array[] = [];
    const { work, clock } = rig((features) => heard.push(features.slice()) && 0.5);
    const both = (rateHz: number) => {
      const seconds = 2 * rateHz;
      const [low, high] = [tone(1_000, seconds, { rateHz }), tone(2_600, seconds, { rateHz })];
      return low.map((sample, i) => sample + high[i]!);
    };
    work.handle(judge(1, both(8_000)));
    work.handle(judge(2, both(16_000), 16_000));
    clock.advance(1);
    clock.advance(1);
    const [narrow, wide] = heard as [Float32Array, Float32Array];
    const strongest = (features: Float32Array) =>
      [...Array(MEL_BANDS).keys()]
        .sort((a, b) => bandAt(features, b) - bandAt(features, a))
        .slice(0, 2)
        .sort();
    expect(strongest(narrow)).toEqual(strongest(wide));
    const loudest = Math.max(...strongest(narrow).map((band) => bandAt(narrow, band)));
    // From 4.2 kHz on: a quarter is ten decibels.
    for (let band = 64; band < MEL_BANDS; band += 1) expect(bandAt(narrow, band)).toBeLessThan(loudest - 1.2);
  });

  it('does not judge whoever went on meanwhile, and says why one cannot be judged', () => {
    const { said, work, clock } = rig((features) => {
      if (bandAt(features, 30) > 0) return Number.NaN;
      throw new Error('Run: not today');
    });
    work.handle(judge(1, HIGH));
    work.handle(judge(2, HIGH));
    work.handle({ type: 'drop', id: 2 });
    work.handle(judge(3, silence(8_000)));
    work.handle(judge(4, joined(tone(900, 64_000))));
    for (let i = 0; i < 4; i += 1) clock.advance(1);
    expect(said.map((message) => message.type === 'failed' && [message.id, message.why])).toEqual([
      [1, 'Run: not today'],
      [3, 'Run: not today'],
      [4, 'NaN is no probability'],
    ]);
  });
});
