/** The words of `text` without what differs in spelling only, so that "Okay." and "أيوه" match their entries. */
export function foldWords(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/[\u064b-\u0652\u0640]/g, '')
    .replace(/[أإآ]/g, 'ا')
    .replace(/[^\p{L}\p{N}\s']/gu, ' ')
    .split(/\s+/)
    .filter(Boolean);
}
