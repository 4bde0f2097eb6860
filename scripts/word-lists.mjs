/**
 * Packs the word lists of `src` for `src/language/lists.ts`: one `lists.json` in `dist` for each folder that has some. Reading the
 * rows at each start took twenty times as long. Says then of which build this is, for what agents learn with it. `npm run build` calls it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sayBuild } from '../dist/engines/reply/learnt-files.js';
import { packFolders } from '../dist/language/pack-lists.js';

for (const [folder, files] of packFolders(fileURLToPath(new URL('../src/', import.meta.url)))) {
  const built = new URL(`../dist/${folder}/`, import.meta.url);
  mkdirSync(built, { recursive: true });
  writeFileSync(new URL('lists.json', built), JSON.stringify(files));
}
sayBuild(fileURLToPath(new URL('../dist', import.meta.url)));
