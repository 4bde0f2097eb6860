import { LANGUAGES, type Language } from './languages.ts';
import type { Preferences } from './preferences.ts';

/** Where the browser keeps them. */
export const PREFERENCES_KEY = 'nidaa.preferences';
const THEMES = ['auto', 'light', 'dark'] as const;

export function storedPreferences(): Preferences {
  const kept = readKept();
  const oneOf = <T extends string>(values: readonly T[], value: unknown, other: T): T =>
    values.includes(value as T) ? (value as T) : other;
  const browsers: Language = navigator.languages.some((one) => one.startsWith('ar')) ? 'ar' : 'en';
  return {
    language: oneOf(LANGUAGES, new URLSearchParams(location.search).get('lang') ?? kept['language'], browsers),
    theme: oneOf(THEMES, kept['theme'], 'auto'),
    digits: oneOf(['latn', 'arab'], kept['digits'], 'latn'),
    calendar: oneOf(['gregory', 'islamic-umalqura'], kept['calendar'], 'gregory'),
    timeZone: knownZone(kept['timeZone']),
  };
}

function readKept(): Record<string, unknown> {
  try {
    return JSON.parse(localStorage.getItem(PREFERENCES_KEY) ?? '{}') as Record<string, unknown>;
  } catch {
    return {};
  }
}

function knownZone(zone: unknown): string {
  try {
    if (typeof zone === 'string') return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    // A name that this browser does not know.
  }
  return 'Asia/Riyadh';
}
