import type { Language } from '../../core/agent.ts';
import { languageOfText } from '../../language/detect-language.ts';
import { fold } from '../../language/fold.ts';
import { limitText } from '../../language/sentences.ts';
import type { Passage } from '../document/contract.ts';
import { STOCK } from './stock-phrases.ts';
import type { Line, QuotedPassage } from './turn-draft.ts';

/**
 * How likely a passage must answer before it is said. Of 120 questions of callers that the documents of two agents answer, 50 are answered
 * rightly and 1 wrongly from here on; of 120 that nothing there answers, 5 are answered all the same. From 0.7 it is 69, 5 and 10.
 */
export const QUOTED_FROM = 0.86;
/** Some fifteen seconds of speech. */
const PASSAGE_CHARS = 320;
const NAME_CHARS = 60;

/** A passage as it is said: led in as what it is, so that a wrong one is heard as a quotation too. */
export function quotedPassage({ name, text }: Passage, language: Language): QuotedPassage {
  const spoken = spokenName(name);
  const [lead] = (spoken === '' ? STOCK.fromDocuments : STOCK.fromDocument)[language] as readonly string[];
  const said = limitText(text.replace(/\s+/g, ' ').trim(), PASSAGE_CHARS);
  const lines: Line[] = [
    { text: lead!.replace('{{document}}', () => spoken), language },
    { text: said, language: languageOfText(said) ?? language },
  ];
  return { name, lines };
}

/** The name of a file as words: `Return_policy-2026.pdf` is `Return policy 2026`; '' where there are none. */
export function spokenName(name: string): string {
  const words = name.replace(/\.[A-Za-z0-9]{1,8}$/, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const kept = words.filter((_, at) => words.slice(0, at + 1).join(' ').length <= NAME_CHARS).join(' ');
  return /\p{L}/u.test(kept) ? kept : '';
}

const LEADS = [STOCK.fromDocument, STOCK.fromDocuments].flatMap((phrase) =>
  (['en', 'ar'] as const).map((language) => fold(phrase[language][0]!.split('{{')[0]!)),
);

/** What was heard, where it is a passage that was quoted, or the beginning of one. */
export function quotedIn(heard: string, language: Language): QuotedPassage | undefined {
  const said = fold(heard);
  if (said === '' || !LEADS.some((lead) => said.startsWith(lead) || lead.startsWith(said))) return undefined;
  return { name: '', lines: [{ text: heard, language: languageOfText(heard) ?? language }] };
}
