/**
 * Runs a program of the build: `node scripts/run.mjs main` the gateway, `node scripts/run.mjs cli/nidaa ...` the command line. Its bundle
 * is loaded where it was made of the present build; else the modules themselves, which is the same program, only slower to start.
 */
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/**
 * How often code must have run before V8 optimizes it: what runs at a start only is done by then. And how fast the room for young objects
 * grows from its megabyte: nearly all that a start makes stays, and was copied from one small room to the next sixteen times. V8's own
 * numbers come afterwards. Newer ones than that of Node 20 count otherwise, and complain about the first flag.
 */
const BUDGET = {
  starting: '--interrupt-budget=270000 --semi-space-growth-factor=8',
  running: '--interrupt-budget=67584 --semi-space-growth-factor=2',
};
const hasBudget = Number.parseInt(process.versions.v8, 10) <= 11;
/** What a gateway says when it has loaded everything and nobody calls yet. */
const LOADED = 'nidaa.loaded';
const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const changedMs = (path) => statSync(resolve(DIST, path), { throwIfNoEntry: false })?.mtimeMs;

if (hasBudget) setFlagsFromString(BUDGET.starting);
const [name = 'main'] = process.argv.splice(2, 1);
const bundled = `bundle/${name.split('/').at(-1)}.js`;
if ((changedMs(bundled) ?? -1) > (changedMs('.tsbuildinfo') ?? 0)) runScript(resolve(DIST, bundled));
else await import(new URL(`../dist/${name}.js`, import.meta.url).href);
// After the code was kept, which is taken with the same flags only.
if (hasBudget) subscribe(LOADED, () => setFlagsFromString(BUDGET.running));

/** Runs one bundle, with the code that V8 made of it when it ran before: to compile it took a third of a start. */
function runScript(file) {
  const bytes = readFileSync(file);
  // No stranger makes these; V8 refuses the code of a text of another length itself.
  const kept = `${file}.${crc32(bytes).toString(16)}.${process.version}.code`;
  const text = bytes.latin1Slice(); // ASCII; so V8 keeps it with one byte a letter
  const cachedData = contentOf(kept);
  // What runs once is thrown away again, which would leave the next start to compile it.
  if (!cachedData) setFlagsFromString('--no-flush-bytecode');
  const script = new Script(text, { filename: file, cachedData });
  if (!cachedData || script.cachedDataRejected) keepOnceLoaded(script, kept);
  // Node does it by itself for modules only.
  if (process.execArgv.includes('--enable-source-maps')) Error.prepareStackTrace = traceBySources(file);
  const module = { exports: {} };
  const load = (specifier) => import(specifier);
  const begin = script.runInThisContext();
  begin.call(module.exports, module.exports, createRequire(file), module, file, dirname(file), load);
}

function contentOf(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Keeps it beside the bundle, for what lies in a folder that everybody may write to is not to be run. A gateway says when it is ready. */
function keepOnceLoaded(script, file) {
  const keep = () => {
    setFlagsFromString('--flush-bytecode'); // Code is taken only by a V8 with the flags of the one that wrote it.
    try {
      writeFileSync(`${file}.${process.pid}`, script.createCachedData(), { flag: 'wx' });
      renameSync(`${file}.${process.pid}`, file);
    } catch {
      // A build that is not ours to write to: the next start compiles again.
    }
  };
  if (name === 'main') subscribe(LOADED, keep);
  else process.once('exit', keep);
}

/** The trace of an error by lines of the sources. The map is read when there is a first one. */
function traceBySources(file) {
  let map;
  const sourceOf = (line, column) => {
    map ??= new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
    const { originalSource, originalLine, originalColumn } = map.findEntry(line - 1, column - 1);
    return originalSource === undefined
      ? undefined
      : `${resolve(dirname(file), originalSource)}:${originalLine + 1}:${originalColumn + 1}`;
  };
  return (error, sites) => {
    const lines = sites.map((site) => {
      const [line, column] = [site.getLineNumber(), site.getColumnNumber()];
      const source = site.getFileName() === file ? sourceOf(line, column) : undefined;
      return `\n    at ${source ? String(site).replace(`${file}:${line}:${column}`, source) : site}`;
    });
    return `${Error.prototype.toString.call(error)}${lines.join('')}`;
  };
}
