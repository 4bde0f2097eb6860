import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

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
