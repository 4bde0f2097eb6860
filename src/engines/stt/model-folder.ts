import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { OperatorError } from '../../core/errors.ts';

/** Where Debian's package `pocketsphinx-en-us` puts the language model of free speech. */
export const DEBIAN_LANGUAGE_MODEL = '/usr/share/pocketsphinx/model/en-us/en-us.lm.bin';

const LIBRARY_FILE = 'libpocketsphinx.so.3';
const LIBRARY_FOLDERS = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
  '/usr/local/lib',
];

/** Whether the native library is where a system keeps it; loading it is left to a worker thread. */
export function sphinxInstalled(folders: readonly string[] = LIBRARY_FOLDERS): boolean {
  return folders.some((folder) => existsSync(join(folder, LIBRARY_FILE)));
}

/** Parts of the acoustic model that are used as they are. */
const MODEL_FILES = ['mdef', 'means', 'variances', 'sendump', 'transition_matrices'] as const;
/** The library believes this file over any argument. Values of the model's own `feat_params.json`, in the library's notation. */
const FEATURES = `-lowerf 130
-upperf 3700
-nfilt 20
-transform dct
-lifter 22
-feat 1s_c_d_dd
-svspec 0-12/13-25/26-38
-agc none
-varnorm no
-model ptm
`;
/** The decoder wants a dictionary to start from; words are added as grammars need them. */
const SEED_DICTIONARY = '~seed AH\n';

export interface SpeechModel {
  /** Acoustic model, absolute. */
  readonly folder: string;
  /** Dictionary with one seed word, for grammars. */
  readonly seedDictionary: string;
  /** The whole pronouncing dictionary, 134,000 words. */
  readonly dictionary: string;
  /** Language model of free speech; undefined where it is not installed. */
  readonly languageModel: string | undefined;
}

/** The 8 kHz English model that comes inside the package `soundswallower` (CMU en-us-ptm-8khz-5.2, BSD). */
export function packagedModelFolder(): string {
  const entry = createRequire(import.meta.url).resolve('soundswallower');
  return join(dirname(entry), 'model', 'en-us');
}

/**
 * Makes the folder that the native library reads, out of links to the packaged model. Safe to run by several processes and
 * any number of times; 1 ms.
 *
 * @param cacheDir - absolute; `speech-model-en` is made inside.
 * @throws OperatorError when the package is incomplete or the folder cannot be written.
 */
export function prepareModel(cacheDir: string, languageModel = DEBIAN_LANGUAGE_MODEL): SpeechModel {
  const folder = join(cacheDir, 'speech-model-en');
  let source: string;
  try {
    source = packagedModelFolder();
    for (const file of [...MODEL_FILES, 'noisedict.txt', 'dict.txt']) statSync(join(source, file));
  } catch (cause) {
    throw new OperatorError('The English speech model is missing: reinstall the package soundswallower.', { cause });
  }
  try {
    mkdirSync(folder, { recursive: true });
    for (const file of MODEL_FILES) replaceLink(join(source, file), join(folder, file));
    replaceFile(join(folder, 'noisedict'), readFileSync(join(source, 'noisedict.txt'), 'utf8'));
    replaceFile(join(folder, 'feat.params'), FEATURES);
    replaceFile(join(folder, 'seed.dict'), SEED_DICTIONARY);
  } catch (cause) {
    throw new OperatorError(`The folder ${folder} cannot be written: check its owner, or change dataDir.`, { cause });
  }
  return {
    folder,
    seedDictionary: join(folder, 'seed.dict'),
    dictionary: join(source, 'dict.txt'),
    languageModel: existsSync(languageModel) ? languageModel : undefined,
  };
}

/**
 * Writes the dictionary of free speech: the whole one without the words that cannot be recognised, since the language model
 * does not know them. 41 % of it, which every decoder would keep twice. One that is newer than both stays: it takes 0.15 s, a
 * fifth of what a process for free speech takes to start.
 *
 * @param wordsOf - those of the language model.
 * @returns its file; the whole dictionary where the file cannot be written.
 */
export function writeFreeDictionary(
  { folder, dictionary, languageModel }: SpeechModel,
  wordsOf: () => Iterable<string>,
): string {
  const file = join(folder, 'free.dict');
  if (languageModel !== undefined && isNewer(file, [dictionary, languageModel])) return file;
  const known = new Set(wordsOf());
  const kept = readFileSync(dictionary, 'latin1')
    .split('\n')
    .filter((line) => known.has(/^(.+?)(?:\(\d+\))?\s/.exec(line)?.[1] ?? ''));
  try {
    replaceFile(file, `${kept.join('\n')}\n`, 'latin1');
    return file;
  } catch {
    return dictionary; // the disk is full: it takes more memory instead
  }
}

/** By when the others came to be here: what a package brings carries the time of its making. */
function isNewer(file: string, others: readonly string[]): boolean {
  const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return made !== undefined && others.every((other) => statSync(other).ctimeMs < made);
}

/** Renaming over the old one: another process never sees it missing. */
function replaceLink(target: string, path: string): void {
  const fresh = `${path}.${process.pid}`;
  rmSync(fresh, { force: true });
  symlinkSync(target, fresh);
  renameSync(fresh, path);
}
function replaceFile(path: string, text: string, encoding: BufferEncoding = 'utf8'): void {
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, text, encoding);
  renameSync(fresh, path);
}
