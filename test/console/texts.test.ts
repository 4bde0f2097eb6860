import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/core/errors.ts';
import { NOTICES } from '../../src/core/notice.ts';
import { MANAGE_ERRORS } from '../../src/manage/manage-error.ts';

const LOCALES = new URL('../../src/console/i18n/locales/', import.meta.url);
const SRC = new URL('../../src/console/', import.meta.url);
const NAMESPACES = readdirSync(new URL('en', LOCALES)).map((file) => file.replace('.json', ''));
/** CLDR: the forms that a count takes. */
const FORMS = { ar: ['zero', 'one', 'two', 'few', 'many', 'other'], en: ['one', 'other'] } as const;
const PLURAL = /_(?:zero|one|two|few|many|other)$/;

function texts(language: 'ar' | 'en', namespace: string): Record<string, string> {
  const flat: Record<string, string> = {};
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'string') flat[path] = value;
    else for (const [key, inner] of Object.entries(value as object)) walk(inner, path ? `${path}.${key}` : key);
  };
  walk(JSON.parse(readFileSync(new URL(`${language}/${namespace}.json`, LOCALES), 'utf8')), '');
  return flat;
}

const stems = (flat: Record<string, string>): string[] => [
  ...new Set(Object.keys(flat).map((key) => key.replace(PLURAL, ''))),
];
/** `error` is what a library says in English: the words of another language may do without it. */
const holes = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*([\w-]+)/g)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'error')
    .sort();

describe.each(NAMESPACES)('texts of %s', (namespace) => {
  const [ar, en] = [texts('ar', namespace), texts('en', namespace)];

  it('are there in both languages, with the same holes', () => {
    expect(stems(ar).sort()).toEqual(stems(en).sort());
    for (const [key, text] of Object.entries(en)) {
      const other = ar[key] ?? ar[`${key.replace(PLURAL, '')}_other`];
      const isSingular = /_(?:one|two)$/.test(key); // that may say its number in words
      if (!isSingular) expect({ key, holes: holes(other ?? '') }).toEqual({ key, holes: holes(text) });
    }
  });

  it('keep a name in one piece that is made of ours and of what comes in, in the direction it is written', () => {
    const isolated = /\u2066[^\u2069]*\u2069/g;
    const touching = /[\w/.]\{\{|[\w.]+\[\{\{|\}\}(?:[\w/[\]]|\.\w)/;
    const torn = Object.entries(ar).filter(([, text]) => touching.test(text.replace(isolated, '')));
    expect(torn.map(([key]) => key)).toEqual([]);
  });

  it('are not empty, and count in every form of their language', () => {
    for (const [language, flat] of [
      ['ar', ar],
      ['en', en],
    ] as const) {
      for (const [key, text] of Object.entries(flat)) {
        expect({ key, isEmpty: text.trim() === '' }).toEqual({ key, isEmpty: false });
        if (!PLURAL.test(key)) continue;
        const stem = key.replace(PLURAL, '');
        expect({ stem, forms: FORMS[language].filter((form) => `${stem}_${form}` in flat) }).toEqual({
          stem,
          forms: FORMS[language],
        });
      }
    }
  });
});

it('every code that the gateway answers a fault with has words in both languages', () => {
  const codes = [...Object.keys(ERRORS), ...Object.keys(MANAGE_ERRORS)];
  for (const language of ['ar', 'en'] as const) {
    const said = { ...texts(language, 'common'), ...texts(language, 'faults') };
    expect(codes.filter((code) => !(code in said) && !(`errors.${code}` in said))).toEqual([]);
    expect(Object.keys(texts(language, 'faults')).filter((code) => !codes.includes(code))).toEqual([]); // no fault has them
  }
});

describe('sentences of the gateway', () => {
  it.each(['ar', 'en'] as const)('have words in %s, for each code, and for no other', (language) => {
    expect(Object.keys(texts(language, 'notices')).sort()).toEqual(Object.keys(NOTICES).sort());
  });

  it('are in English what the gateway itself says', () => {
    const said = Object.entries(NOTICES).map(([code, text]) => [code, text.replace(/<([a-z]+)>/g, '{{$1}}')]);
    expect(texts('en', 'notices')).toEqual(Object.fromEntries(said));
  });

  it('are Arabic in Arabic', () => {
    // Those without a letter of ours are values in an order.
    const plain = Object.entries(texts('ar', 'notices')).filter(([, text]) => !/[\u0621-\u064a]/.test(text));
    expect(plain.map(([code]) => code).sort()).toEqual([
      ...['list.and', 'part.jobs-may-go', 'problem.at', 'problem.of', 'registration.failed', 'route.trunk-why'],
    ]);
  });
});

describe('styles', () => {
  it('know no left and right: only where a line begins and ends', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
    const sides =
      /(?:^|[;{\s])(?:(?:margin|padding|border)-(?:left|right)|(?:left|right)\s*:|text-align:\s*(?:left|right)|float:\s*(?:left|right))/;
    const wrong = files.filter((file) => sides.test(readFileSync(new URL(file, SRC), 'utf8')));
    expect(files.length).toBeGreaterThan(1);
    expect(wrong).toEqual([]);
  });
});
