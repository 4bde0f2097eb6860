import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { sentence } from '../../../core/notice.ts';

export const SHERPA_PACKAGE = 'sherpa-onnx-node';
/** `--include=optional`: whoever leaves optional packages out by their settings of npm would be without the library itself. */
export const SHERPA_INSTALL = `npm install --no-save --include=optional ${SHERPA_PACKAGE}`;
/** What whoever runs models has agreed to. */
export const SHERPA_LICENCES = `${SHERPA_PACKAGE} is Apache-2.0; its library holds espeak-ng, which is GPL-3`;

const require = createRequire(import.meta.url);

/** The one with the library for this machine. */
export const nativePackage = (): string => `sherpa-onnx-${platform() === 'win32' ? 'win' : platform()}-${arch()}`;

/** What to do before models can be loaded; undefined where nothing is to be done. Loads nothing. */
export function sherpaMissing(resolve: (id: string) => unknown = require.resolve): string | undefined {
  const own = nativePackage();
  const lacks = [SHERPA_PACKAGE, `${own}/package.json`].filter((id) => !finds(resolve, id));
  if (lacks.length === 0) return undefined;
  const name = lacks.includes(SHERPA_PACKAGE) ? SHERPA_PACKAGE : own;
  return sentence('engine.no-model-library', { name, command: SHERPA_INSTALL });
}

function finds(resolve: (id: string) => unknown, id: string): boolean {
  try {
    resolve(id);
    return true;
  } catch {
    return false;
  }
}
