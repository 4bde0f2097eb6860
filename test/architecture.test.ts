import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** Who may import whom. `media/description` and `call/call-registry` are single files others may know. */
const ALLOWED: Record<string, readonly string[]> = {
  core: [],
  audio: ['core'],
  'sip-server': ['core'],
  config: ['core'],
  store: ['core'],
  media: ['audio', 'core'],
  engines: ['audio', 'core'],
  billing: ['store', 'core'],
  call: ['media', 'engines', 'billing', 'store', 'audio', 'core'],
  sip: ['call', 'media/description', 'core'],
  api: ['engines', 'billing', 'store', 'audio', 'core'],
  jobs: ['engines', 'billing', 'store', 'core'],
  client: ['api/schemas', 'api/socket-schemas', 'core'], // types only: it runs in other people's programs
  console: ['billing', 'store', 'call/call-registry', 'core'],
  // The command line starts the same objects as the gateway does.
  cli: [
    ...['config', 'core', 'engines', 'billing', 'store', 'audio', 'media', 'call', 'sip', 'sip-server', 'jobs'],
    'client',
  ],
};
const EVERYTHING = new Set(['main.ts', 'compose.ts', 'compose']);

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? sourceFiles(join(folder, entry.name))
      : entry.name.endsWith('.ts')
        ? [join(folder, entry.name)]
        : [],
  );
}

const imports = sourceFiles(SRC).flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => ({
    file: relative(SRC, file),
    target: match[1]!,
  })),
);

describe('the house', () => {
  it('has files to judge', () => {
    expect(imports.length).toBeGreaterThan(50);
  });

  it('imports only what the table allows', () => {
    const wrong = imports.filter(({ file, target }) => {
      if (!target.startsWith('.')) return false;
      const from = file.split('/')[0]!;
      const to = relative(SRC, resolve(dirname(join(SRC, file)), target));
      const toFolder = to.split('/')[0]!;
      if (EVERYTHING.has(from) || toFolder === from) return false;
      return !(ALLOWED[from] ?? []).some((allowed) => toFolder === allowed || to === `${allowed}.ts`);
    });
    expect(wrong).toEqual([]);
  });

  it('keeps drachtio-srf inside sip/', () => {
    expect(imports.filter(({ file, target }) => target.startsWith('drachtio') && !file.startsWith('sip/'))).toEqual([]);
  });

  it('reads the environment in one place', () => {
    const readers = sourceFiles(SRC).filter((file) => readFileSync(file, 'utf8').includes('process.env'));
    expect(
      readers.map((file) => relative(SRC, file)).filter((file) => !/^(config\/load|main|cli\/)/.test(file)),
    ).toEqual([]);
  });

  it('keeps files readable in one sitting', () => {
    const long = sourceFiles(SRC)
      .map((file) => ({ file: relative(SRC, file), lines: readFileSync(file, 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > 401);
    expect(long).toEqual([]);
  });
});
