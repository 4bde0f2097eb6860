import { argon2id, argon2Verify } from 'hash-wasm';
import { answerRequests } from '../audio/codecs/codec-worker-port.ts';

/** To hash one, or to compare it with a hash. */
export type PasswordRequest =
  | { readonly password: string; readonly salt: Uint8Array }
  | { readonly password: string; readonly hash: string };
export type PasswordAnswer = string | boolean;

/** As OWASP has it for argon2id: 19 MiB, two passes. */
const COST = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 } as const;

answerRequests(async (asked) => {
  const request = asked as PasswordRequest;
  const answer =
    'hash' in request
      ? await argon2Verify({ password: request.password, hash: request.hash })
      : await argon2id({ ...COST, password: request.password, salt: request.salt, outputType: 'encoded' });
  return { answer, transfer: [] };
});
