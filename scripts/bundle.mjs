/**
 * Puts the built modules of the gateway and of the command line, and the packages that they load, into `dist/bundle`, one script
 * each: half of a start went into finding and reading two thousand files. `npm run build` calls it, and `scripts/run.mjs` runs what it
 * made. Scripts, not modules, for the code that V8 makes of a script can be kept, on every Node.
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
const INTRO = `const { join: __join } = require('node:path');
const { pathToFileURL: __toUrl } = require('node:url');
const __pathOf = (at) => __join(__dirname, at);
const __urlOf = (at) => __toUrl(__pathOf(at)).href;`;
/** What `scripts/run.mjs` calls. A script whose code was kept cannot import by itself. */
const BANNER = '(function (exports, require, module, __filename, __dirname, __import) {';
const FOOTER = '})';
const IMPORT = /(?<![.\w$])import\(/g;
/** One letter of another alphabet, and V8 keeps the whole text with two bytes a letter. */
const NOT_ASCII = /[^\x00-\x7f]/g;
const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** What the client of PostgreSQL makes to find out whether it runs in a cloud loads all of `fetch`. Here it is asked of Node only. */
const CLOUD = { file: /\/pg\/lib\/stream\.js$/, asked: "typeof Response === 'function'", answer: 'false' };

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
    if (CLOUD.file.test(id)) return { code: code.replace(CLOUD.asked, CLOUD.answer), map: null };
    return id.startsWith('/') && PLACES.test(code) ? { code: placed(code, id), map: null } : null;
  },
  renderChunk(code) {
    return { code: code.replace(IMPORT, '__import(').replace(NOT_ASCII, escaped), map: null };
  },
};

async function bundle(input) {
  const made = await rolldown({
    ...{ input, platform: 'node', cwd: resolve(DIST, '..'), external: isOutside, plugins: [own] },
    onLog: (level, log, say) =>
      level === 'warn' && log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT' ? say(level, log) : undefined,
  });
  await made.write({
    ...{ dir: OUT, format: 'cjs', comments: false, minify: false, sourcemap: true, sourcemapExcludeSources: true },
    // One file, for a gateway lives on while its build is made anew, and must find then what it has not loaded yet.
    ...{ codeSplitting: false, intro: INTRO, banner: BANNER, footer: FOOTER },
  });
  await made.close();
}

/** The version that builds the console: it comes with vite. */
const besideVite = createRequire(createRequire(import.meta.url).resolve('vite'));
const { rolldown } = await import(pathToFileURL(besideVite.resolve('rolldown')).href);

rmSync(OUT, { recursive: true, force: true });
await bundle({ main: resolve(DIST, 'main.js') });
await bundle({ nidaa: resolve(DIST, 'cli/nidaa.js') });
