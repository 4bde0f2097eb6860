import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { keyingBytes, type SrtpSuite } from './srtp-suite.ts';

/** What a thread is handed of a key. In memory and in messages between threads only: nothing here hides itself. */
export interface SrtpKeyMaterial {
  readonly suite: SrtpSuite;
  readonly bytes: Uint8Array; // master key, then master salt
  readonly mki?: Uint8Array; // stands in every packet of this key
  readonly lifetimePackets?: number; // as its owner declared; 2^48 where it did not
}

const HIDDEN = '[SRTP key]';

/**
 * Master key and salt of one direction. They are private, and what writes values down - JSON, `inspect`, a copy between threads -
 * finds nothing of them: whoever needs them has to ask by name.
 */
export class SrtpKey {
  readonly #bytes: Buffer;

  /** @param bytes - as many as the suite has. */
  constructor(
    readonly suite: SrtpSuite,
    bytes: Uint8Array,
    readonly mki?: Buffer,
    readonly lifetimePackets?: number,
  ) {
    if (bytes.length !== keyingBytes(suite)) throw new RangeError(`a key of ${suite} has another length`);
    this.#bytes = Buffer.from(bytes);
  }

  static random(suite: SrtpSuite): SrtpKey {
    return new SrtpKey(suite, randomBytes(keyingBytes(suite)));
  }

  /** For a session description and for a cipher, and for nothing else. */
  reveal(): Buffer {
    return this.#bytes;
  }

  get material(): SrtpKeyMaterial {
    const { suite, mki, lifetimePackets } = this;
    return {
      ...{ suite, bytes: new Uint8Array(this.#bytes) },
      ...(mki && { mki: new Uint8Array(mki) }),
      ...(lifetimePackets !== undefined && { lifetimePackets }),
    };
  }

  equals(other: SrtpKey): boolean {
    const sameMki = this.mki === undefined ? other.mki === undefined : other.mki?.equals(this.mki) === true;
    return this.suite === other.suite && sameMki && this.#bytes.equals(other.#bytes);
  }

  toJSON(): string {
    return HIDDEN;
  }
  toString(): string {
    return HIDDEN;
  }
  [inspect.custom](): string {
    return HIDDEN;
  }
}

export function sameKeys(a: readonly SrtpKey[], b: readonly SrtpKey[]): boolean {
  return a.length === b.length && a.every((key, index) => key.equals(b[index] as SrtpKey));
}

/** One `a=crypto` of a description: a suite with the keys that its writer protects with, one or one for each MKI. */
export interface SdesCrypto {
  readonly tag: number;
  readonly suite: SrtpSuite;
  readonly keys: readonly SrtpKey[]; // one at least
}

/** The keys of a stream that both sides agreed on. */
export interface SrtpKeys {
  readonly send: SrtpKey;
  readonly receive: readonly SrtpKey[];
}
