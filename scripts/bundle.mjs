/**
 * Puts the built modules of the gateway and of the command line, and the packages that they load, into `dist/bundle`: half of a
 * start went into finding and reading two thousand files. `npm run build` calls it, and `scripts/run.mjs` runs what it made.
 */
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));
const OUT = resolve(DIST, 'bundle');
/** They are found beside their own native code, or loaded for one kind of file only. */
const OUTSIDE = [
  ...['koffi', 'msgpackr-extract', 'pg-native', 'sherpa-onnx-node', '@evan/opus', '@fastify/swagger-ui'],
  ...['unpdf', 'mpg123-decoder', 'ogg-opus-decoder', 'wasm-media-encoders', '@wasm-audio-decoders/flac'],
  ...['@wasm-audio-decoders/ogg-vorbis', 'soundswallower'],
];
const isOutside = (id) => OUTSIDE.some((name) => id === name || id.startsWith(`${name}/`));

/** Where a module looks for files beside itself, it goes on doing so from where it stood, as seen from `OUT`: all that is made lies there. */
const PLACES = /\bimport\.meta\.url\b|(?<!\.)\b__(?:dirname|filename)\b/g;
const INTRO = `import { fileURLToPath as __pathOfUrl } from 'node:url';
const __urlOf = (at) => new URL(at, import.meta.url).href;
const __pathOf = (at) => __pathOfUrl(__urlOf(at));`;

function placed(code, id) {
  const at = JSON.stringify(relative(OUT, id));
  const folder = JSON.stringify(relative(OUT, dirname(id)));
  return code.replace(PLACES, (place) =>
    place === '__dirname' ? `__pathOf(${folder})` : `${place === '__filename' ? '__pathOf' : '__urlOf'}(${at})`,
  );
}

const own = {
  name: 'own',
  load(id) {
    if (!id.startsWith(DIST)) return null;
    return { code: readFileSync(id, 'utf8'), map: JSON.parse(readFileSync(`${id}.map`, 'utf8')) };
  },
  transform(code, id) {
    return id.startsWith('/') && PLACES.test(code) ? { code: placed(code, id), map: null } : null;
  },
};

async function bundle(input, output) {
  const made = await rolldown({
    ...{ input, platform: 'node', cwd: resolve(DIST, '..'), external: isOutside, plugins: [own] },
    onLog: (level, log, say) =>
      level === 'warn' && log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT' ? say(level, log) : undefined,
  });
  await made.write({
    dir: OUT,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    intro: INTRO,
    ...output,
  });
  await made.close();
}

/** The version that builds the console: it comes with vite. */
const besideVite = createRequire(createRequire(import.meta.url).resolve('vite'));
const { rolldown } = await import(pathToFileURL(besideVite.resolve('rolldown')).href);

rmSync(OUT, { recursive: true, force: true });
// One file, for a gateway lives on while its build is made anew, and must find then what it has not loaded yet.
await bundle({ main: resolve(DIST, 'main.js') }, { codeSplitting: false });
await bundle({ nidaa: resolve(DIST, 'cli/nidaa.js') }, { chunkFileNames: 'nidaa-[name]-[hash].js' });
