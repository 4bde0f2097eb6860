import { isIP } from 'node:net';
import { addressFilter } from '../core/address-filter.ts';
import type { Trunk } from '../core/trunk.ts';

/** Who sent an INVITE, as far as that is known. */
export interface Sender {
  readonly address: string; // IP
  readonly trunkId?: string; // whose password it knows, by a digest
  readonly certificateNames?: readonly string[];
}

export interface SourceMatch {
  readonly trunk: Trunk;
  readonly by: 'address' | 'digest' | 'certificate';
}

/** `unproven`: the address is a trunk's, which asks for a digest as well. */
export type SourceFinding = SourceMatch | { readonly unproven: Trunk } | undefined;

interface Source {
  readonly trunk: Trunk;
  readonly bits: number; // of the network: an address is narrower than a network around it
  readonly has: (address: string) => boolean;
}

/**
 * Which trunk a call came from: by the address of its sender (the narrowest network wins), then by the user of a digest, then
 * by the name in its TLS certificate. A trunk that names sources takes calls from nowhere else.
 */
export class SourceMatcher {
  readonly #sources: readonly Source[];
  readonly #byUser = new Map<string, Trunk>();
  readonly #byCertificate = new Map<string, Trunk>();

  constructor(trunks: readonly Trunk[]) {
    this.#sources = trunks
      .flatMap((trunk) => trunk.definition.inbound.sources.map((entry) => sourceOf(trunk, entry)))
      .sort((a, b) => b.bits - a.bits);
    for (const trunk of trunks) {
      const { sources, auth, username, certificateName } = trunk.definition.inbound;
      if (sources.length > 0) continue;
      if (auth === 'digest' && username !== undefined && !this.#byUser.has(username)) this.#byUser.set(username, trunk);
      if (auth === 'none' && certificateName !== undefined)
        this.#byCertificate.set(certificateName.toLowerCase(), trunk);
    }
  }

  find({ address, trunkId, certificateNames = [] }: Sender): SourceFinding {
    const near = this.#sources.filter(({ has }) => has(address));
    const [narrowest] = near;
    if (narrowest) {
      // A wider network that asks for nothing does not stand in for a narrower one that does: its calls are another's.
      const mayBe = near.filter(({ bits, trunk }) => bits === narrowest.bits || trunk.id === trunkId);
      const proven = mayBe.find(({ trunk }) => isProven(trunk, trunkId, certificateNames))?.trunk;
      return proven ? { trunk: proven, by: 'address' } : { unproven: narrowest.trunk };
    }
    const byDigest = [...this.#byUser.values()].find(({ id }) => id === trunkId);
    if (byDigest) return { trunk: byDigest, by: 'digest' };
    for (const name of certificateNames) {
      const trunk = this.#byCertificate.get(name.toLowerCase());
      if (trunk) return { trunk, by: 'certificate' };
    }
    return undefined;
  }

  /** A trunk may call from anywhere, for all that is known before it has answered a challenge. */
  get mayProveFromAnywhere(): boolean {
    return this.#byUser.size > 0;
  }

  /** The trunk whose password a digest of `username` from that address is checked against. */
  digestTrunk(username: string, address: string): Trunk | undefined {
    const near = this.#sources.find(({ trunk: { definition }, has }) => {
      const { auth, username: own } = definition.inbound;
      return auth === 'digest' && own === username && has(address);
    });
    return near?.trunk ?? this.#byUser.get(username);
  }
}

function isProven(
  { id, definition: { inbound } }: Trunk,
  trunkId: string | undefined,
  names: readonly string[],
): boolean {
  const { auth, certificateName } = inbound;
  if (auth === 'digest' && id !== trunkId) return false;
  return certificateName === undefined || names.some((name) => name.toLowerCase() === certificateName.toLowerCase());
}

function sourceOf(trunk: Trunk, entry: string): Source {
  const [address = '', prefix] = entry.split('/');
  const width = isIP(address) === 6 ? 128 : 32;
  // Of an IPv4 network as many bits are open as of the IPv6 one that has it mapped.
  return { trunk, bits: 128 - width + Number(prefix ?? width), has: addressFilter([entry]) };
}
