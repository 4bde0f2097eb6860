import { createHash, timingSafeEqual } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { isLoopback } from '../core/address-filter.ts';
import { newTokenSecret } from '../core/ids.ts';

/** What calls of our own tests carry, and what the variable would be called that such a header becomes. */
export const OWN_TEST_HEADER = 'X-Nidaa-Test-Call';
export const OWN_TEST_VARIABLE = 'nidaa-test-call';

/**
 * Lets the calls in that this gateway places to itself to test an agent, whoever else is refused: each run has a secret of its
 * own, which is worth nothing when it is over, nor from any address but those of this machine.
 */
export class OwnTests {
  readonly #hashes = new Set<Buffer>();

  /** @param isOwn - whether an IP address is one that calls of ours come from. */
  constructor(private readonly isOwn: (address: string) => boolean = isOwnAddress()) {}

  /** @returns what the calls of a run carry, and what ends that. */
  letIn(): { readonly headers: Readonly<Record<string, string>>; readonly end: () => void } {
    const secret = newTokenSecret();
    const hash = hashOf(secret);
    this.#hashes.add(hash);
    return { headers: { [OWN_TEST_HEADER]: secret }, end: () => void this.#hashes.delete(hash) };
  }

  /** @param address - IP address that the call comes from. */
  isOne(headers: Readonly<Record<string, string>>, address: string): boolean {
    if (this.#hashes.size === 0) return false;
    const found = Object.entries(headers).find(([name]) => name.toLowerCase() === OWN_TEST_HEADER.toLowerCase());
    if (!found || typeof found[1] !== 'string') return false;
    const presented = hashOf(found[1].trim());
    return [...this.#hashes].some((hash) => timingSafeEqual(hash, presented)) && this.isOwn(address);
  }
}

/** Whether an address is one of this machine's, or the one that it is reached at from outside. */
export function isOwnAddress(external?: string): (address: string) => boolean {
  return (address) => {
    if (isLoopback(address) || address === external) return true;
    return Object.values(networkInterfaces()).some((ones) => ones?.some((one) => one.address === address) ?? false);
  };
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();
