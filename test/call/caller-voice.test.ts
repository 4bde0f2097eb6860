import { describe, expect, it } from 'vitest';
import { SpeechLevels } from '../../src/audio/speech-levels.ts';
import { CallerVoice } from '../../src/call/caller-voice.ts';

/** 900 ms of somebody so loud, whose levels move by 10 dB up and down or, like those of many people, by `moveDb`. */
function voice(loudDb: number, moveDb = 10): SpeechLevels {
  const levels = new SpeechLevels();
  for (let frame = 0; frame < 45; frame += 1) levels.push(frame % 2 === 0 ? loudDb : loudDb - 2 * moveDb);
  return levels;
}

describe('whose voice is over the agent’s', () => {
  it.each([
    { name: 'as loud as the caller', levels: voice(-20), is: 'callers' },
    { name: 'a little softer', levels: voice(-22), is: 'callers' },
    { name: 'softer', levels: voice(-23), is: 'doubted' },
    { name: 'softer, begun just now', levels: voice(-23), frames: 12, is: 'doubted' },
    { name: 'much softer', levels: voice(-26), is: 'distant' },
    { name: 'as loud, by people talking at once', levels: voice(-20, 4.5), is: 'distant' },
    { name: 'as loud, moving little', levels: voice(-20, 6), is: 'doubted' },
    { name: 'as loud, begun just now', levels: voice(-20, 4.5), frames: 12, is: 'callers' },
    { name: 'quiet at this moment', levels: voice(-20), levelDb: -39, is: 'pausing' },
    { name: 'louder, nothing until now, surely one voice', levels: voice(-20), frames: undefined, is: 'callers' },
    { name: 'nothing until now, hardly one voice', levels: voice(-20, 7), frames: undefined, is: 'distant' },
    { name: 'nothing until now, and quiet', levels: voice(-20), frames: undefined, levelDb: -39, is: 'distant' },
  ])('that is $name: $is', ({ levels, levelDb = -20, is, ...rest }) => {
    const caller = new CallerVoice();
    caller.learn(-20);
    expect(caller.judge(levels, 'frames' in rest ? rest.frames : 45, levelDb)).toBe(is);
  });

  it('stays distant in one sound, however loud it becomes, unless it only began so', () => {
    const caller = new CallerVoice();
    caller.learn(-20);
    const judge = (loudDb: number, frames: number) => caller.judge(voice(loudDb), frames, loudDb);
    expect([judge(-30, 19), judge(-20, 20), judge(-30, 20), judge(-20, 45)]).toEqual([
      'distant',
      'callers',
      'distant',
      'distant',
    ]);
    caller.begin();
    expect(judge(-20, 45)).toBe('callers');
  });

  it('is somebody’s before the caller has said anything', () => {
    const caller = new CallerVoice();
    caller.learn(Number.NEGATIVE_INFINITY);
    expect(caller.judge(voice(-35), 34, -35)).toBe('unknown'); // one or several: that is told by what lasts
    expect(caller.judge(voice(-35), 35, -35)).toBe('somebodys');
    expect(caller.isBehind(-60)).toBe(false);
  });

  it('is behind the caller from 10 dB less on, who may become softer turn by turn', () => {
    const caller = new CallerVoice();
    caller.learn(-20);
    expect([caller.isBehind(-29.9), caller.isBehind(-30.1)]).toEqual([false, true]);
    for (let turn = 0; turn < 3; turn += 1) caller.learn(-26);
    expect(caller.isBehind(-32)).toBe(false);
  });
});
