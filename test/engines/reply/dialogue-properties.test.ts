import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actOf } from '../../../src/engines/reply/acts/act.ts';
import { readActs } from '../../../src/engines/reply/acts/read-acts.ts';
import type { CompiledAgent } from '../../../src/engines/reply/compiled-agent.ts';
import type { Turn } from '../../../src/engines/reply/contract.ts';
import { takeTurn } from '../../../src/engines/reply/dialogue.ts';
import { type DialogueState, initialState } from '../../../src/engines/reply/dialogue-state.ts';
import { PROPOSED_ACTS, type Proposal } from '../../../src/engines/reply/proposal/proposal.ts';
import { ReplayMemo, replay } from '../../../src/engines/reply/replay.ts';
import type { TurnOutcome, TurnSetting } from '../../../src/engines/reply/turn-draft.ts';
import { validate } from '../../../src/language/values/validate.ts';
import { wordsOf } from '../../../src/language/words.ts';
import { EVERY_TEST, LONG } from '../../support/property-runs.ts';
import { compiledAgents, plainAgent } from '../../support/reply-agents.ts';

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

interface Said {
  readonly text: string;
  readonly proposal?: Proposal;
}

/** A proposal about any sentence: known and unknown names, words that were said and words that were not. */
function anyProposal(agent: CompiledAgent): fc.Arbitrary<(text: string) => Proposal> {
  const { intents = [], knowledge = [] } = agent.definition;
  const names = [
    ...intents.map(({ name }) => `intent:${name}`),
    ...knowledge.map((_, topic) => `knowledge:${topic}`),
    ...agent.slots.map(({ name }) => name),
    ...['intent:refund', 'stock:cancel', 'constructor'],
  ];
  const act = fc.record({
    type: fc.constantFrom(...PROPOSED_ACTS),
    of: fc.option(fc.constantFrom(...names), { nil: undefined }),
    but: fc.boolean(),
    from: fc.nat(8),
    to: fc.nat(8),
    isSaid: fc.boolean(),
  });
  return fc.array(act, { maxLength: 3 }).map((acts) => (text) => ({
    acts: acts.map(({ type, of, but, from, to, isSaid }) => {
      const words = isSaid ? text.split(' ').slice(from, from + to + 1) : ['cancel', 'my', 'order'];
      return { type, words: words.join(' ') || text, but, ...(of !== undefined && { of }) };
    }),
    say: acts.length > 1 ? 'Oh dear.' : '',
  }));
}

const ASKS_ANEW = 'السلام عليكم ابي اخذ موعد عندكم الله يعافيك';
const proposed = (words: string, ...types: readonly Proposal['acts'][number]['type'][]): Proposal => ({
  acts: types.map((type) => ({ type, words })),
  say: 'Oh dear.',
});
/** Conversations of which a replay once waited for another yes. */
const broken: Readonly<Record<'delivery-en' | 'clinic-ar', Said[][]>> = {
  'delivery-en': [],
  'clinic-ar': [
    [
      {
        text: 'ابغى موعد تقويم لولدي راكان يوم الاربعا الساعة اربعة ونص ورقمي صفر خمسة خمسة تسعة ستة ستة سبعة سبعة واحد صفر',
      },
      { text: ASKS_ANEW, proposal: proposed('السلام', 'leave', 'other') },
      { text: ASKS_ANEW },
    ],
    [
      { text: 'صفر خمسة ستة سبعة ثمانية تسعة صفر اثنين لا غلط ثمانية تسعة صفر واحد اثنين ثلاثة' },
      { text: 'حط لي كشف باسم فهد العتيبي هالخميس على سبع المغرب' },
      { text: 'لا تذكرت عندي اجتماع خليها الظهر الساعة وحدة', proposal: proposed('لا', 'repeat') },
      { text: 'فيه عندكم مكان فاضي بكرة ولا كله محجوز' },
    ],
  ],
};

interface Turned {
  readonly before: DialogueState;
  readonly text: string;
  readonly outcome: TurnOutcome;
}

describe.each(['delivery-en', 'clinic-ar'] as const)('whatever is said to %s', (file) => {
  const agent = compiledAgents.get(plainAgent(file));
  const sentence = fc.constantFrom(...sentencesOf(file));
  const alone = sentence.map((text): Said => ({ text }));
  const modelled = fc.tuple(sentence, anyProposal(agent)).map(([text, make]): Said => ({ text, proposal: make(text) }));

  function talk(said: readonly Said[]): Turned[] {
    const turns: Turned[] = [];
    let state = initialState(agent.language);
    for (const { text, proposal } of said) {
      const outcome = takeTurn(agent, state, text, SETTING, proposal);
      turns.push({ before: state, text, outcome });
      state = outcome.state;
      if (outcome.action?.type === 'hangup' || outcome.action?.type === 'transfer') break;
    }
    return turns;
  }

  const guess = (words: readonly { readonly text: string }[]) => agent.guess(words.map((word) => word.text));

  it.each([
    ['without a model', alone],
    ['whatever a model proposes', modelled],
  ])('acts only on a yes, on what was read back, within the rules, on nothing that is forbidden: %s', (_, turn) => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: MAX_TURNS }), (said) => {
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
      { numRuns: LONG ? 10_000 : 15 },
    );
  });

  it.runIf(EVERY_TEST || broken[file].length > 0)(
    'a history without the model waits for a yes to nothing but what was read back',
    () => {
      const memo = new ReplayMemo();
      fc.assert(
        fc.property(fc.array(modelled, { minLength: 2, maxLength: 6 }), (said) => {
          const history: Turn[] = [];
          for (const { text, outcome } of talk(said)) {
            const lines = outcome.lines.map((line) => line.text).join(' ');
            if (text !== '') history.push({ role: 'caller', text });
            history.push({ role: 'agent', text: lines });
            const { pending, flow, slots } = replay(agent, history, SETTING, memo).state;
            if (pending.kind !== 'confirm-flow') continue;
            expect({ pending, flow, slots }).toEqual({ pending, flow: outcome.state.flow, slots: outcome.state.slots });
          }
        }),
        { numRuns: LONG ? 1_000 : 6, examples: broken[file].map((said) => [said]) },
      );
    },
  );

  it.each(['', '?', 'hmm'])('a caller who only says "%s" is not kept for ever', (text) => {
    const turns = talk(Array.from({ length: TURNS_TO_THE_END }, () => ({ text })));
    expect(turns.at(-1)!.outcome.action).toBeDefined();
  });

  it.runIf(EVERY_TEST || file === 'delivery-en')(
    'one sentence over and over ends, even where it can be answered every time',
    () => {
      fc.assert(
        fc.property(sentence, (text) => {
          const turns = talk(Array.from({ length: TURNS_TO_THE_END }, () => ({ text })));
          expect(turns.at(-1)!.outcome.action, text).toBeDefined();
        }),
        { numRuns: LONG ? 500 : 8 },
      );
    },
  );
});
