import type { Language } from '../core/agent.ts';

/**
 * Words after which a sentence goes on: articles, prepositions, conjunctions, possessives, forms of "to be" and "want", and the
 * sounds of somebody who thinks. Own list: closed classes of English, and of Arabic as it is spoken in the Gulf.
 */
export const OPEN_ENDINGS: Readonly<Record<Language, readonly string[]>> = {
  en: [
    ...['and', 'or', 'but', 'so', 'because', 'if', 'than', 'as'],
    ...['a', 'an', 'the', 'my', 'your', 'his', 'our', 'their', 'another'],
    ...['to', 'of', 'for', 'with', 'at', 'on', 'in', 'from', 'by', 'about', 'into', 'between', 'until', 'till'],
    ...[
      'is',
      'are',
      'was',
      'were',
      'am',
      "i'm",
      "it's",
      'will',
      'would',
      'can',
      'could',
      'should',
      'want',
      'need',
      'wanna',
    ],
    ...[
      'i',
      'we',
      'they',
      'he',
      'she',
      'please tell me',
      'um',
      'uh',
      'er',
      'erm',
      'hmm',
      'well',
      'like',
      'number',
      'called',
    ],
  ],
  ar: [
    ...['و', 'أو', 'او', 'ثم', 'بس', 'لكن', 'اذا', 'لان', 'لأن', 'عشان', 'علشان', 'ان', 'انه', 'اللي', 'يعني'],
    ...['في', 'من', 'على', 'الى', 'إلى', 'عن', 'مع', 'بين', 'لين', 'حق', 'عند', 'قبل', 'بعد', 'ال'],
    ...[
      'رقم',
      'رقمي',
      'اسمي',
      'هو',
      'هي',
      'انا',
      'ابغى',
      'أبغى',
      'ابي',
      'أبي',
      'ودي',
      'اريد',
      'أريد',
      'حاب',
      'لازم',
      'ممكن',
    ],
    ...['هذا', 'هذي', 'كل', 'اه', 'اممم', 'امم', 'طيب انا'],
  ],
};

/** Of a sentence that is begun with them alone, the rest is still to come. */
export const QUESTION_WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: ['where', 'when', 'how', 'what', 'who', 'why', 'which'],
  ar: ['وين', 'فين', 'متى', 'كيف', 'شلون', 'وش', 'ايش', 'إيش', 'شو', 'كم', 'ليش', 'مين', 'هل'],
};

/** What is said after a sentence that is complete without it. */
export const POLITE_ENDINGS: Readonly<Record<Language, readonly string[]>> = {
  en: ['please', 'thanks', 'thank you', 'now', 'today'],
  ar: ['لو سمحت', 'من فضلك', 'شكرا', 'الله يعافيك', 'الحين', 'اليوم', 'يعطيك العافية'],
};

/** Whole answers to a question of yes or no. */
export const SHORT_ANSWERS: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'yes',
    'yeah',
    'yep',
    'no',
    'nope',
    'okay',
    'ok',
    'correct',
    'right',
    'sure',
    'yes please',
    'no thanks',
    'no thank you',
  ],
  ar: ['نعم', 'ايوه', 'أيوه', 'ايه', 'إيه', 'اي', 'لا', 'صح', 'تمام', 'طيب', 'اوكي', 'أوكي', 'لا شكرا', 'ايوه صح'],
};
