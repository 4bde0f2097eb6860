import type { Language } from '../../../core/agent.ts';
import { ofOwnWords } from '../../../language/own-words.ts';
import type { Edit } from './edits.ts';
import { foldText } from './folded-text.ts';

interface Spoken {
  readonly written: RegExp;
  /** By what is written, in small letters. */
  readonly said: ReadonlyMap<string, string>;
}

const byLanguage = ofOwnWords(({ pronunciations: { ar, en } }) => ({ ar: spokenOf(ar), en: spokenOf(en) }));

function spokenOf(pronunciations: ReadonlyMap<string, string>): Spoken | undefined {
  const said = new Map([...pronunciations].map(([written, spoken]) => [foldText(written).text.toLowerCase(), spoken]));
  if (said.size === 0) return undefined;
  const longestFirst = [...said.keys()].sort((one, other) => other.length - one.length);
  const words = longestFirst.map((one) => one.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|');
  return { written: new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, 'giu'), said };
}

/** A folded text with the words of this installation as it says them; undefined where it holds none. */
export function withOwnPronunciations(
  text: string,
  language: Language,
): { readonly output: string; readonly edits: Edit[] } | undefined {
  const spoken = byLanguage()[language];
  if (spoken === undefined) return undefined;
  const edits: Edit[] = [];
  let output = '';
  let copied = 0;
  for (const match of text.matchAll(spoken.written)) {
    const to = spoken.said.get(match[0].toLowerCase());
    if (to === undefined) continue;
    output += text.slice(copied, match.index);
    copied = match.index + match[0].length;
    edits.push({ start: match.index, end: copied, outputStart: output.length, to });
    output += to;
  }
  return edits.length === 0 ? undefined : { output: output + text.slice(copied), edits };
}
