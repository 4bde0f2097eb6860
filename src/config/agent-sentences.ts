import { basename, dirname, join } from 'node:path';
import type { AgentDefinition } from '../core/agent.ts';

/** Beyond this nothing more is learnt from a file: an agent is made ready between two calls. */
const ROWS_MAX = 4_000;

type Sentences = NonNullable<AgentDefinition['sentences']>;

/** Where an agent file's sentences stand: a file of its own folder. */
export function sentencesPath(agentPath: string, name: string): string {
  return join(dirname(agentPath), basename(name));
}

/**
 * Sentences of callers by what they mean, `sentences` of an agent. One row a line: what is meant, a tab, the sentence. Empty lines
 * and lines that begin with `#` are passed over.
 *
 * @param refuse - line, from 1, and what is wrong with it.
 */
export function readSentences(text: string, refuse: (line: number, message: string) => void): Sentences {
  const found = new Map<string, string[]>();
  let rows = 0;
  text.split(/\r?\n/u).forEach((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return;
    const [meant, sentence, ...more] = line.split('\t').map((part) => part.trim());
    rows += 1;
    if (rows > ROWS_MAX) {
      if (rows === ROWS_MAX + 1) refuse(index + 1, `expected at most ${ROWS_MAX} sentences`);
    } else if (!meant || !sentence || more.length > 0) {
      refuse(index + 1, 'expected what is meant, a tab and a sentence');
    } else {
      const known = found.get(meant);
      if (known) known.push(sentence);
      else found.set(meant, [sentence]);
    }
  });
  return Object.fromEntries(found);
}

/** What a sentence of an agent may be said to mean: a wish, a question by its first wording, a complaint, or nothing of it. */
export function meaningsOf({ intents = [], knowledge = [] }: AgentDefinition): string[] {
  const questions = knowledge.flatMap(({ question }) => [question.en?.[0] ?? [], question.ar?.[0] ?? []].flat());
  return [...intents.map(({ name }) => name), ...questions, 'complaint', 'other'];
}
