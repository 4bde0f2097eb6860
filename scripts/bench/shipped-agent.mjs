import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { readSentences } from '../../dist/config/agent-sentences.js';
import { compileAgent } from '../../dist/engines/reply/compiled-agent.js';

/** The moment at which benches let everybody call: a Sunday at ten. */
export const SUNDAY_AT_TEN = {
  ...{ today: { year: 2026, month: 11, day: 22 }, minuteOfDay: 600 },
  ...{ mode: 'voice', variables: {}, trusted: true },
};

const textOf = (file) => readFileSync(new URL(`../../config/agents/${file}`, import.meta.url), 'utf8');

/** A shipped agent by the name of its file, compiled. */
export function shippedAgent(name) {
  const { number: _, sentencesFile, ...definition } = parse(textOf(`${name}.yaml`));
  const refuse = (line, message) => {
    throw new Error(`${sentencesFile}:${line} ${message}`);
  };
  return compileAgent({ ...definition, sentences: readSentences(textOf(sentencesFile), refuse) });
}
