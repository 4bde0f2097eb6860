import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** An agent that only greets, on number 1000: for a gateway whose start counts and not what it says. */
export const GREETER = {
  'agents/greeter.yaml': `number: "1000"
name: Greeter
language: en-US
voice: emma
model: sada-1
status: live
greeting: { en: "Hello, this is Emma. How can I help you today?" }
`,
};

/** The English agent that is shipped, alone: for a gateway whose callers talk with that one. Each agent is compiled at every start. */
export const ENGLISH = Object.fromEntries(
  ['delivery-en.yaml', 'delivery-en.sentences.tsv'].map((name) => [
    `agents/${name}`,
    readFileSync(new URL(`../../config/agents/${name}`, import.meta.url), 'utf8'),
  ]),
);

/** A folder with the given files, removed by `remove()`. */
export function configFolder(files: Readonly<Record<string, string>>): { readonly dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'nidaa-config-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** The lines that an OperatorError lists, without the headline. */
export function listedProblems(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    return (error as Error).message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
  return [];
}
