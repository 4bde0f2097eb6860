import type { ConfigFile } from './schema.ts';

type StreamsFile = ConfigFile['streams'];

/** As in the file, with the secrets taken from the environment. */
export interface StreamSettings {
  connectionsMax: number;
  twilio?: { secret?: string; authToken?: string; publicUrl?: string };
  asterisk?: { secret: string };
}

/** Whoever has it may call on the operator's money: it is not to be guessed. */
const SECRET_CHARS_MIN = 16;
/** It is a part of an address. */
const SECRET = /^[A-Za-z0-9_.~-]+$/;

/**
 * Reads the secrets of carriers; what is missing or too easy is a problem of the start.
 *
 * @param isNeeded - false where no carrier is served: one whose secret is missing is left out then.
 */
export function readStreamSecrets(
  { connectionsMax, twilio, asterisk }: StreamsFile,
  env: Readonly<Record<string, string | undefined>>,
  refuse: (path: readonly string[], message: string) => void,
  isNeeded = true,
): StreamSettings {
  const read = (path: readonly string[], name: string | undefined): string | undefined => {
    if (name === undefined) return undefined;
    const value = env[name];
    if (!value && isNeeded) refuse(path, `expected a secret in the environment variable ${name}, got nothing`);
    return value || undefined;
  };
  const readSecret = (carrier: string, name: string | undefined): string | undefined => {
    const path = ['streams', carrier, 'secretEnv'];
    const secret = read(path, name);
    if (secret !== undefined && (secret.length < SECRET_CHARS_MIN || !SECRET.test(secret))) {
      refuse(path, `expected ${SECRET_CHARS_MIN} or more letters, digits, "_", ".", "~", "-" in ${name}`);
    }
    return secret;
  };
  const secret = readSecret('twilio', twilio?.secretEnv);
  const authToken = read(['streams', 'twilio', 'authTokenEnv'], twilio?.authTokenEnv);
  if (twilio && !twilio.secretEnv && !twilio.authTokenEnv) {
    refuse(['streams', 'twilio'], 'expected secretEnv or authTokenEnv: without either everybody could call');
  }
  const { publicUrl } = twilio ?? {};
  const asteriskSecret = readSecret('asterisk', asterisk?.secretEnv);
  return {
    connectionsMax,
    ...((secret || authToken) && {
      twilio: { ...(secret && { secret }), ...(authToken && { authToken }), ...(publicUrl && { publicUrl }) },
    }),
    ...(asteriskSecret && { asterisk: { secret: asteriskSecret } }),
  };
}
