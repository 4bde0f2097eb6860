import type { Language } from '../../core/agent.ts';

/** Control characters and invisible direction marks; a synthesiser would stumble over them or say their names. */
const INVISIBLE =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
/** Half of a surrogate pair: not a character. */
const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/** Text without what cannot be seen or heard: control and direction marks go, white space runs become one space. */
export function cleanText(text: string): string {
  return text.replace(INVISIBLE, '').replace(LONE_SURROGATE, '').replace(/\s+/gu, ' ').trim();
}

/** The language most letters belong to; text without letters counts as Arabic when it has Arabic-Indic digits. */
export function detectLanguage(text: string): Language {
  const arabic = text.match(/\p{Script=Arabic}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (arabic === 0 && latin === 0) return /[٠-٩۰-۹]/u.test(text) ? 'ar' : 'en';
  return arabic >= latin ? 'ar' : 'en';
}
