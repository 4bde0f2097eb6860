import type { Language } from '../core/agent.ts';

/** How the name of a Latin capital sounds, in Arabic letters. */
export const LETTER_NAMES_AR: Readonly<Record<string, string>> = {
  A: 'إيه',
  B: 'بي',
  C: 'سي',
  D: 'دي',
  E: 'إي',
  F: 'إف',
  G: 'جي',
  H: 'إتش',
  I: 'آي',
  J: 'جيه',
  K: 'كيه',
  L: 'إل',
  M: 'إم',
  N: 'إن',
  O: 'أو',
  P: 'بي',
  Q: 'كيو',
  R: 'آر',
  S: 'إس',
  T: 'تي',
  U: 'يو',
  V: 'في',
  W: 'دبليو',
  X: 'إكس',
  Y: 'واي',
  Z: 'زد',
};

/** Digits as they are said one by one, by value. */
export const DIGIT_WORDS: Readonly<Record<Language, readonly string[]>> = {
  ar: ['صفر', 'واحد', 'اثنان', 'ثلاثة', 'أربعة', 'خمسة', 'ستة', 'سبعة', 'ثمانية', 'تسعة'],
  en: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
};

/** Letters of Arabic words used as labels (`فئة أ`, plates), by name. */
export const ARABIC_LETTER_NAMES: Readonly<Record<string, string>> = {
  ا: 'ألف',
  أ: 'ألف',
  ب: 'باء',
  ح: 'حاء',
  د: 'دال',
  ر: 'راء',
  س: 'سين',
  ص: 'صاد',
  ط: 'طاء',
  ع: 'عين',
  ق: 'قاف',
  ك: 'كاف',
  ل: 'لام',
  م: 'ميم',
  ن: 'نون',
  ه: 'هاء',
  و: 'واو',
  ي: 'ياء',
  ى: 'ياء',
};
