import { createRequire } from 'node:module';
import { SHERPA_PACKAGE } from './installed.ts';
import type { SherpaLibrary } from './native.ts';

const require = createRequire(import.meta.url);

/**
 * For processes of models alone: the library has a licence of its own and ends the process that it works in where a model is not what
 * it should be. @throws what the loader throws: the package or the one of this platform is not there, or its library does not load.
 */
export function loadSherpa(): SherpaLibrary {
  return require(SHERPA_PACKAGE) as SherpaLibrary;
}
