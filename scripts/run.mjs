/**
 * Runs a program of the build: `node scripts/run.mjs main` the gateway, `node scripts/run.mjs cli/nidaa ...` the command line. Its bundle
 * is loaded where it was made of the present build; else the modules themselves, which is the same program, only slower to start.
 */
import { statSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const DIST = new URL('../dist/', import.meta.url);
const changedMs = (path) => statSync(new URL(path, DIST), { throwIfNoEntry: false })?.mtimeMs;

const [name = 'main'] = process.argv.splice(2, 1);
const bundled = `bundle/${name.split('/').at(-1)}.js`;
const isFresh = (changedMs(bundled) ?? -1) > (changedMs('.tsbuildinfo') ?? 0);
// From Node 22 on; beside the bundle, for what lies in a folder that everybody may write to is not to be run.
module.enableCompileCache?.(fileURLToPath(new URL('bundle/.compiled/', DIST)));
await import(new URL(isFresh ? bundled : `${name}.js`, DIST).href);
