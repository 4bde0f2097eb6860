const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const LETTER = /\p{L}/u;

/** The direction of a text that has letters written from right to left: that of its first letter; undefined where it has none. Pure. */
export function directionOf(text: string): 'rtl' | 'ltr' | undefined {
  if (!RTL.test(text)) return undefined;
  return RTL.test(LETTER.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr';
}
