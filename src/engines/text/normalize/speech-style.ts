/** How a normaliser speaks where the language leaves a choice. */
export interface SpeechStyle {
  /** `grammar`: Arabic case by what stands before the number. `always`: oblique everywhere, as in spoken Saudi Arabic. */
  readonly oblique: 'grammar' | 'always';
  /** `none`: digits in one row. `threes`: a comma, heard as a short pause, after every third of a long number. */
  readonly digitGrouping: 'none' | 'threes';
}

export const DEFAULT_STYLE: SpeechStyle = { oblique: 'grammar', digitGrouping: 'none' };

/** Words for a token, and where the text they replace ends: a counted noun after the token may belong to it. */
export interface Spoken {
  readonly to: string;
  readonly end: number;
}

const GROUPED_MIN = 6;

/** Digits cut for speaking: 0501234567 is 050 123 4567. The last group has up to four. */
export function groupDigits(digits: string, style: SpeechStyle): string[] {
  if (style.digitGrouping === 'none' || digits.length < GROUPED_MIN) return [digits];
  const groups: string[] = [];
  let at = 0;
  while (digits.length - at > 4) {
    groups.push(digits.slice(at, at + 3));
    at += 3;
  }
  groups.push(digits.slice(at));
  return groups;
}
