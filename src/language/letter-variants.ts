/** Letters that people write for one another, and the one that stands for them wherever words are compared. */
export const LETTER_VARIANTS: ReadonlyMap<string, string> = new Map(
  [
    ['أإآٱ', 'ا'],
    ['ى', 'ي'],
    ['ئ', 'ي'],
    ['ؤ', 'و'],
    ['ة', 'ه'],
  ].flatMap(([letters, one]) => [...letters!].map((letter) => [letter, one!] as const)),
);
