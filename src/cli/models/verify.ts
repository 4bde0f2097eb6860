import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST } from '../../engines/providers/sherpa/model-files.ts';
import { broughtFiles } from './brought-files.ts';
import { sumOf } from './fetched-file.ts';
import type { InstalledModel } from './manifest.ts';

export interface Verified {
  readonly name: string;
  readonly files: number;
  /** Paths, each below the model's folder. */
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

/** Compares every file with what it was when the model was installed. */
export async function verifyModel({ name, folder, manifest }: InstalledModel): Promise<Verified> {
  const changed: string[] = [];
  const missing: string[] = [];
  for (const { path, bytes, sha256 } of manifest.files) {
    const state = await lstat(join(folder, path)).catch(() => undefined);
    if (!state?.isFile()) missing.push(path);
    else if (state.size !== bytes || (await sumOf(join(folder, path))) !== sha256) changed.push(path);
  }
  const known = new Set([MANIFEST, ...manifest.files.map(({ path }) => path)]);
  const added: string[] = [];
  for await (const { path } of broughtFiles(folder)) if (!known.has(path)) added.push(path);
  return { name, files: manifest.files.length, changed, missing, added: added.sort() };
}
