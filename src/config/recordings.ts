import { type Static, Type } from '@sinclair/typebox';

const inEnvironment = Type.String({ pattern: '^[A-Z_][A-Z0-9_]*$', expected: 'the name of an environment variable' });
const one = <const T extends readonly string[]>(...words: T) =>
  Type.Union(
    words.map((word) => Type.Literal(word as T[number])),
    { default: words[0], expected: words.join(' or ') },
  );

const s3 = Type.Object({
  bucket: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$', expected: 'the name of a bucket' }),
  region: Type.String({ pattern: '^[a-z0-9-]{1,64}$', expected: 'a region like me-south-1', default: 'us-east-1' }),
  endpoint: Type.Optional(
    Type.String({ pattern: '^https?://[^/?#@\\s]+/?$', expected: 'an address like https://s3.example.com' }),
  ),
  addressing: one('host', 'path'),
  prefix: Type.String({
    pattern: '^([A-Za-z0-9._-]+/)*$',
    expected: 'folders like nidaa/, each with a / behind it',
    default: '',
  }),
  accessKeyEnv: inEnvironment,
  secretKeyEnv: inEnvironment,
  sessionTokenEnv: Type.Optional(inEnvironment),
  /** S3 takes no part below 5 MiB but the last, and 10,000 at most. */
  partMb: Type.Integer({ minimum: 5, maximum: 512, default: 8 }),
});

/** Where recordings are kept, and how. */
export const recordingsSection = Type.Object(
  {
    home: one('local', 's3'),
    archive: one('wav', 'g711'),
    encryption: Type.Optional(
      Type.Object({ keyEnv: inEnvironment, oldKeyEnvs: Type.Array(inEnvironment, { default: [], maxItems: 20 }) }),
    ),
    s3: Type.Optional(s3),
    orphanDays: Type.Integer({ minimum: 1, maximum: 3_650, default: 7 }),
  },
  { default: {} },
);
type Section = Static<typeof recordingsSection>;

/** As in the file, with the secrets taken from the environment. */
export interface RecordingSettings {
  home: 'local' | 's3';
  archive: 'wav' | 'g711';
  /** 32 bytes each, in hex: what new files are sealed with, and what older ones are read with. */
  encryption?: { key: string; oldKeys: string[] };
  s3?: {
    endpoint: string;
    region: string;
    bucket: string;
    addressing: 'path' | 'host';
    prefix: string;
    partMb: number;
    accessKeyId: string;
    secretAccessKey: string;
    sessionToken?: string;
  };
  orphanDays: number;
}

const KEY_BYTES = 32;
const HEX = /^[0-9a-fA-F]{64}$/;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/** A key of 32 bytes in hex or base64, as hex. */
export function readSealKey(text: string): string | undefined {
  if (HEX.test(text)) return text.toLowerCase();
  const key = BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
  return key?.length === KEY_BYTES ? key.toString('hex') : undefined;
}

/**
 * Reads the secrets of recordings; what is missing is a problem of the start.
 *
 * @param isNeeded - false where no recording is read or written: what has no secret is left out then.
 */
export function readRecordings(
  { home, archive, encryption, s3: section, orphanDays }: Section,
  env: Readonly<Record<string, string | undefined>>,
  refuse: (path: readonly string[], message: string) => void,
  isNeeded: boolean,
): RecordingSettings {
  const read = (path: readonly string[], name: string): string | undefined => {
    const value = env[name];
    if (!value && isNeeded) refuse(path, `expected a secret in the environment variable ${name}, got nothing`);
    return value || undefined;
  };
  const keyOf = (path: readonly string[], name: string): string | undefined => {
    const text = read(path, name);
    const key = text === undefined ? undefined : readSealKey(text);
    if (text !== undefined && !key)
      refuse(path, `expected 32 bytes in hex or base64 in ${name}: openssl rand -base64 32`);
    return key;
  };
  if (home === 's3' && !section)
    refuse(['recordings', 's3'], 'expected bucket, accessKeyEnv and secretKeyEnv: home is s3');
  const at = ['recordings', 'encryption'];
  const key = encryption && keyOf([...at, 'keyEnv'], encryption.keyEnv);
  const oldKeys = (encryption?.oldKeyEnvs ?? []).flatMap((name) => keyOf([...at, 'oldKeyEnvs'], name) ?? []);
  const accessKeyId = section && read(['recordings', 's3', 'accessKeyEnv'], section.accessKeyEnv);
  const secretAccessKey = section && read(['recordings', 's3', 'secretKeyEnv'], section.secretKeyEnv);
  const sessionToken =
    section?.sessionTokenEnv === undefined
      ? undefined
      : read(['recordings', 's3', 'sessionTokenEnv'], section.sessionTokenEnv);
  return {
    ...{ home, archive, orphanDays },
    ...(key && { encryption: { key, oldKeys } }),
    ...(section &&
      accessKeyId !== undefined &&
      secretAccessKey !== undefined && {
        s3: {
          endpoint: section.endpoint ?? `https://s3.${section.region}.amazonaws.com`,
          ...{ region: section.region, bucket: section.bucket, addressing: section.addressing },
          ...{ prefix: section.prefix, partMb: section.partMb, accessKeyId, secretAccessKey },
          ...(sessionToken !== undefined && { sessionToken }),
        },
      }),
  };
}
