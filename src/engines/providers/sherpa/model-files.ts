import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { sentence } from '../../../core/notice.ts';
import { isModelKind, kindOf, type ModelKindName, type ModelUse } from './model-kinds.ts';
import type { ModelChoice } from './settings.ts';

/** Written beside the files of an installed model. */
export const MANIFEST = 'nidaa-model.json';
const MANIFEST_BYTES_MAX = 16 * 1024 * 1024;
/** Entries of a folder that are looked at. */
const ENTRIES_MAX = 10_000;

/** A model whose files are all there; paths are absolute, by their role. */
export interface ModelFiles {
  readonly kind: ModelKindName;
  readonly folder: string;
  readonly files: Readonly<Record<string, string>>;
}
export type ModelState =
  | { readonly ok: true; readonly model: ModelFiles }
  /** `missing` names files as people look for them; empty where something else is wrong. */
  | { readonly ok: false; readonly why: string; readonly folder: string; readonly missing: readonly string[] };

/** The folder of a model: one of `modelsDir` by its name, or where a path leads. */
export function modelFolder(model: string, modelsDir: string): string {
  return isAbsolute(model) || /[\\/]/.test(model) ? resolve(model) : join(modelsDir, model);
}

/** What files a configured model has, and which are missing. Reads names, and nothing of models. */
export function findModel(choice: ModelChoice, modelsDir: string, use: ModelUse): ModelState {
  const folder = modelFolder(choice.model, modelsDir);
  const wrong = (why: string, missing: readonly string[] = []): ModelState => ({ ok: false, why, folder, missing });
  const names = namesIn(folder);
  if (!names) return wrong(sentence('engine.no-folder', { folder }));
  const kind = choice.kind ?? kindInManifest(folder);
  if (kind === undefined) return wrong(sentence('engine.kind-not-known', { model: choice.model }));
  if (kindOf(kind).use !== use)
    return wrong(`${kind} is a kind of ${kindOf(kind).use}, which ${choice.model} should not be`);
  const files: Record<string, string> = {};
  const missing: string[] = [];
  for (const { role, name, shown, optional, folder: isFolder } of kindOf(kind).files) {
    const chosen = choice.files?.[role] ?? best(names.filter((one) => name.test(one)));
    const path = chosen === undefined ? undefined : resolve(folder, chosen);
    if (path !== undefined && isThere(path, isFolder ?? false)) files[role] = path;
    else if (!optional || choice.files?.[role] !== undefined) missing.push(choice.files?.[role] ?? shown);
  }
  const unknown = Object.keys(choice.files ?? {}).filter(
    (role) => !kindOf(kind).files.some((one) => one.role === role),
  );
  if (unknown.length > 0) return wrong(`${kind} has no file called ${unknown.join(', ')}`);
  if (missing.length > 0)
    return wrong(sentence('engine.files-missing', { folder, files: missing.join(', ') }), missing);
  return { ok: true, model: { kind, folder, files } };
}

/** The smaller of two precisions, then the shortest name. */
function best(names: readonly string[]): string | undefined {
  const weight = (name: string): number => (/int8/i.test(name) ? 0 : 1_000) + name.length;
  return [...names].sort((a, b) => weight(a) - weight(b) || (a < b ? -1 : 1))[0];
}

function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder).slice(0, ENTRIES_MAX);
  } catch {
    return undefined;
  }
}

function isThere(path: string, folder: boolean): boolean {
  const state = statSync(path, { throwIfNoEntry: false });
  return state !== undefined && (folder ? state.isDirectory() : state.isFile() && state.size > 0);
}

function kindInManifest(folder: string): ModelKindName | undefined {
  const path = join(folder, MANIFEST);
  try {
    if (statSync(path).size > MANIFEST_BYTES_MAX) return undefined;
    const { kind } = JSON.parse(readFileSync(path, 'utf8')) as { kind?: unknown };
    return isModelKind(kind) ? kind : undefined;
  } catch {
    return undefined; // not installed by us, or spoilt: the setting says it
  }
}
