import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorText, OperatorError } from '../core/errors.ts';

/** The folder that secrets are mounted in, one file each: Docker's /run/secrets, a volume of Kubernetes, systemd's credentials. */
export const SECRETS_DIR = 'NIDAA_SECRETS_DIR';
/** Whatever else lies there (what Kubernetes puts beside, `..data`) is no variable. */
const NAME = /^[A-Z][A-Z0-9_]*$/;
const FILES_MAX = 256;
const BYTES_MAX = 64 * 1024;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment with the files of `NIDAA_SECRETS_DIR`: a file's name is that of the variable, what stands in it without the last line
 * end its value. What the environment itself has goes before. Unlike variables, files are not handed on to child processes.
 *
 * @throws OperatorError where the folder, or a file of it, cannot be read: a gateway without its secrets is not the one that was meant.
 */
export function withSecretFiles(env: Environment): Environment {
  const folder = env[SECRETS_DIR];
  if (!folder) return env;
  try {
    const names = readdirSync(folder).filter((name) => NAME.test(name));
    if (names.length > FILES_MAX) throw new Error(`${names.length} files, ${FILES_MAX} are read`);
    return { ...Object.fromEntries(names.map((name) => [name, secretIn(join(folder, name))])), ...set(env) };
  } catch (error) {
    throw new OperatorError(`${SECRETS_DIR}: the secrets in ${folder} cannot be read: ${errorText(error)}`, {
      cause: error,
    });
  }
}

function secretIn(path: string): string {
  if (statSync(path).size > BYTES_MAX) throw new Error(`${path} is longer than ${BYTES_MAX} bytes`);
  return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
}

/** An empty variable counts as not set. */
const set = (env: Environment): Environment => Object.fromEntries(Object.entries(env).filter(([, value]) => value));
