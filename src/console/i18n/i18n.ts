import i18next, { type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { LANGUAGES, type Language } from './languages.ts';

/** Texts of a page are loaded with it: one file for each namespace and language. */
const FILES = import.meta.glob<{ default: Record<string, unknown> }>('./locales/*/*.json');

const files: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language, namespace, done) => {
    const load = FILES[`./locales/${language}/${namespace}.json`];
    if (!load) return done(new Error(`no texts ${namespace} in ${language}`), null);
    load().then(
      ({ default: texts }) => done(null, texts as never),
      (error: Error) => done(error, null),
    );
  },
};

export function startTexts(language: Language): Promise<unknown> {
  return i18next
    .use(files)
    .use(initReactI18next)
    .init({
      ...{ lng: language, fallbackLng: false, supportedLngs: [...LANGUAGES], load: 'languageOnly' },
      ...{ ns: ['common'], defaultNS: 'common', interpolation: { escapeValue: false }, returnNull: false },
      react: { useSuspense: true },
    });
}
