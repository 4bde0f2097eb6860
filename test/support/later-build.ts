import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './gateway.ts';

/** A build that calls itself 0.1.1 and knows more steps of the tables than this one, in a folder of its own. */
export function laterBuild(steps: Readonly<Record<string, string>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'nidaa-later-'));
  for (const part of ['dist', 'scripts', 'config', 'src']) {
    cpSync(join(ROOT, part), join(root, part), { recursive: true, preserveTimestamps: true });
  }
  const { version: _, ...rest } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  writeFileSync(join(root, 'package.json'), JSON.stringify({ ...rest, version: '0.1.1' }));
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const [name, sql] of Object.entries(steps)) writeFileSync(join(root, 'src/store/migrations', name), sql);
  return root;
}
