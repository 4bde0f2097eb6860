import { OperatorError } from '../../core/errors.ts';
import { MANIFEST } from '../../engines/providers/sherpa/model-files.ts';
import { shown } from './tar.ts';

const PATH_CHARS_MAX = 240;
const DEPTH_MAX = 16;

/**
 * A path of an archive or folder as one below the model's folder, with `/` between its parts; undefined for the folder itself.
 *
 * @throws OperatorError where it leads elsewhere, or is one that no file should have.
 */
export function safePath(path: string): string | undefined {
  if (/[\u0000-\u001f\u007f\\:]/.test(path)) throw refused(path, 'has characters that no file of a model has');
  if (path.startsWith('/')) throw refused(path, 'leads out of the folder of the model');
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw refused(path, 'leads out of the folder of the model');
  if (parts.length === 0) return undefined;
  const safe = parts.join('/');
  if (safe.length > PATH_CHARS_MAX || parts.length > DEPTH_MAX) throw refused(path, 'is too long');
  if (parts.at(-1) === MANIFEST) throw refused(path, 'is a file that only the gateway writes');
  return safe;
}

function refused(path: string, why: string): OperatorError {
  return new OperatorError(`${shown(path)} ${why}: nothing was installed`);
}
