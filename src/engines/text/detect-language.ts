import type { Language } from '../../core/agent.ts';

/** The language most letters belong to; text without letters counts as Arabic when it has Arabic-Indic digits. */
export function detectLanguage(text: string): Language {
  const arabic = text.match(/\p{Script=Arabic}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (arabic === 0 && latin === 0) return /[٠-٩۰-۹]/u.test(text) ? 'ar' : 'en';
  return arabic >= latin ? 'ar' : 'en';
}
