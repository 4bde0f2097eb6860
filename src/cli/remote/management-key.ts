import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { OperatorError } from '../../core/errors.ts';

const FILE_BYTES_MAX = 4_096;
const KEY = /^manage_sk_[A-Za-z0-9]{20,100}$/;
const READ_BY_OTHERS = 0o044;

/**
 * A management key, from a file or the environment: an argument is seen by everybody who lists processes.
 *
 * @param warn - is told where others can read the file.
 * @throws OperatorError without one, or where it cannot be one.
 */
export function managementKey(
  file: string | undefined,
  fromEnvironment: string | undefined,
  warn: (text: string) => void,
): string | undefined {
  const text = (file === undefined ? fromEnvironment : readKeyFile(file, warn))?.trim();
  if (text === undefined || text === '') {
    if (file !== undefined) throw new OperatorError(`${file} is empty: a management key is wanted.`);
    return undefined;
  }
  if (KEY.test(text)) return text;
  const where = file ?? 'NIDAA_KEY';
  throw new OperatorError(
    text.startsWith('service_sk_')
      ? `${where} has a token of the public API, which manages nothing: \`keys create\` makes a management key.`
      : `${where} has no management key, manage_sk_...: \`keys create\` makes one.`,
  );
}

function readKeyFile(path: string, warn: (text: string) => void): string {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const { mode } = fstatSync(file);
    if ((mode & READ_BY_OTHERS) !== 0) {
      warn(`${path} can be read by others (mode ${(mode & 0o777).toString(8)}): chmod 600 ${path}`);
    }
    const bytes = Buffer.alloc(FILE_BYTES_MAX);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, FILE_BYTES_MAX, null));
  } catch (error) {
    throw new OperatorError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}.`, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
