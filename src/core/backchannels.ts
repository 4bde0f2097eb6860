import type { Language } from './agent.ts';

/**
 * What listeners say to show that they listen, and that means nothing else while somebody speaks.
 *
 * English: the acknowledgements and appreciations that the coders' manual of SWBD-DAMSL lists for telephone talk (Jurafsky,
 * Shriberg, Biasca 1997: tags `b`, `bk`, `ba`), short ones. Arabic: own list, Saudi and neighbouring dialects.
 */
export const BACKCHANNELS: Readonly<Record<Language, readonly string[]>> = {
  en: [
    ...[
      'uh huh',
      'uhhuh',
      'mm hmm',
      'mhm',
      'mm',
      'hmm',
      'hm',
      'huh',
      'aha',
      'ah',
      'oh',
      'oh okay',
      'yeah',
      'yep',
      'yes',
    ],
    ...[
      'okay',
      'ok',
      'right',
      'all right',
      'alright',
      'sure',
      'i see',
      'got it',
      'good',
      'great',
      'fine',
      'cool',
      'nice',
    ],
    ...['of course', 'exactly', 'really', 'wow'],
  ],
  ar: [
    ...[
      'نعم',
      'ايوه',
      'ايوا',
      'ايه',
      'اي',
      'اها',
      'آها',
      'امم',
      'اممم',
      'همم',
      'طيب',
      'تمام',
      'اوكي',
      'اوك',
      'صح',
      'صحيح',
    ],
    ...['ماشي', 'زين', 'حلو', 'ممتاز', 'مفهوم', 'واضح', 'اكيد', 'ابشر', 'سمعتك', 'معك', 'الله', 'والله', 'ماشاءالله'],
  ],
};

/** What a recogniser makes of them: short, without a meaning of its own in the middle of somebody else's sentence. */
export const MISHEARD_BACKCHANNELS: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'a',
    'the',
    'um',
    'uh',
    'a huh',
    'uh oh',
    'o',
    '0', // oh, where numbers may be said
    'k',
    'm',
    'm m',
    'her',
    'hum',
    'um hum',
    'rite',
    'write',
    'ya',
    'yah',
  ],
  ar: ['آه', 'اه', 'ام', 'مم', 'هم', 'ها', 'اوه', 'ايو', 'طب', 'تم'],
};

/** Single words by which people take the floor. */
export const STOP_WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: ['stop', 'wait', 'no', 'sorry', 'excuse', 'listen', 'hold', 'hello'],
  ar: ['لا', 'وقف', 'لحظة', 'لحظه', 'دقيقة', 'دقيقه', 'استنى', 'انتظر', 'اسمع', 'اسمعني', 'خلاص', 'عفوا'],
};

/** Words that begin or fill a sentence and say nothing alone: what a recogniser that looks for sentences puts into a noise. */
export const WEAK_WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: (
    'a an the i you he she it we they me my your his her our their this that these those is am are was were be been do does ' +
    'did have has had can could will would should may might of to for in on at by with from and or but if so as than then ' +
    'now here there just also too id im its'
  ).split(' '),
  ar: [
    'في',
    'على',
    'من',
    'الى',
    'عن',
    'مع',
    'هذا',
    'هذه',
    'ذا',
    'هو',
    'هي',
    'انا',
    'انت',
    'و',
    'او',
    'ان',
    'ما',
    'يا',
    'الحين',
  ],
};
