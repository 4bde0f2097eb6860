import { createRequire } from 'node:module';

/**
 * What is used of OpenSSL's libcrypto, as <openssl/evp.h> and <openssl/sha.h> have it: 1 is success. Pointers are addresses: of
 * `FixedMemory`, or of what OpenSSL itself allocated; 0 is none.
 */
export interface OpensslCalls {
  EVP_CIPHER_CTX_new(): number;
  EVP_CIPHER_CTX_free(context: number): void;
  EVP_aes_128_ctr(): number;
  EVP_aes_128_gcm(): number;
  EVP_aes_256_gcm(): number;
  /** What is 0 stays as it was; so does the direction with -1, which is 1 to encrypt. */
  EVP_CipherInit_ex(
    context: number,
    cipher: number,
    engine: number,
    key: number,
    nonce: number,
    direction: number,
  ): number;
  EVP_CipherUpdate(context: number, out: number, outBytes: number, input: number, bytes: number): number;
  EVP_CipherFinal_ex(context: number, out: number, outBytes: number): number;
  EVP_CIPHER_CTX_ctrl(context: number, command: number, value: number, memory: number): number;
  SHA1_Init(state: number): number;
  SHA1_Update(state: number, input: number, bytes: number): number;
  SHA1_Final(digest: number, state: number): number;
  OpenSSL_version(what: number): string;
  addressOf(memory: Uint8Array): bigint;
}

const PROTOTYPES: Readonly<Record<Exclude<keyof OpensslCalls, 'addressOf'>, string>> = {
  EVP_CIPHER_CTX_new: 'uintptr_t EVP_CIPHER_CTX_new()',
  EVP_CIPHER_CTX_free: 'void EVP_CIPHER_CTX_free(uintptr_t)',
  EVP_aes_128_ctr: 'uintptr_t EVP_aes_128_ctr()',
  EVP_aes_128_gcm: 'uintptr_t EVP_aes_128_gcm()',
  EVP_aes_256_gcm: 'uintptr_t EVP_aes_256_gcm()',
  EVP_CipherInit_ex: 'int EVP_CipherInit_ex(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, int)',
  EVP_CipherUpdate: 'int EVP_CipherUpdate(uintptr_t, uintptr_t, uintptr_t, uintptr_t, int)',
  EVP_CipherFinal_ex: 'int EVP_CipherFinal_ex(uintptr_t, uintptr_t, uintptr_t)',
  EVP_CIPHER_CTX_ctrl: 'int EVP_CIPHER_CTX_ctrl(uintptr_t, int, int, uintptr_t)',
  SHA1_Init: 'int SHA1_Init(uintptr_t)',
  SHA1_Update: 'int SHA1_Update(uintptr_t, uintptr_t, size_t)',
  SHA1_Final: 'int SHA1_Final(uintptr_t, uintptr_t)',
  OpenSSL_version: 'const char* OpenSSL_version(int)',
};

interface Ffi {
  load(path: null): { func(prototype: string): unknown };
  address(memory: Uint8Array): bigint;
}

let loaded: OpensslCalls | undefined;

/**
 * The OpenSSL that Node itself has, built in or linked: there is nothing to install, and it is the one whose faults are mended with Node.
 *
 * @throws Error where koffi is not there, or this Node does not let others call its OpenSSL.
 */
export function loadOpenssl(): OpensslCalls {
  loaded ??= load();
  return loaded;
}

function load(): OpensslCalls {
  const ffi = createRequire(import.meta.url)('koffi') as Ffi;
  const program = ffi.load(null);
  const calls = Object.entries(PROTOTYPES).map(([name, prototype]) => [name, program.func(prototype)]);
  return {
    ...(Object.fromEntries(calls) as Omit<OpensslCalls, 'addressOf'>),
    addressOf: (memory) => ffi.address(memory),
  };
}

/** Memory that stays where it is: the engine moves what is small and has no buffer of its own. Keep it while its address is used. */
export class FixedMemory {
  readonly bytes: Buffer;
  readonly address: number;

  constructor({ addressOf }: OpensslCalls, size: number) {
    this.bytes = Buffer.from(new ArrayBuffer(size));
    this.address = Number(addressOf(this.bytes)); // a process has addresses of 57 bits at most, and is given less than 53
  }
}
