import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actOf } from '../../../src/engines/reply/acts/act.ts';
import { readActs } from '../../../src/engines/reply/acts/read-acts.ts';
import { takeTurn } from '../../../src/engines/reply/dialogue.ts';
import { type DialogueState, initialState } from '../../../src/engines/reply/dialogue-state.ts';
import { wordsOf } from '../../../src/engines/reply/fold.ts';
import { validate } from '../../../src/engines/reply/slots/validate.ts';
import type { TurnOutcome, TurnSetting } from '../../../src/engines/reply/turn-draft.ts';
import { LONG } from '../../support/property-runs.ts';
import { agentFromConfig, compiledAgents } from '../../support/reply-agents.ts';

const TODAY = { year: 2026, month: 11, day: 22 };
const SETTING: TurnSetting = { today: TODAY, mode: 'voice', variables: {}, trusted: true };
const MAX_TURNS = 14;
/** Whatever is said, a call without a useful word is over by then. */
const TURNS_TO_THE_END = 40;

interface Row {
  readonly kind: 'first' | 'dialogue';
  readonly text?: string;
  readonly opening?: readonly string[];
  readonly answers?: Readonly<Record<string, readonly string[]>>;
}

/** Everything that callers of the unseen sets say, and what the engine listens for most. */
function sentencesOf(file: 'delivery-en' | 'clinic-ar'): string[] {
  const text = readFileSync(new URL(`./unseen/${file}-1.jsonl`, import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line !== '');
  const said = rows.flatMap((line) => {
    const row = JSON.parse(line) as Row;
    return [row.text ?? '', ...(row.opening ?? []), ...Object.values(row.answers ?? {}).flat()];
  });
  const plain =
    file === 'delivery-en'
      ? [
          'yes',
          'no',
          'yes but wait',
          'do not do it',
          'cancel my order',
          'never mind',
          '4521',
          '7788',
          'tomorrow',
          'on friday',
          'the 31st of february',
        ]
      : [
          'ايه',
          'لا',
          'ايه بس لحظه',
          'لا تسوي شي',
          'الغي موعدي',
          'خلاص',
          '0551234567',
          'بكرة',
          'الجمعة',
          'واحد وثلاثين نوفمبر',
          'الساعة ثلاث',
        ];
  return [...new Set([...said, ...plain, ''])];
}

interface Turned {
  readonly before: DialogueState;
  readonly text: string;
  readonly outcome: TurnOutcome;
}

describe.each(['delivery-en', 'clinic-ar'] as const)('whatever is said to %s', (file) => {
  const agent = compiledAgents.get(agentFromConfig(file));
  const sentence = fc.constantFrom(...sentencesOf(file));
  const dialogue = fc.array(sentence, { minLength: 1, maxLength: MAX_TURNS });

  function talk(said: readonly string[]): Turned[] {
    const turns: Turned[] = [];
    let state = initialState(agent.language);
    for (const text of said) {
      const outcome = takeTurn(agent, state, text, SETTING);
      turns.push({ before: state, text, outcome });
      state = outcome.state;
      if (outcome.action?.type === 'hangup' || outcome.action?.type === 'transfer') break;
    }
    return turns;
  }

  const guess = (words: readonly { readonly text: string }[]) => agent.guess(words.map((word) => word.text));

  it('acts only on a yes, on what was read back, within the rules, and on nothing that is forbidden', () => {
    fc.assert(
      fc.property(dialogue, (said) => {
        for (const { before, text, outcome } of talk(said)) {
          expect(outcome.lines.length + (outcome.tool ? 1 : 0), 'something is said').toBeGreaterThan(0);
          if (outcome.done.length === 0) continue;
          const heard = readActs(agent, wordsOf(text), text, TODAY, guess);
          for (const { flow: name, slots } of outcome.done) {
            const flow = agent.flows.get(name)!;
            if (flow.confirm !== undefined) {
              expect(before.pending.kind, 'was read back').toBe('confirm-flow');
              expect(actOf(heard, 'affirm'), 'a yes without a but').toMatchObject({ conditional: false });
              expect(slots, 'as it was read back').toEqual(before.slots);
            }
            for (const slot of flow.slots) {
              const refusal = validate(slot, slots[slot.name]!, { today: TODAY, minuteOfDay: 0 });
              expect(refusal, `${slot.name} keeps to its rules`).toBeUndefined();
            }
            const forbidden = heard.acts.flatMap((act) =>
              act.type === 'forbid' && act.sure ? [agent.meaning(act.id)] : [],
            );
            expect(
              forbidden.map((one) => one?.kind === 'intent' && one.intent.flow),
              'not forbidden',
            ).not.toContain(name);
          }
        }
      }),
      { numRuns: LONG ? 10_000 : 60 },
    );
  });

  it.each(['', '?', 'hmm'])('a caller who only says "%s" is not kept for ever', (text) => {
    const turns = talk(Array.from({ length: TURNS_TO_THE_END }, () => text));
    expect(turns.at(-1)!.outcome.action).toBeDefined();
  });

  it('one sentence over and over ends, unless it is answered every time', () => {
    fc.assert(
      fc.property(sentence, (text) => {
        const turns = talk(Array.from({ length: TURNS_TO_THE_END }, () => text));
        const useful = turns.some(
          ({ outcome }) => outcome.done.length > 0 || outcome.meant.some((id) => id.startsWith('knowledge:')),
        );
        if (!useful) expect(turns.at(-1)!.outcome.action, text).toBeDefined();
      }),
      { numRuns: LONG ? 500 : 25 },
    );
  });
});
