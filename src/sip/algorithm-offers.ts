import { SERVER_ALGORITHMS, type ServerAlgorithm } from './digest-server.ts';

/** Phones that are remembered; beyond them the one that was heard of longest ago starts anew. */
export const REMEMBERED_MAX = 20_000;

type Seen = 'asked' | 'silent';

/**
 * Which algorithms a phone is offered. Many phones know MD5 alone and give up at a challenge that names anything else, also
 * where MD5 stands beside it (RFC 8760 §2.4 would have them pass over it). One that comes back without an answer, as they do,
 * is offered MD5 alone from then on, until it answers by something better. A phone is an address and the name in its From:
 * whoever is somebody else weakens his own challenges only.
 */
export class AlgorithmOffers {
  readonly #seen = new Map<string, Seen>();
  constructor(private readonly rememberedMax = REMEMBERED_MAX) {}

  /** It sent no answer, and is challenged now. */
  toUnanswered(address: string, name: string): readonly ServerAlgorithm[] {
    const key = `${address} ${name}`;
    const isSilent = this.#seen.has(key);
    this.#remember(key, isSilent ? 'silent' : 'asked');
    return isSilent ? ['MD5'] : SERVER_ALGORITHMS;
  }

  /** It answered by this algorithm, right or wrong, and is challenged again. */
  toAnswered(algorithm: ServerAlgorithm): readonly ServerAlgorithm[] {
    return algorithm === 'MD5' ? ['MD5'] : SERVER_ALGORITHMS;
  }

  /** It answered. */
  answered(address: string, name: string, algorithm: ServerAlgorithm): void {
    const key = `${address} ${name}`;
    if (algorithm !== 'MD5' || this.#seen.get(key) === 'asked') this.#seen.delete(key);
  }

  #remember(key: string, seen: Seen): void {
    this.#seen.delete(key);
    this.#seen.set(key, seen);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > this.rememberedMax && oldest !== undefined) this.#seen.delete(oldest);
  }
}
