import type { Language } from '../../core/agent.ts';

export interface Normalized {
  readonly original: string;
  readonly normalized: string; // as it will be spoken
  readonly language: Language;
  readonly replacements: readonly { readonly from: string; readonly to: string }[];
}

/** Makes text speakable: numbers, money, dates, abbreviations as words. Everything an agent says passes it before synthesis. */
export interface TextNormalizer {
  normalize(text: string, language?: Language): Normalized;
}

export interface Finding {
  readonly kind: string; // National ID, IBAN, ...
  readonly value: string; // as it stands in the text
  readonly action: 'redact' | 'mask' | 'flag';
  readonly why: string;
}
export interface Redacted {
  readonly redacted: string;
  readonly findings: readonly Finding[]; // by position, each once
  readonly verdict: 'allow' | 'redact' | 'block';
}

/** Finds what may not leave the organisation and takes it out. Pure and synchronous; at most 6,000 characters. */
export interface Redactor {
  redact(text: string): Redacted;
}

export interface FlaggedToken {
  readonly token: string;
  readonly reason: 'latin_word' | 'digits' | 'asset_tag' | 'acronym';
  readonly hint: string;
}
export interface Coverage {
  readonly language: Language;
  readonly token_count: number;
  readonly flagged_count: number;
  readonly coverage: number; // 0..1, 4 decimals: the share of tokens that are not flagged
  readonly flagged: readonly FlaggedToken[];
}

/** Which words a synthesiser is likely to mispronounce: a look at spelling, not a model of pronunciation. */
export interface CoverageChecker {
  check(text: string): Coverage;
}
