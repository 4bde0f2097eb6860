import { describe, expect, it } from 'vitest';
import type { VadChange } from '../../../src/engines/vad/contract.ts';
import { type Comparison, JudgedVad } from '../../../src/engines/vad/judged-vad.ts';
import { NONE_WINDOWS, VerdictRun, VOICE_WINDOWS } from '../../../src/engines/vad/verdict-run.ts';
import { type ModelSays, VOICE_TABLE } from '../../../src/engines/vad/voice-table.ts';
import { LevelVad } from '../../support/level-vad.ts';
import { ScriptedVoice } from '../../support/scripted-voice.ts';

const FRAME = 160;
const LOUD = 2000;
/** What the model takes for a voice, whatever the detector hears. */
const VOICE = 7;
const NOISE = 3;

function rig(acts: boolean, judge = (first: number) => (first % 10 === VOICE ? 0.9 : 0.1)) {
  const model = new ScriptedVoice(judge);
  const stretches: Comparison[] = [];
  const aways: string[] = [];
  const detector = new LevelVad();
  const vad = new JudgedVad(detector, model, {
    acts,
    compared: (stretch) => stretches.push(stretch),
    away: (why) => aways.push(why),
  });
  const changes: (VadChange & { heardAt: number })[] = [];
  let frames = 0;
  const hear = (ms: number, sample: number): void => {
    for (let passed = 0; passed < ms; passed += 20) {
      frames += 1;
      const change = vad.push({ samples: new Int16Array(FRAME).fill(sample), sampleRateHz: 8000 });
      if (change) changes.push({ ...change, heardAt: frames * 20 });
    }
  };
  const told = () => changes.map(({ type, atSample, heardAt }) => [type, atSample / 8, heardAt]);
  return { model, vad, detector, stretches, aways, hear, told };
}

describe('what a model says of a stream', () => {
  const run = (...likely: number[]) => {
    const verdicts = new VerdictRun({ voiceFrom: 0.5, noneBelow: 0.35 });
    const says = likely.map((probability, at) => {
      verdicts.push({ atSample: (at + 1) * 256, probability });
      return verdicts.says;
    });
    return { verdicts, says };
  };

  it('is nothing before it has heard enough, then a voice or none', () => {
    expect(run(0.9, 0.9, 0.9).says).toEqual(['unsure', 'unsure', 'voice']);
    expect(run(...Array(NONE_WINDOWS).fill(0.1)).says.slice(-2)).toEqual(['unsure', 'none']);
    expect([VOICE_WINDOWS, NONE_WINDOWS]).toEqual([3, 8]);
  });

  it('goes on over what is neither, and begins with none of it', () => {
    const { says, verdicts } = run(0.9, 0.9, 0.9, 0.4, 0.4, 0.1);
    expect(says).toEqual(['unsure', 'unsure', 'voice', 'voice', 'voice', 'unsure']);
    expect([verdicts.voiceFrom, verdicts.voiceTo]).toEqual([0, 5 * 256]);
    expect(run(0.4, 0.4, 0.4, 0.4).says.at(-1)).toBe('unsure');
  });

  it('is doubted no longer with one window that is more than none', () => {
    expect(run(...Array(NONE_WINDOWS).fill(0.1), 0.4).says.at(-1)).toBe('unsure');
  });
});

