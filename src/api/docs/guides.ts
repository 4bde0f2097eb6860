import { readFileSync } from 'node:fs';
import { type Prices, speechCents } from '../../billing/prices.ts';
import { escapeHtml, type Rendered, renderMarkdown } from './markdown.ts';

/** Holds the texts once for sources and build. */
const FOLDER = new URL('../../../src/api/docs/guides/', import.meta.url);

export const GUIDE_LANGUAGES = ['en', 'ar'] as const;
export type GuideLanguage = (typeof GUIDE_LANGUAGES)[number];

/** The guides, in the order of their links. The sockets are made from their document, which is in English. */
export const GUIDES = {
  agents: { en: 'Write an agent', ar: 'كتابة وكيل' },
  trunks: { en: 'Connect a trunk', ar: 'ربط خط هاتف' },
  costs: { en: 'What a call costs', ar: 'كم تكلّف المكالمة' },
  sockets: { en: 'Live sockets', ar: 'واجهات WebSocket' },
} as const;
export type GuideName = keyof typeof GUIDES;
export const isGuide = (name: string): name is GuideName => Object.hasOwn(GUIDES, name);

const WORDS = {
  en: { reference: 'API reference', console: 'Console', other: 'العربية', guides: 'Guides' },
  ar: { reference: 'مرجع الواجهة', console: 'لوحة التحكم', other: 'English', guides: 'الأدلة' },
} as const;

export const guideAddress = (name: string, language: GuideLanguage): string => `/docs/guides/${name}?lang=${language}`;

/** The text of a guide as it was written, with what this gateway charges. */
export function guideText(name: Exclude<GuideName, 'sockets'>, language: GuideLanguage, prices: Prices): string {
  const facts = priceFacts(prices, language);
  return readFileSync(new URL(`${name}.${language}.md`, FOLDER), 'utf8').replace(
    /\{\{(\w+)\}\}/g,
    (hole, key: string) => (Object.hasOwn(facts, key) ? facts[key]! : hole),
  );
}

/** A call that people can imagine: its parts, in what they cost. */
const EXAMPLE = { minutes: 3, turns: 8, characters: 1_200, model: 'sada-1' } as const;

/** What the holes of the guides are filled with. Money is US cents. */
function priceFacts(prices: Prices, language: GuideLanguage): Readonly<Record<string, string>> {
  const { minutes, turns, characters, model } = EXAMPLE;
  const spoken = Array.from({ length: turns }, () => speechCents(prices, model, characters / turns));
  const speech = spoken.reduce((sum, cents) => sum + cents, 0);
  const parts = {
    exampleMinutesCost: minutes * prices.liveMinuteCents,
    exampleTurnsCost: turns * prices.replyCents,
    exampleSpeechCost: speech,
  };
  const total = Object.values(parts).reduce((sum, cents) => sum + cents, 0);
  const money = (cents: number): string => moneyText(cents, language);
  const models = Object.entries(prices.speechCentsPer1000);
  return {
    minute: money(prices.liveMinuteCents),
    turn: money(prices.replyCents),
    privacy: money(prices.privacyCents),
    ask: money(prices.askCents),
    clipMinute: money(prices.transcribeMinuteCents),
    speechRows: models.map(([name, cents]) => `| ${SPEECH[language]} \`${name}\` | ${money(cents)} |`).join('\n'),
    ...{ exampleMinutes: String(minutes), exampleTurns: String(turns), exampleModel: model },
    exampleCharacters: characters.toLocaleString('en-US'),
    ...Object.fromEntries(Object.entries(parts).map(([key, cents]) => [key, money(cents)])),
    exampleTotal: money(total),
  };
}

const SPEECH = {
  en: '1,000 characters that the agent says, voice model',
  ar: 'كل 1,000 حرف يقوله الوكيل، بنموذج الصوت',
};

/** `3 cents`; in Arabic with the form that the number asks for. */
export function moneyText(cents: number, language: GuideLanguage): string {
  const shown = cents.toLocaleString('en-US');
  if (language === 'en') return `${shown} ${cents === 1 ? 'cent' : 'cents'}`;
  const form = new Intl.PluralRules('ar').select(cents);
  if (form === 'one') return 'سنت واحد';
  if (form === 'two') return 'سنتان';
  return `${shown} ${form === 'few' ? 'سنتات' : form === 'many' ? 'سنتًا' : 'سنت'}`;
}

/** As it stands in the templates. */
const HTML_START = '<html lang="en" dir="ltr">';

/** A template of the build with its holes filled, in the language and direction of the reader. */
export function filled(
  template: string,
  { language, hasConsole }: Reader,
  current: GuideName | 'reference',
  holes: Readonly<Record<string, string>>,
): string {
  const all: Readonly<Record<string, string>> = { ...holes, bar: bar({ language, hasConsole }, current) };
  return template
    .replace(HTML_START, `<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`)
    .replace(/\{\{(\w+)\}\}/g, (hole, key: string) => all[key] ?? hole);
}

/** A page of Markdown in the frame of the guides. */
export function guidePage(template: string, reader: Reader, name: GuideName, text: string): string {
  const { title, html }: Rendered = renderMarkdown(text, (guide) => guideAddress(guide, reader.language));
  // The page of the sockets is in English in both.
  const direction = name === 'sockets' ? ' lang="en" dir="ltr"' : '';
  return filled(template, reader, name, { title: escapeHtml(title), body: `<main${direction}>${html}</main>` });
}

export interface Reader {
  readonly language: GuideLanguage;
  readonly hasConsole: boolean;
}

/** The links between the pages, with the same page in the other language. */
function bar({ language, hasConsole }: Reader, current: GuideName | 'reference'): string {
  const words = WORDS[language];
  const other = language === 'ar' ? 'en' : 'ar';
  const link = (name: GuideName | 'reference', text: string): string =>
    `<a href="${pageAddress(name, language)}"${name === current ? ' aria-current="page"' : ''}>${text}</a>`;
  const links = [
    link('reference', words.reference),
    ...Object.entries(GUIDES).map(([name, titles]) => link(name as GuideName, titles[language])),
    ...(hasConsole ? [`<a href="/console/">${words.console}</a>`] : []),
    `<a href="${pageAddress(current, other)}" lang="${other}" hreflang="${other}">${words.other}</a>`,
  ];
  return `<nav class="bar" aria-label="${words.guides}"><strong>Nidaa</strong>${links.join('')}</nav>`;
}

const pageAddress = (name: GuideName | 'reference', language: GuideLanguage): string =>
  name === 'reference' ? `/docs?lang=${language}` : guideAddress(name, language);
