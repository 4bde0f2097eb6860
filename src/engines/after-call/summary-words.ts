import type { Localized } from '../../core/agent.ts';
import type { CallResult } from '../../core/call-result.ts';

/** What summaries are made of. `{wish}`, `{values}` and `{question}` are filled in. */
type Words = Required<Localized>;

export const ABOUT: Words = { en: 'The call was about {wish}.', ar: 'كان الاتصال بخصوص {wish}.' };
export const ASKED: Words = { en: 'The caller asked: {question}', ar: 'سأل المتصل: {question}' };
/** What is no wish of the agent's own. */
export const OCCASIONS: Readonly<Record<string, Words>> = {
  complaint: { en: 'The caller complained.', ar: 'قدّم المتصل شكوى.' },
  emergency: { en: 'The caller reported an emergency.', ar: 'بلّغ المتصل عن حالة طارئة.' },
};
export const WITH_VALUES: Words = { en: 'It was done ({values}).', ar: 'تم ذلك ({values}).' };

export const RESULTS: Readonly<Record<CallResult, Words>> = {
  done: { en: 'It was done.', ar: 'تم ما طلبه المتصل.' },
  answered: { en: 'It was answered.', ar: 'تمت الإجابة.' },
  transferred: { en: 'The caller was put through to a person.', ar: 'تم تحويل المتصل إلى موظف.' },
  unreached: {
    en: 'The caller was to be put through, and nobody took the call.',
    ar: 'كان التحويل إلى موظف مطلوبًا ولم يرد أحد.',
  },
  'given-up': { en: 'It was not completed.', ar: 'لم يكتمل شيء.' },
  'hung-up': { en: 'The caller hung up before anything was completed.', ar: 'أنهى المتصل المكالمة قبل أن يكتمل شيء.' },
  'not-understood': { en: 'What the caller said was not understood.', ar: 'لم يُفهم كلام المتصل.' },
  'nothing-said': { en: 'The caller said nothing.', ar: 'لم يقل المتصل شيئًا.' },
  machine: { en: 'An answering machine took the call.', ar: 'ردّ على المكالمة مجيب آلي.' },
  failed: { en: 'The call broke off because of a fault.', ar: 'انقطعت المكالمة بسبب عطل.' },
};
/** Between the two sentences. */
export const JOINED: Words = { en: '', ar: 'و' };
export const AND: Words = { en: ' and ', ar: ' و' };
export const SEMICOLON: Words = { en: '; ', ar: '؛ ' };
