import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorText, OperatorError } from '../core/errors.ts';
import type { Queryable } from './database.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12; // NIST SP 800-38D §8.2: 96 bits, random; far fewer than 2^32 secrets are ever sealed with one key
const TAG_BYTES = 16;
const VERSION = 1;
/** In the data folder, where the environment has no key. */
export const SECRET_KEY_FILE = 'secret.key';

/** Opens and seals secrets of the database with AES-256-GCM. A sealed one is of no use in another row. */
export class SecretBox {
  /** @param source - what the key is called where it has to be mended. */
  constructor(
    private readonly key: Buffer,
    private readonly source: string,
  ) {}

  /** What tells whether two texts are the same, and says nothing of them to whoever does not have the key. */
  fingerprint(text: string): Buffer {
    const own = hkdfSync('sha256', this.key, Buffer.alloc(0), 'nidaa fingerprint v1', KEY_BYTES);
    return createHmac('sha256', Buffer.from(own)).update(text).digest();
  }

  /** @param row - the id that it is stored under: bound to it as associated data. */
  seal(secret: string, row: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(row));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), text]);
  }

  /** @throws OperatorError where the key is another than it was sealed with, or the row was changed by hand. */
  open(sealed: Buffer, row: string): string {
    const start = 1 + IV_BYTES + TAG_BYTES;
    try {
      if (sealed[0] !== VERSION || sealed.length < start) throw new Error('not sealed by this program');
      const decipher = createDecipheriv('aes-256-gcm', this.key, sealed.subarray(1, 1 + IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(row));
      decipher.setAuthTag(sealed.subarray(1 + IV_BYTES, start));
      return Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()]).toString('utf8');
    } catch (error) {
      throw new OperatorError(
        `The secret of ${row} cannot be opened with the key of ${this.source}. Give the key that it was stored with; ` +
          'where that is lost, remove the trunk, phone or webhook and make it again.',
        { cause: error },
      );
    }
  }
}

export interface SecretKeyOptions {
  /** `NIDAA_SECRET_KEY`: 32 bytes as 64 hexadecimal digits or in base64. Goes before the file. */
  readonly secretKey?: string | undefined;
  readonly dataFolder: string;
  /** Makes the file where there is none. */
  readonly make: boolean;
}

/** @throws OperatorError where there is no key, or one that cannot be used; its text never shows the key. */
export function openSecretBox({ secretKey, dataFolder, make }: SecretKeyOptions): SecretBox {
  if (secretKey) return new SecretBox(readKey(secretKey, 'NIDAA_SECRET_KEY'), 'NIDAA_SECRET_KEY');
  const file = join(dataFolder, SECRET_KEY_FILE);
  const text = readKeyFile(file) ?? (make ? makeKeyFile(file) : undefined);
  if (text !== undefined) return new SecretBox(readKey(text, file), file);
  throw new OperatorError(
    `There is no key for secrets: ${file} is missing. Start the gateway once, or set NIDAA_SECRET_KEY.`,
  );
}

/** @throws OperatorError where secrets are stored that this key does not open: better told at the start than by a call. */
export async function requireRightKey(on: Queryable, box: SecretBox): Promise<void> {
  const { rows } = await on.query<{ id: string; sealed: Buffer }>(
    'SELECT id, sealed FROM trunks WHERE sealed IS NOT NULL UNION ALL SELECT id, sealed FROM phones UNION ALL SELECT id, sealed FROM webhooks LIMIT 1',
  );
  for (const { id, sealed } of rows) box.open(sealed, id);
}

function readKey(text: string, source: string): Buffer {
  const trimmed = text.trim();
  const key = /^[0-9a-f]{64}$/i.test(trimmed) ? Buffer.from(trimmed, 'hex') : Buffer.from(trimmed, 'base64');
  const isWhole =
    key.length === KEY_BYTES && (key.toString('hex') === trimmed.toLowerCase() || key.toString('base64') === trimmed);
  if (isWhole) return key;
  throw new OperatorError(
    `${source} is no key: expected 32 random bytes as 64 hexadecimal digits or base64. \`openssl rand -hex 32\` makes one.`,
  );
}

function readKeyFile(file: string): string | undefined {
  try {
    const { mode } = statSync(file);
    if ((mode & 0o077) !== 0) throw new OperatorError(`Others can read ${file}. Close it: chmod 600 ${file}`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`Cannot read ${file}, the key for secrets: ${errorText(error)}.`, { cause: error });
  }
}

/** Two that start together on one folder have one key: the first to write wins. */
function makeKeyFile(file: string): string | undefined {
  try {
    writeFileSync(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new OperatorError(`Cannot make ${file}, the key for secrets: ${errorText(error)}.`, { cause: error });
    }
  }
  return readKeyFile(file);
}
