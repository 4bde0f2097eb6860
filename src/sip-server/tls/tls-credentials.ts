import { createSecureContext, type SecureContext, type SecureVersion } from 'node:tls';
import { isCertifiedFor, type NamedCertificate } from './certificate-names.ts';
import { namedCertificate, type TlsPems } from './certificate-pair.ts';

/** What we show to peers and whom we believe, for every TLS handshake from now on; running connections keep what they had. */
export class TlsCredentials {
  readonly #listeners = new Set<() => void>();
  readonly #contexts = new Map<SecureVersion, SecureContext>(); // by the oldest version that is spoken
  #pems: TlsPems;
  #names: NamedCertificate;

  constructor(pems: TlsPems) {
    this.#pems = pems;
    this.#names = namedCertificate(pems.cert);
  }

  get pems(): TlsPems {
    return this.#pems;
  }

  /** Whether the certificate is for that domain. A wildcard counts: whether it is enough is for the peer to judge. */
  isFor(domain: string): boolean {
    return isCertifiedFor(domain, this.#names, true);
  }

  /** Made once for all connections: reading PEM takes longer than the rest of a connection. */
  context(minVersion: SecureVersion): SecureContext {
    const known = this.#contexts.get(minVersion);
    if (known) return known;
    const made = createSecureContext({ ...this.#pems, minVersion });
    this.#contexts.set(minVersion, made);
    return made;
  }

  /** The next handshake is made with these, which `examinePair` found usable. */
  replace(pems: TlsPems): void {
    this.#pems = pems;
    this.#names = namedCertificate(pems.cert);
    this.#contexts.clear();
    for (const listener of this.#listeners) listener();
  }

  /** @returns what ends it. */
  onReplaced(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
