import type { Language } from '../i18n/languages.ts';

/** The two documents, by the names of their tabs. */
const TITLES = {
  en: { api: 'API', manage: 'Management API' },
  ar: { api: 'واجهة المطورين', manage: 'واجهة الإدارة' },
} as const;

/** Who reads, and what there is to read. */
export interface Reader {
  readonly language: Language;
  readonly isDark: boolean;
  readonly hasManagement: boolean;
}

/**
 * Settings of the reference: both documents of this gateway, nothing of other hosts, none of the services of its maker.
 * https://scalar.com/products/api-references/configuration
 */
export function configurationOf({ language, isDark, hasManagement }: Reader): object {
  const { api, manage } = TITLES[language];
  return {
    sources: [
      { title: api, slug: 'api', url: '/openapi.json', default: true, authentication: bearer('bearer') },
      ...(hasManagement
        ? [{ title: manage, slug: 'manage', url: '/manage/v1/openapi.json', authentication: bearer('key') }]
        : []),
    ],
    localization: { locale: language, direction: language === 'ar' ? 'rtl' : 'ltr' },
    theme: 'none',
    darkMode: isDark,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true, hideAddApi: true },
    mcp: { disabled: true },
    documentDownloadType: 'direct',
    favicon: '/docs/icon.svg',
    metaData: { title: 'Nidaa API' },
  };
}

/** A token that is given with every request, under the name that the document has for it; kept nowhere. */
const bearer = (scheme: string): object => ({ preferredSecurityScheme: scheme });
