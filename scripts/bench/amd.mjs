// Who answers: a person or a machine, on recordings that are made by synthesis. `tune` is what the rules were made with; `test`
// has other voices and other texts, and says what they are worth.
import { GREETING_END_MS, MACHINE_RULES, MachineDecision } from '../../dist/call/machine/machine-decision.js';
import { createVadEngine } from '../../dist/engines/vad/vad-engines.js';
import { recordingsOf } from './amd/recordings.mjs';

const FRAME = 160;
const sets = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const verbose = process.argv.includes('--verbose');
const engine = await createVadEngine('combined');

/** Hears one recording as a call does. */
export function hear({ samples }, rules = MACHINE_RULES) {
  const vad = engine.open({ startMs: 60, hangoverMs: 120, minLevelDb: 8 });
  const decision = new MachineDecision(rules);
  let [decidedMs, messageMs] = [0, 0];
  for (let at = 0; at + FRAME <= samples.length; at += FRAME) {
    const frame = samples.subarray(at, at + FRAME);
    vad.push({ samples: frame, sampleRateHz: 8000 });
    decision.push({ samples: frame, levelDb: vad.levelDb, speaking: vad.speaking });
    const ms = (at + FRAME) / 8;
    if (decision.decided && decidedMs === 0) decidedMs = ms;
    const over = decision.beep === 'over' || (decision.beep === 'none' && decision.silenceMs >= GREETING_END_MS);
    if (decision.decided === 'machine' && over && messageMs === 0) messageMs = ms;
  }
  vad.close();
  return { decided: decision.decided ?? 'none', decidedMs, messageMs, beep: decision.beep };
}

const percentile = (values, share) => values.sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;

for (const set of sets.length > 0 ? sets : ['tune', 'test']) {
  const heard = recordingsOf(set).map((one) => ({ ...one, ...hear(one) }));
  console.log(`\n${set}: ${heard.length} recordings`);
  console.log('| who answered | human | machine | unknown | decided after, median / last |');
  console.log('|---|---:|---:|---:|---|');
  for (const who of ['human', 'machine', 'silent']) {
    const of = heard.filter((one) => one.who === who);
    const count = (decided) => of.filter((one) => one.decided === decided).length;
    const times = of.map(({ decidedMs }) => decidedMs);
    console.log(
      `| ${who} (${of.length}) | ${count('human')} | ${count('machine')} | ${count('unknown')} | ${percentile(times, 0.5)} / ${percentile(times, 0.9999)} ms |`,
    );
  }
  const beeps = heard.filter(({ who, beepHz }) => who === 'machine' && beepHz > 0);
  const found = beeps.filter(({ beep }) => beep === 'over');
  const late = found.map(({ messageMs, beepEndMs }) => messageMs - beepEndMs).filter((ms) => ms > -1e6);
  const early = beeps.filter(
    ({ decided, messageMs, beepEndMs }) => decided === 'machine' && messageMs < beepEndMs - 40,
  );
  const falls = heard.filter(({ beepHz, beep }) => !beepHz && beep !== 'none').length;
  console.log(
    `beeps found ${found.length} of ${beeps.length}, heard where there is none ${falls}; ` +
      `the message begins ${percentile(late, 0.5)} ms after the beep (median), before its end in ${early.length}`,
  );
  for (const one of verbose ? heard : []) {
    const wrong = one.who === 'silent' ? one.decided === 'machine' : one.decided !== one.who;
    if (!wrong) continue;
    const { who, decided, decidedMs, voice, noise, snrDb, delayMs, levelDb, text } = one;
    console.log(
      `${who} -> ${decided} at ${decidedMs}  ${voice}  ${noise} ${snrDb} dB  +${delayMs} ms  ${levelDb} dB  ${text}`,
    );
  }
}
