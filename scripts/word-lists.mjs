/**
 * Packs the word lists of `src` for `src/language/lists.ts`: one `lists.json` in `dist` for each folder that has some. Reading the
 * rows at each start took twenty times as long. `npm run build` calls it.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packFolders } from '../dist/language/pack-lists.js';

for (const [folder, files] of packFolders(fileURLToPath(new URL('../src/', import.meta.url)))) {
  const built = new URL(`../dist/${folder}/`, import.meta.url);
  mkdirSync(built, { recursive: true });
  writeFileSync(new URL('lists.json', built), JSON.stringify(files));
}
