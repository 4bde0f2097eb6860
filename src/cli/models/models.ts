import { join } from 'node:path';
import { MODELS_FOLDER } from '../../config/load.ts';
import { OperatorError } from '../../core/errors.ts';
import { kindOf, type ModelKindName } from '../../engines/providers/sherpa/model-kinds.ts';
import type { CommandContext } from '../context.ts';
import { print } from '../doctor.ts';
import { emit, paint, table } from '../output.ts';
import { type KnownModel, loadCatalogue } from './catalogue.ts';
import { checkModels } from './check.ts';
import { installModel } from './install.ts';
import { type InstalledModel, installedModels } from './manifest.ts';
import { type Verified, verifyModel } from './verify.ts';

const BYTES_PER_GB = 1e9;
const BYTES_PER_MB = 1e6;

const folderOf = ({ config }: CommandContext): string => join(config.dataDir, MODELS_FOLDER);
const megabytes = (bytes: number): string => `${Math.max(1, Math.round(bytes / BYTES_PER_MB))}`;
const sizeOf = ({ manifest }: InstalledModel): number => manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);

/** Models that are known to fit, and those that are installed. */
export async function listModels(context: CommandContext): Promise<void> {
  const known = loadCatalogue(context.config.paths.modelsFile);
  const folder = folderOf(context);
  const installed = await installedModels(folder);
  emit(context.out, { folder, known, installed: installed.map(({ manifest }) => manifest) }, () => {
    const { out } = context;
    const isHere = (name: string): string => (installed.some((model) => model.name === name) ? 'yes' : '');
    table(
      out,
      ['MODEL', 'FOR', 'LANGUAGES', 'LICENCE', 'MB', 'MEMORY', 'HERE', 'FROM'],
      known.map((row) => [row.name, kindOf(row.kind).use, ...facts(row), isHere(row.name), row.source]),
    );
    const others = installed.filter(({ name }) => !known.some((row) => row.name === name));
    if (others.length > 0) {
      out.write('\n');
      table(
        out,
        ['ALSO HERE', 'FOR', 'LANGUAGES', 'KIND', 'MB'],
        others.map((model) => [
          ...[model.name, kindOf(model.manifest.kind).use, model.manifest.languages.join(' ')],
          ...[model.manifest.kind, megabytes(sizeOf(model))],
        ]),
      );
    }
    out.write(
      paint(
        out,
        'dim',
        `\nModels are installed in ${folder}. Nothing is loaded from anywhere but by \`models install\`.\n`,
      ),
    );
  });
}

function facts({ languages, licence, sizeMb, memory }: KnownModel): string[] {
  return [languages.join(' '), licence, `${sizeMb ?? 'not told'}`, memory ? `${memory.mb} MB` : 'not measured'];
}

export interface InstallOptions {
  readonly name?: string;
  readonly kind?: ModelKindName;
  readonly language?: readonly string[];
  readonly sha256?: string;
  readonly replace?: boolean;
  readonly maxGb: number;
}

export async function install(context: CommandContext, place: string, options: InstallOptions): Promise<void> {
  const { maxGb, language, ...given } = options;
  const order = { ...given, place, bytesMax: maxGb * BYTES_PER_GB, ...(language && { languages: language }) };
  const known = loadCatalogue(context.config.paths.modelsFile);
  const { folder, manifest, confirmed } = await installModel(order, folderOf(context), known, new Date());
  emit(context.out, { folder, manifest, confirmed }, () => {
    const { out } = context;
    const { name, kind, files } = manifest;
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    out.write(
      `${paint(out, 'green', 'installed')} ${name} (${kind}), ${files.length} files, ${megabytes(bytes)} MB, in ${folder}\n`,
    );
    const sums =
      confirmed.length > 0
        ? `The sums of ${confirmed.join(', ')} are those that are known.`
        : 'No sum of it was known beforehand.';
    out.write(`${sums} \`nidaa models verify\` compares with today's from now on.\n`);
  });
}

/** @returns whether everything that is configured is there, and loads where that was asked. */
export async function check(context: CommandContext, { load = false }: { readonly load?: boolean }): Promise<boolean> {
  const findings = await checkModels(context.config, load);
  emit(context.out, findings, () => print(context.out, findings, 'All models are there'));
  return findings.every(({ state }) => state !== 'fail');
}

/** @returns whether every file is what it was. @throws OperatorError where no model has the name. */
export async function verify(context: CommandContext, name: string | undefined): Promise<boolean> {
  const installed = (await installedModels(folderOf(context))).filter(
    (model) => name === undefined || model.name === name,
  );
  if (name !== undefined && installed.length === 0) throw new OperatorError(`no model ${name} is installed`);
  const results: Verified[] = [];
  for (const model of installed) results.push(await verifyModel(model));
  emit(context.out, results, () =>
    table(
      context.out,
      ['MODEL', 'FILES', 'STATE'],
      results.map((result) => [result.name, `${result.files}`, stateOf(result)]),
    ),
  );
  return results.every(({ changed, missing }) => changed.length + missing.length === 0);
}

function stateOf({ changed, missing, added }: Verified): string {
  const told = Object.entries({ changed, missing, added }).filter(([, paths]) => paths.length > 0);
  return told.length === 0 ? 'as installed' : told.map(([what, paths]) => `${what}: ${paths.join(', ')}`).join('; ');
}
