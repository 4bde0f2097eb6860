import { describe, expect, it } from 'vitest';
import { SAID_ACTS, type SaidAct, saidSentences } from '../../../src/engines/reply/acts/said-acts.ts';
import { takeTurn } from '../../../src/engines/reply/dialogue.ts';
import { type DialogueState, initialState } from '../../../src/engines/reply/dialogue-state.ts';
import type { TurnOutcome, TurnSetting } from '../../../src/engines/reply/turn-draft.ts';
import { languageOfText } from '../../../src/language/detect-language.ts';
import { LONG } from '../../support/property-runs.ts';
import { agentFromConfig, compiledAgents } from '../../support/reply-agents.ts';

/** A Sunday. */
const SETTING: TurnSetting = { today: { year: 2026, month: 11, day: 22 }, mode: 'voice', variables: {}, trusted: true };
const AGENTS = {
  en: compiledAgents.get(agentFromConfig('delivery-en')),
  ar: compiledAgents.get(agentFromConfig('clinic-ar')),
};
/** What was said until the agent reads back, has done it, or asks for a value. */
const SAID_BEFORE = {
  en: {
    'read back': [
      'please deliver my order on another day',
      'four five two one',
      'sami haddad',
      'on wednesday',
      'morning',
    ],
    'to be cancelled': ['i want to cancel my order', 'four five two one', 'sami haddad'],
    done: ['where is my order', 'four five two one'],
    'asked the day': ['please deliver my order on another day', 'four five two one', 'sami haddad'],
    'asked the number': ['i want to cancel my order'],
    'asked the name': ['i want to cancel my order', 'four five two one'],
  },
  ar: {
    'read back': [
      'ابغى احجز تنظيف',
      'الاربعاء',
      'الساعة خمس العصر',
      'سالم',
      'صفر خمسة خمسة واحد اثنين ثلاثة أربعة خمسة ستة سبعة',
    ],
    'to be cancelled': ['ابغى الغي موعدي', 'صفر خمسة خمسة واحد اثنين ثلاثة أربعة خمسة ستة سبعة', 'خالد'],
    done: ['متى موعدي', 'صفر خمسة خمسة واحد اثنين ثلاثة أربعة خمسة ستة سبعة', 'خالد'],
    'asked the day': ['ابغى احجز تنظيف'],
    'asked the number': ['ابغى الغي موعدي'],
    'asked the name': ['ابغى احجز تنظيف', 'الاربعاء', 'الساعة خمس العصر'],
  },
} as const;
type Language = keyof typeof SAID_BEFORE;
type Place = keyof (typeof SAID_BEFORE)['en'];

function at(language: Language, place: Place): DialogueState {
  const say = (state: DialogueState, text: string): DialogueState =>
    takeTurn(AGENTS[language], state, text, SETTING).state;
  return SAID_BEFORE[language][place].reduce(say, initialState(language));
}

function outcomeOf(before: DialogueState, { state, action, done, trace }: TurnOutcome): string {
  if (action) return action.type;
  if (done.length > 0) return 'done';
  if (before.flow !== undefined && state.flow === undefined) return 'left';
  if (state.pending.kind === 'change') return 'asked what to change';
  const rule = trace[0] && 'rule' in trace[0] ? trace[0].rule : '';
  return rule === 'thinking'
    ? 'given time'
    : JSON.stringify(state.slots) === JSON.stringify(before.slots)
      ? 'asked again'
      : 'value';
}

describe('words that no rule knows', () => {
  it.each<[Language, Place, string, string]>([
    ['en', 'to be cancelled', 'hundred percent', 'done'],
    ['en', 'to be cancelled', 'yes true stop it', 'done'],
    ['en', 'read back', 'spot on my friend', 'done'],
    ['en', 'read back', 'yeah nah let us leave that for now', 'left'],
    ['en', 'read back', 'my sister is telling me to keep it the way it was so leave it', 'left'],
    ['en', 'done', 'that was everything, cheers dear, mind yourself', 'hangup'],
    ['en', 'asked the day', 'I am boarding my flight now, I will phone you again after it', 'left'],
    ['en', 'asked the day', 'alright then make it tomorrow', 'value'],
    ['en', 'asked the number', 'hold the line, it is somewhere in this handbag', 'given time'],
    ['en', 'asked the number', 'my wife has that, I never saw it', 'asked again'],
    ['ar', 'to be cancelled', 'مية بالمية', 'done'],
    ['ar', 'read back', 'على بركة الله اعتمديها', 'done'],
    ['ar', 'read back', 'ايه بس اقول خلاص اتركها الوالد يقول ما له داعي', 'left'],
    ['ar', 'done', 'ابد سلامتكم والله يعطيكم العافية', 'hangup'],
    ['ar', 'asked the day', 'انا اسوق الحين اكلمكم اذا وصلت البيت', 'left'],
    ['ar', 'asked the number', 'ثواني اطلع الجوال الثاني من السيارة', 'given time'],
    ['ar', 'asked the name', 'ام فهد', 'value'],
  ])('%s, %s: "%s": %s', (language, place, text, expected) => {
    const before = at(language, place);
    expect(outcomeOf(before, takeTurn(AGENTS[language], before, text, SETTING))).toBe(expected);
  });
});

/** Every so many of the sentences; all of them in a long run. */
const EVERY = LONG ? 1 : 6;

describe('sentences of callers', () => {
  const all = saidSentences();
  const lines = (acts: readonly SaidAct[]): string[] =>
    all.flatMap(({ act, text }) => (acts.includes(act) ? [text] : []));

  it('have an act each, and none is said twice', () => {
    const texts = all.map(({ text }) => text);
    expect(all.filter(({ act, text }) => !SAID_ACTS.includes(act) || text.trim() === '')).toEqual([]);
    expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([]);
    for (const act of SAID_ACTS) expect(lines([act]).length, act).toBeGreaterThan(100);
  });

  it.each(['en', 'ar'] as const)('that leave, deny, correct or wait let nothing be done, %s', (language) => {
    const before = at(language, 'read back');
    const own = lines(['leave', 'no', 'correct', 'wait']).filter((text) => languageOfText(text) === language);
    const acted = own
      .filter((_, i) => i % EVERY === 0)
      .filter((text) =>
        takeTurn(AGENTS[language], before, text, SETTING).done.some(({ flow }) => flow === before.flow),
      );
    expect(acted).toEqual([]);
  });
});
