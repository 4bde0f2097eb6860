/**
 * First sentences of callers by phone: what is heard of them by kind of word, and what the agent makes of it beside what it makes of
 * the sentence itself. Machine voices, the telephone's band, the embedded recogniser as a call has it.
 */
import { readFileSync } from 'node:fs';
import { takeTurn } from '../../../dist/engines/reply/dialogue.js';
import { initialState } from '../../../dist/engines/reply/dialogue-state.js';
import { expectationOf } from '../../../dist/engines/reply/expectation.js';
import { DEFAULT_LIMITS } from '../../../dist/engines/reply/scripted-dialogue.js';
import { verdictOf } from '../dialogue/verdicts.mjs';
import { people, say as spoken } from '../recognition/voices.mjs';
import { SUNDAY_AT_TEN, shippedAgent } from '../shipped-agent.mjs';
import { Ear } from './ear.mjs';
import { align, comparedWords, digitsIn, wordErrors } from './score.mjs';
import { kindOf, missed } from './word-kinds.mjs';

const DIGITS_MIN = 3; // fewer are no number of a record
/** @param every - one row of so many. @returns the rows of kind `first` of the files. */
function rowsOf(files, every) {
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean));
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === 'first')
    .filter((_, at) => at % every === 0);
}

/**
 * @param options - `agentName`, `every`, `verbose`, `say` (a line of the report).
 * @returns `{ sentences, words, byVoice, byKind, digits, byPhone, typed }`.
 */
export function hearSets(files, { agentName, every, verbose, say }) {
  const agent = shippedAgent(agentName);
  const start = () => initialState(agent.language);
  const ear = new Ear(expectationOf(agent, start()).hints);
  const known = new Set(ear.words.flatMap(comparedWords));
  const voices = people();
  if (voices.length === 0) throw new Error('no machine voice: install flite and sox');
  const verdict = (row, text, trusted) => verdictOf(row, takeTurn(agent, start(), text, { ...SUNDAY_AT_TEN, trusted }));
  const rows = rowsOf(files, every).map((row, at) => {
    const voice = voices[at % voices.length];
    const { text, confidence } = ear.hear(spoken(voice, digitByDigit(row.text)));
    const byPhone = verdict(row, text || '?', confidence >= DEFAULT_LIMITS.trustedConfidence);
    const one = { ...row, voice: voice.name, heard: text, byPhone, typed: verdict(row, row.text, true) };
    if (verbose)
      say(`${row.id} ${one.voice} ${byPhone} (typed ${one.typed})\n    said  ${row.text}\n    heard ${text}`);
    return { ...one, said: comparedWords(row.text), words: comparedWords(text) };
  });
  ear.close();
  return figuresOf(rows, known);
}

/** Numbers of records and phones are read digit by digit. */
const digitByDigit = (text) => text.replace(/\d{3,}/g, (run) => [...run].join(' '));

function figuresOf(rows, known) {
  const rateOf = (some) => wordErrors(some.map(({ said, words }) => align(said, words)));
  const byKind = {};
  for (const { said, words } of rows)
    for (const [at, isWrong] of missed(said, words).entries()) {
      const kind = kindOf(said[at], known);
      const before = byKind[kind] ?? { words: 0, missed: 0 };
      byKind[kind] = { words: before.words + 1, missed: before.missed + Number(isWrong) };
    }
  const withDigits = rows.filter(({ text }) => digitsIn(text).length >= DIGITS_MIN);
  const counted = (key) => {
    const counts = {};
    for (const row of rows) counts[row[key]] = (counts[row[key]] ?? 0) + 1;
    return counts;
  };
  return {
    ...{ sentences: rows.length, words: rateOf(rows), byKind },
    byVoice: Object.fromEntries(
      [...new Set(rows.map(({ voice }) => voice))].map((voice) => [
        voice,
        rateOf(rows.filter((row) => row.voice === voice)).rate,
      ]),
    ),
    digits: {
      right: withDigits.filter(({ text, heard }) => digitsIn(text) === digitsIn(heard)).length,
      of: withDigits.length,
    },
    ...{ byPhone: counted('byPhone'), typed: counted('typed') },
  };
}

const percent = (part, all) => `${((100 * part) / Math.max(1, all)).toFixed(1)} %`;

/** The report in lines. */
export function toldFigures({ sentences, words, byVoice, byKind, digits, byPhone, typed }) {
  const verdicts = (counts) =>
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .map(([verdict, n]) => `${verdict} ${percent(n, sentences)}`)
      .join(', ');
  return [
    `${sentences} sentences, ${words.words} words: ${percent((words.rate ?? 0) * 100, 100)} wrong, ` +
      `S${words.substitutions} D${words.deletions} I${words.insertions}`,
    `  by voice: ${Object.entries(byVoice)
      .map(([voice, rate]) => `${voice} ${percent(rate * 100, 100)}`)
      .join(', ')}`,
    `  missed by kind: ${Object.entries(byKind)
      .map(([kind, of]) => `${kind} ${of.missed}/${of.words} (${percent(of.missed, of.words)})`)
      .join(', ')}`,
    `  numbers right: ${digits.right} of ${digits.of}`,
    `  by phone: ${verdicts(byPhone)}`,
    `  typed: ${verdicts(typed)}`,
  ];
}
