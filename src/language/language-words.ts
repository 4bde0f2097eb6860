/**
 * Words that speakers of both languages use on the telephone, folded: whoever says one has not changed the language.
 */
export const BORROWED_WORDS: readonly string[] = [
  'ok okay okey yes yeah yep yup no nope hi hello hey bye goodbye thanks thank you please sorry welcome fine sure good perfect alo',
  'email e mail gmail hotmail yahoo dot com net sms whatsapp app application web website online link otp pin code id iban vat wifi internet',
  'password user username account bank card visa mastercard mada apple google pay cash delivery order tracking number mobile phone',
  'uber careem taxi hotel mall cafe coffee pizza burger doctor dr mr mrs miss sir laser botox filler x ray am pm vip it hr pc tv usb sim',
  'نعم لا ايوه ايوا اي طيب تمام خلاص يلا اوكي اوك الو هلا مرحبا مرحبتين اهلا السلام عليكم وعليكم سلام شكرا مشكور يعطيك العافيه',
  'ان شاء الله انشاء انشالله الحمد لله والله ماشاء ما باي مع السلامه حبيبي حياك لو سمحت ايميل واتساب ابشر',
];

/** What the languages are called, without article and preposition, folded. */
export const LANGUAGE_NAMES: Readonly<Record<'ar' | 'en', string>> = {
  ar: 'arabic arabi عربي عربيه عربى',
  en: 'english inglish engleezi انجليزي انجليزيه انقليزي انقليزيه انكليزي انكليزيه انجلش انقلش انجليش',
};

/** What may stand beside the name of a language where speaking it is all that is wished for, folded. */
export const LANGUAGE_WISH_WORDS: readonly string[] = [
  'please pls in to speak speaking talk can could would will you we i me us let lets do want wanna id like prefer continue switch change go',
  'language the it is possible for yes no hello hi hey sorry only a bit with my now ok okay um uh not dont cannot cant any understand sir',
  'لو سمحت سمحتي ممكن كلمني كلميني كلمنا نتكلم تتكلم تتكلمين اتكلم تكلم تكلمي ابغي ابغا ابي ودي اريد حول حولي غير غيري اللغه لغه الي علي',
  'يا اخوي اختي من فضلك رجاء بس فقط نعم لا عفوا هل تقدر تقدرين نكمل كمل خلنا خلينا الرد ما مو مب اعرف افهم احكي نحكي تحكي خدمه بال طيب',
];

/** `I do not speak Arabic`: what is said of the language after these is that it is not known. */
export const UNKNOWN_LANGUAGE =
  /\b(?:i (?:dont|do not|cant|cannot|can not)|not)\b|(?:^|\s)(?:ما (?:اعرف|افهم|اتكلم|احكي)|مو|مب)(?=\s)/u;
