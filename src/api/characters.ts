/** Characters are Unicode code points everywhere in the API: neither UTF-16 units nor bytes. */
/** The first `max` characters; a surrogate pair is never cut. */
export function firstCharacters(text: string, max: number): { readonly text: string; readonly truncated: boolean } {
  if (text.length <= max) return { text, truncated: false };
  let count = 0;
  let at = 0;
  while (at < text.length && count < max) {
    at += text.codePointAt(at)! > 0xffff ? 2 : 1;
    count += 1;
  }
  return { text: text.slice(0, at), truncated: at < text.length };
}

/** Whether `text` has more than `max` characters; cheap for texts that obviously have fewer. */
export function exceeds(text: string, max: number): boolean {
  return text.length > max && firstCharacters(text, max).truncated;
}

const SHOWN_MAX = 100;

/** A client's own word inside an error message: short, one line, nothing invisible. */
export function shown(value: string): string {
  const clean = value.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').toWellFormed();
  return firstCharacters(clean, SHOWN_MAX).text;
}
