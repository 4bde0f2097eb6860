import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

const SRC = new URL('../../src/', import.meta.url).href;
const DIST = fileURLToPath(new URL('../../dist/', import.meta.url));

/**
 * Tests import the sources and get the build of them, which Node loads itself: the same files that worker threads and
 * gateways run, none of them transformed once more in each project;
 * those of the console are bundled, and read as they stand. `build-once` has made it before the first test.
 */
export default function builtSources(): Plugin {
  return {
    name: 'built-sources',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer || !source.startsWith('.') || !source.endsWith('.ts')) return null;
      const { href } = new URL(source, `file://${importer}`);
      return href.startsWith(SRC) && !href.startsWith(`${SRC}console/`)
        ? { id: `${DIST}${href.slice(SRC.length, -'.ts'.length)}.js`, external: true }
        : null;
    },
  };
}