describe('a detector and a model beside it', () => {
  it('have every case in the table', () => {
    const says: ModelSays[] = ['voice', 'unsure', 'none'];
    expect(says.map((model) => [VOICE_TABLE.voice[model], VOICE_TABLE.none[model]])).toEqual([
      ['speech', 'speech'],
      ['speech', 'silence'],
      ['silence', 'silence'],
    ]);
  });

  it('begin with the detector, and end where both have ended', () => {
    const { hear, told, stretches } = rig(true);
    hear(100, 0);
    hear(600, LOUD + VOICE);
    hear(400, 0);
    expect(told()).toEqual([
      ['start', 100, 140],
      ['end', 704, 760], // the last window with a voice in it ends a little after the detector's
    ]);
    expect(stretches).toEqual([{ detectorMs: 620, togetherMs: 620, laterMs: 0, away: false }]);
  });

  it('keep out what the detector takes for a voice and the model does not', () => {
    const { hear, told, stretches, vad } = rig(true);
    hear(400, 0);
    hear(2000, LOUD + NOISE);
    expect([vad.speaking, vad.quietBand]).toEqual([false, undefined]);
    hear(200, 0);
    expect(told()).toEqual([]);
    expect(stretches).toMatchObject([{ detectorMs: 2020, togetherMs: 0, away: false }]);
    expect(stretches[0]).not.toHaveProperty('laterMs');
  });

  it('begin as soon as the model doubts no longer, dated back to the onset', () => {
    const { hear, told } = rig(true);
    hear(400, 0);
    hear(160, LOUD + NOISE);
    hear(600, LOUD + VOICE);
    const [[type, fromMs, heardAtMs]] = told() as [[string, number, number]];
    expect([type, fromMs]).toEqual(['start', 400]);
    expect(heardAtMs).toBeGreaterThan(560);
    expect(heardAtMs).toBeLessThanOrEqual(620);
  });

  it('date back no further than what is kept of the sound', () => {
    const { hear, told, vad } = rig(true);
    hear(400, 0);
    hear(3000, LOUD + NOISE);
    hear(600, LOUD + VOICE);
    const [[, fromMs, heardAtMs]] = told() as [[string, number, number]];
    expect(heardAtMs - fromMs).toBe(400);
    expect(vad.heldFrames * 20).toBe(400);
  });

  it('end what the model denies, though the detector hears it on', () => {
    const { hear, told } = rig(true);
    hear(100, 0);
    hear(600, LOUD + VOICE);
    hear(2000, LOUD + NOISE);
    const [start, end] = told();
    expect(start).toEqual(['start', 100, 140]);
    expect(end!.slice(0, 2)).toEqual(['end', 704]);
    expect(end![2]).toBeGreaterThanOrEqual(704 + 8 * 32);
    expect(end![2]).toBeLessThanOrEqual(704 + 8 * 32 + 20);
    expect(told()).toHaveLength(2);
  });

  it('hear what the model hears and the detector does not', () => {
    const { hear, told, stretches, vad } = rig(true);
    hear(400, 0);
    hear(500, VOICE);
    expect([vad.speaking, vad.quietBand]).toEqual([true, undefined]);
    hear(400, 0);
    const [start, end] = told();
    expect(start![1]).toBe(416); // the first window that is wholly in it
    expect(start![2]).toBeLessThanOrEqual(416 + 96 + 20);
    expect(end![1]).toBe(928); // a window is judged by its beginning here
    expect(stretches).toMatchObject([{ detectorMs: 0 }]);
  });

  it.each(['late', 'gone', 'full'] as const)('are the detector alone at once where the model is away: %s', (why) => {
    const { hear, told, model, aways, stretches } = rig(true);
    hear(400, 0);
    hear(400, LOUD + NOISE);
    expect(told()).toEqual([]);
    model.holds = true;
    model.leave(why);
    hear(20, LOUD + NOISE);
    expect(told()).toEqual([['start', 420, 820]]);
    hear(2000, LOUD + NOISE);
    hear(100, 0);
    expect(told().slice(1)).toEqual([['end', 2820, 2880]]);
    expect(aways).toEqual([why]);
    expect(stretches).toMatchObject([{ away: true }]);
  });

  it('need a quarter of a second of what it says when it is back', () => {
    const { hear, told, model } = rig(true);
    hear(400, 0);
    model.leave('late');
    hear(200, LOUD + NOISE);
    expect(told()).toEqual([['start', 400, 440]]);
    hear(200, LOUD + NOISE);
    expect(told()).toHaveLength(2);
  });

  it('say what the detector says in shadow, and tell the difference', () => {
    const { hear, told, stretches, vad } = rig(false);
    hear(400, 0);
    hear(1000, LOUD + NOISE);
    hear(300, 0);
    hear(400, VOICE);
    hear(300, 0);
    expect(told()).toEqual([
      ['start', 400, 440],
      ['end', 1400, 1460],
    ]);
    expect(stretches.map(({ detectorMs, togetherMs }) => [detectorMs > 0, togetherMs > 0])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(vad.heldFrames).toBe(0);
  });

  it('begin anew together, and are closed once', () => {
    const { hear, told, model, vad, stretches } = rig(true);
    hear(100, 0);
    hear(600, LOUD + VOICE);
    vad.reset();
    expect([vad.speaking, model.resets, stretches.length]).toEqual([false, 1, 1]);
    hear(100, 0);
    hear(200, LOUD + VOICE);
    expect(told().at(-1)).toEqual(['start', 100, 840]);
    vad.close();
    vad.close();
    expect([model.closed, stretches.length]).toEqual([1, 2]);
    hear(100, LOUD + VOICE);
    expect(told()).toHaveLength(2);
  });
});
