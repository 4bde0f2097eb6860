const MAX_SENTENCES = 60;
const ABBREVIATION = /(?:^|\s)(?:mr|mrs|ms|dr|st|no|د|م|أ|ص)\.$/i;

/** Whole sentences of a text, in order. Dots inside numbers and after titles end nothing. */
export function sentencesOf(text: string): string[] {
  const out: string[] = [];
  let from = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (!'.!?؟…\n'.includes(text[i]!)) continue;
    while (i + 1 < text.length && '.!?؟…"»”)'.includes(text[i + 1]!)) i += 1;
    const next = text[i + 1];
    if (next !== undefined && !/\s/.test(next)) continue;
    const piece = text.slice(from, i + 1);
    if (ABBREVIATION.test(piece.slice(-6)) || out.length >= MAX_SENTENCES - 1) continue;
    if (piece.trim() !== '') out.push(piece.trim());
    from = i + 1;
  }
  const rest = text.slice(from).trim();
  if (rest !== '') out.push(rest);
  return out;
}

/** The first whole sentences that fit into `maxChars`; at least one, cut at a word when it alone is too long. */
export function limitText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  let kept = '';
  for (const sentence of sentencesOf(text)) {
    if (kept.length + sentence.length + 1 > maxChars) break;
    kept = kept === '' ? sentence : `${kept} ${sentence}`;
  }
  if (kept !== '') return kept;
  const cut = text.slice(0, maxChars);
  return cut.slice(0, Math.max(cut.lastIndexOf(' '), 1)).trim();
}
