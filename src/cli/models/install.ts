import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OperatorError } from '../../core/errors.ts';
import { findModel, MANIFEST } from '../../engines/providers/sherpa/model-files.ts';
import { kindOf, type ModelKindName } from '../../engines/providers/sherpa/model-kinds.ts';
import { broughtFiles, nameAfter } from './brought-files.ts';
import { type KnownModel, knownAs } from './catalogue.ts';
import { fetchedFile, gigabytes, isAddress, sumOf } from './fetched-file.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { safePath } from './safe-path.ts';

export interface InstallOrder {
  /** A folder, an archive, a model file, or an https address of one. */
  readonly place: string;
  readonly name?: string;
  readonly kind?: ModelKindName;
  readonly languages?: readonly string[];
  /** Of the file or archive. */
  readonly sha256?: string;
  readonly replace?: boolean;
  readonly bytesMax: number;
}
export interface Installed {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Files whose sum was known before, and is right. */
  readonly confirmed: readonly string[];
}

const FILES_MAX = 10_000;
const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;
/** Where a model is put together; what a killed command left is cleared away by a later one. */
const INCOMING = '.incoming-';
const LEFT_MS = 24 * 60 * 60_000;

/**
 * Puts a model into `modelsDir`, whole or not at all: under its name only when everything was read, is where it should be, and has the
 * files of its kind.
 *
 * @throws OperatorError for everything that is wrong with what was brought.
 */
export async function installModel(
  order: InstallOrder,
  modelsDir: string,
  known: readonly KnownModel[],
  now: Date,
): Promise<Installed> {
  await mkdir(modelsDir, { recursive: true });
  await clearLeft(modelsDir, now);
  const incoming = await mkdtemp(join(modelsDir, INCOMING));
  try {
    const place = isAddress(order.place) ? await fetchedFile(order.place, incoming, order.bytesMax) : order.place;
    if (order.sha256 !== undefined) await expectSum(place, order.sha256);
    const row = knownAs(known, order.name ?? '') ?? knownAs(known, nameAfter(place)) ?? knownAs(known, basename(place));
    const name = order.name ?? row?.name ?? nameAfter(place).toLowerCase();
    if (!NAME.test(name)) throw new OperatorError(`${name.slice(0, 80)} is no name for a model: --name gives it one`);
    const kind = order.kind ?? row?.kind ?? (await readManifest(place))?.kind;
    if (!kind) throw new OperatorError(`what kind of model ${name} is, is not known: --kind says it`);
    const target = join(modelsDir, name);
    if (!order.replace && (await stat(target).catch(() => undefined))) {
      throw new OperatorError(`${name} is installed already: --replace puts this in its place`);
    }
    const unpackedTo = join(incoming, '.model');
    const files = await unpack(place, unpackedTo, order.bytesMax);
    const confirmed = expectKnown(files, row?.name === name ? row : undefined);
    const root = rootOf(files);
    const manifest: Manifest = {
      ...{
        name,
        kind,
        languages: [...(order.languages ?? row?.languages ?? [])],
        ...(row && { licence: row.licence }),
      },
      ...{ from: cameFrom(order.place), installedAt: now.toISOString() },
      files: files.map((file) => ({ ...file, path: file.path.slice(root.length) })),
    };
    const folder = join(unpackedTo, root);
    const found = findModel({ model: folder, kind }, modelsDir, kindOf(kind).use);
    if (!found.ok) throw new OperatorError(`it is no ${kind}: it lacks ${found.missing.join(', ') || found.why}`);
    await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { flag: 'wx', mode: 0o644 });
    await putInPlace(folder, target, incoming);
    return { folder: target, manifest, confirmed };
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}

type File = Manifest['files'][number];

/** Writes every file below `folder`, none twice, none elsewhere, none executable. */
async function unpack(place: string, folder: string, bytesMax: number): Promise<File[]> {
  const files: File[] = [];
  let total = 0;
  await mkdir(folder);
  for await (const { path, content } of broughtFiles(place)) {
    if (basename(path) === MANIFEST) continue; // of a folder that was installed elsewhere: a new one is written
    const safe = safePath(path);
    if (safe === undefined) continue;
    if (files.length >= FILES_MAX) throw new OperatorError(`it has more than ${FILES_MAX} files: it is no model`);
    await mkdir(dirname(join(folder, safe)), { recursive: true });
    const file = await open(join(folder, safe), 'wx', 0o644).catch(() => {
      throw new OperatorError(`${safe} is there twice: nothing was installed`);
    });
    const sum = createHash('sha256');
    let bytes = 0;
    try {
      for await (const chunk of content()) {
        bytes += chunk.length;
        total += chunk.length;
        if (total > bytesMax) {
          throw new OperatorError(`it is larger than ${gigabytes(bytesMax)} unpacked: --max-gb allows more`);
        }
        sum.update(chunk);
        await file.appendFile(chunk); // all of it: write() may take a part
      }
    } finally {
      await file.close();
    }
    files.push({ path: safe, bytes, sha256: sum.digest('hex') });
  }
  if (files.length === 0) throw new OperatorError(`${place} has no files`);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Archives hold one folder, with the model in it: that folder's path, else ''. */
function rootOf(files: readonly File[]): string {
  const [first = ''] = files.map(({ path }) => path);
  let root = '';
  for (const part of first.split('/').slice(0, -1)) {
    const deeper = `${root}${part}/`;
    if (!files.every(({ path }) => path.startsWith(deeper))) break;
    root = deeper;
  }
  return root;
}

/** Sums that are known from elsewhere. @returns the files that have theirs. */
function expectKnown(files: readonly File[], row: KnownModel | undefined): string[] {
  return (row?.files ?? []).flatMap(({ name, sha256 }) => {
    const file = files.find(({ path }) => basename(path) === name);
    if (file && file.sha256 !== sha256) {
      throw new OperatorError(
        `${name} is not the file that is known: its SHA-256 is ${file.sha256}, expected ${sha256}`,
      );
    }
    return file ? [name] : [];
  });
}

async function expectSum(place: string, wanted: string): Promise<void> {
  const state = await stat(place).catch(() => undefined);
  if (!state?.isFile()) throw new OperatorError('--sha256 is the sum of a file, and this is none');
  const sum = await sumOf(place);
  if (sum !== wanted.toLowerCase())
    throw new OperatorError(`the SHA-256 of ${basename(place)} is ${sum}, not the one that was given`);
}

/** The model that was there goes only when the new one is in its place. */
async function putInPlace(folder: string, target: string, incoming: string): Promise<void> {
  const before = join(incoming, '.before');
  const there = await rename(target, before).then(
    () => true,
    () => false,
  );
  try {
    await rename(folder, target);
  } catch (error) {
    if (there) await rename(before, target);
    throw error;
  }
}

async function clearLeft(modelsDir: string, now: Date): Promise<void> {
  for (const name of await readdir(modelsDir)) {
    if (!name.startsWith(INCOMING)) continue;
    const state = await stat(join(modelsDir, name)).catch(() => undefined);
    if (state && now.getTime() - state.mtimeMs > LEFT_MS)
      await rm(join(modelsDir, name), { recursive: true, force: true });
  }
}

/** Without what may be a key in it. */
function cameFrom(place: string): string {
  if (!isAddress(place)) return basename(place);
  const { host, pathname } = new URL(place);
  return `https://${host}${pathname}`;
}
