import type { Voice } from '../../../core/voice.ts';

/** Who speaks for a voice of the catalogue that names none, by its language and gender. */
const VOICES: Readonly<Record<string, Readonly<Record<Voice['gender'], string>>>> = {
  'ar-SA': { female: 'ar-SA-ZariyahNeural', male: 'ar-SA-HamedNeural' },
  'ar-AE': { female: 'ar-AE-FatimaNeural', male: 'ar-AE-HamdanNeural' },
  'ar-EG': { female: 'ar-EG-SalmaNeural', male: 'ar-EG-ShakirNeural' },
  'en-GB': { female: 'en-GB-SoniaNeural', male: 'en-GB-RyanNeural' },
  'en-US': { female: 'en-US-JennyNeural', male: 'en-US-GuyNeural' },
};

/** @returns undefined where nobody there speaks its language. */
export function voiceName({ language, gender, providers }: Voice): string | undefined {
  const own = (providers?.['azure'] as { readonly name: string } | undefined)?.name;
  return own ?? VOICES[language]?.[gender];
}

/** Voices are named after the one language they speak, if they are not multilingual. */
export function speaksLanguage(name: string, language: string): boolean {
  return /Multilingual/.test(name) || name.slice(0, name.indexOf('-')) === language.slice(0, language.indexOf('-'));
}
