import type { Language } from '../../core/agent.ts';

/** What is said when a value cannot be taken and the agent's author gave no reason: the rule itself, kindly. */
export const REFUSAL_PHRASES = {
  'no-such-day': { en: '{{month}} has only {{days}} days.', ar: '{{month}} {{days}} يوم بس.' },
  'other-weekday': { en: '{{date}} is a {{weekday}}.', ar: '{{date}} يوافق يوم {{weekday}}.' },
  'several-days': { en: 'Which day of the weekend would that be?', ar: 'أي يوم من نهاية الأسبوع؟' },
  'closed-weekday': { en: 'We are closed on {{weekday}}s.', ar: '{{weekday}} إجازة عندنا.' },
  'closed-day': { en: 'We are closed on {{day}}.', ar: 'عندنا إجازة {{day}}.' },
  'too-early': { en: 'The earliest day is {{day}}.', ar: 'أقرب يوم {{day}}.' },
  'too-late': { en: 'The latest day is {{day}}.', ar: 'آخر يوم نقدر نحجزه {{day}}.' },
  past: { en: 'That has already passed.', ar: 'هذا الوقت فات.' },
  'closed-hour': { en: 'Our hours are from {{from}} to {{to}}.', ar: 'الدوام من {{from}} إلى {{to}}.' },
  'before-opening': { en: 'We open at {{from}}.', ar: 'نفتح {{from}}.' },
  'after-closing': { en: 'It has to be before {{to}}.', ar: 'لازم يكون قبل {{to}}.' },
  'no-such-time': { en: 'There is no such time.', ar: 'ما فيه وقت كذا.' },
  'which-half': { en: 'Do you mean {{early}}, or {{late}}?', ar: 'تقصد {{early}}، أو {{late}}؟' },
  'wrong-length': { en: 'That should have {{digits}} digits.', ar: 'الرقم لازم يكون {{digits}} خانات.' },
  'no-such-number': { en: 'Nobody can be called on that number.', ar: 'هذا مو رقم جوال صحيح.' },
  'no-such-choice': { en: 'That is not one of the choices.', ar: 'هذا مو من الخيارات.' },
} as const satisfies Record<string, { readonly [L in Language]: string }>;

/** Days that are near are named by how far they are. */
export const NEAR_DAYS: readonly { readonly [L in Language]: string }[] = [
  { en: 'today', ar: 'اليوم' },
  { en: 'tomorrow', ar: 'بكرة' },
];
