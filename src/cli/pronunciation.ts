import { relative } from 'node:path';
import type { AgentFile } from '../config/agents.ts';
import { fieldName } from '../config/yaml-file.ts';
import { createScriptChecker, type ScriptReport } from '../engines/text/coverage/script-report.ts';
import type { CommandContext } from './context.ts';
import { type Output, paint } from './output.ts';

/** What an agent file says, and which of its words a voice may mispronounce. */
export interface Pronunciation {
  readonly file: AgentFile;
  readonly report: ScriptReport;
}

/** Sentences longer than this are shown around the word. */
const SENTENCE_CHARS_MAX = 90;

export function checkPronunciation(context: CommandContext, files: readonly AgentFile[]): readonly Pronunciation[] {
  const check = createScriptChecker(context.config.text);
  return files.map((file) => ({ file, report: check(file.definition) }));
}

/** The report of one agent as programs read it. */
export function pronunciationJson({ file, report }: Pronunciation): object {
  const { flagged, ...counts } = report;
  return {
    ...counts,
    flagged: flagged.map(({ path, language, sentence, token, reason, hint }) => ({
      ...{ file: shownPath(file), line: file.lineOf(path), field: fieldName(path) },
      ...{ language, sentence, token, reason, hint },
    })),
  };
}

/** A warning for people: where each word stands, why it was flagged, what to write instead. */
export function writePronunciation(out: Output, checked: readonly Pronunciation[]): void {
  for (const { file, report } of checked) {
    const { sentences, flagged_count: count, coverage, flagged } = report;
    const share = `${(100 * coverage).toFixed(1)} % of the words in ${sentences} sentences`;
    const verdict = count === 0 ? paint(out, 'green', 'clean') : paint(out, 'yellow', `${count} to look at`);
    out.write(`\npronunciation of ${paint(out, 'bold', file.definition.name)}: ${verdict} (${share})\n`);
    for (const { path, sentence, token, reason, hint } of flagged) {
      out.write(`  ${shownPath(file)}:${file.lineOf(path)} ${fieldName(path)}\n`);
      out.write(`    ${paint(out, 'bold', token)} (${reason.replace('_', ' ')}): ${hint}\n`);
      out.write(`    ${paint(out, 'dim', excerpt(sentence, token))}\n`);
    }
  }
}

export function shownPath(file: AgentFile): string {
  const path = relative(process.cwd(), file.path);
  return path.startsWith('..') ? file.path : path;
}

function excerpt(sentence: string, token: string): string {
  const text = sentence.replace(/\s+/gu, ' ');
  if (text.length <= SENTENCE_CHARS_MAX) return text;
  const middle = Math.max(0, text.indexOf(token));
  const start = Math.max(0, Math.min(middle - SENTENCE_CHARS_MAX / 2, text.length - SENTENCE_CHARS_MAX));
  const end = Math.min(text.length, start + SENTENCE_CHARS_MAX);
  return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`;
}
