import { argon2id, argon2Verify } from 'hash-wasm';
import { answerRequests } from '../audio/codecs/codec-worker-port.ts';

/** To hash one, or to compare it with a hash. */
export type PasswordRequest =
  | { readonly password: string; readonly salt: Uint8Array; readonly memoryKib: number; readonly passes: number }
  | { readonly password: string; readonly hash: string };
export type PasswordAnswer = string | boolean;

const SHAPE = { parallelism: 1, hashLength: 32, outputType: 'encoded' } as const;

answerRequests(async (asked) => {
  const request = asked as PasswordRequest;
  if ('hash' in request) return { answer: await argon2Verify(request), transfer: [] };
  const { password, salt, memoryKib: memorySize, passes: iterations } = request;
  return { answer: await argon2id({ ...SHAPE, password, salt, memorySize, iterations }), transfer: [] };
});
