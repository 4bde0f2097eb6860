import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { MANIFEST } from '../../engines/providers/sherpa/model-files.ts';
import { isModelKind, type ModelKindName } from '../../engines/providers/sherpa/model-kinds.ts';

const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
/** What is kept beside an installed model: where it came from, and what its files were. */
const ManifestShape = Type.Object({
  name: Type.String(),
  kind: Type.String(),
  languages: Type.Array(Type.String()),
  licence: Type.Optional(Type.String()),
  from: Type.String(), // file name, or address without its query
  installedAt: Type.String(), // ISO 8601
  files: Type.Array(Type.Object({ path: Type.String(), bytes: Type.Integer({ minimum: 0 }), sha256 })),
});
export type Manifest = Static<typeof ManifestShape> & { readonly kind: ModelKindName };

export interface InstalledModel {
  readonly name: string; // of its folder
  readonly folder: string;
  readonly manifest: Manifest;
}

const FOLDERS_MAX = 1_000;
const MANIFEST_BYTES_MAX = 16 * 1024 * 1024;

/** Of a model that `install` made; undefined where a folder has none, or one that is spoilt. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  try {
    const path = join(folder, MANIFEST);
    if ((await stat(path)).size > MANIFEST_BYTES_MAX) return undefined;
    const read: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Value.Check(ManifestShape, read) && isModelKind(read.kind) ? (read as Manifest) : undefined;
  } catch {
    return undefined;
  }
}

/** Every installed model, by name. */
export async function installedModels(modelsDir: string): Promise<readonly InstalledModel[]> {
  const names = await readdir(modelsDir).catch(() => []);
  const models: InstalledModel[] = [];
  for (const name of names.sort().slice(0, FOLDERS_MAX)) {
    const folder = join(modelsDir, name);
    const manifest = name.startsWith('.') ? undefined : await readManifest(folder);
    if (manifest) models.push({ name, folder, manifest });
  }
  return models;
}
