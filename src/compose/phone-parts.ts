import type { Config } from '../config/load.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import { CountFollower, type Metrics } from '../core/metrics.ts';
import type { DigestHashes, Phone } from '../core/trunk.ts';
import { Authenticator } from '../sip/authenticator.ts';
import type { Prove } from '../sip/caller-proof.ts';
import { DigestServer } from '../sip/digest-server.ts';
import { FailureGuard } from '../sip/failure-guard.ts';
import { Registrar } from '../sip/registrar.ts';
import type { Store } from '../store/store.ts';
import type { TrunkDirectory } from '../trunks/trunk-directory.ts';

/** Who says who he is: phones that register and call, and trunks that prove themselves by a digest. */
export interface PhoneParts {
  readonly registrar: Registrar;
  readonly prove: Prove;
  /** Sets the gauges. */
  measure(): void;
  close(): Promise<void>;
}

export interface PhonePartsOptions {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Asked for every call: the trunks come after the phones. */
  readonly trunks: () => Pick<TrunkDirectory, 'sources' | 'secretsOf'>;
}

/** A phone that registers for less makes work, and one that registers for more is lost for longer. */
const DEFAULT_EXPIRES_SECONDS = 600;

export async function openPhones(options: PhonePartsOptions): Promise<PhoneParts> {
  const { config, store, clock, logger, metrics, trunks } = options;
  const { sip } = config;
  const digest = new DigestServer(sip.realm, clock);
  const authenticator = new Authenticator({ digest, guard: new FailureGuard(clock), logger });
  const registrar = new Registrar({
    ...{ authenticator, clock, logger, directory: store.phones, keeper: store.registrations },
    limits: {
      contactsMax: sip.contactsPerPhoneMax,
      minSeconds: sip.minRegistrationSeconds,
      maxSeconds: sip.maxRegistrationSeconds,
      defaultSeconds: Math.min(
        sip.maxRegistrationSeconds,
        Math.max(sip.minRegistrationSeconds, DEFAULT_EXPIRES_SECONDS),
      ),
    },
  });
  await registrar.open();
  const counts = new CountFollower();

  type Caller = { readonly digest: DigestHashes; readonly phone?: Phone; readonly trunkId?: string };
  const find = async (username: string, address: string): Promise<Caller | undefined> => {
    const phone = await store.phones.digestOf(username);
    if (phone) return phone;
    const trunk = trunks().sources.digestTrunk(username, address);
    const inbound = trunk && (await trunks().secretsOf(trunk.id)).inbound;
    return trunk && inbound && { digest: inbound, trunkId: trunk.id };
  };
  const prove: Prove = async (req) => {
    const proof = await authenticator.check(req, (username) => find(username, req.source_address));
    if ('why' in proof) return proof;
    const { phone, trunkId } = proof.user;
    return { ...(phone && { phone }), ...(trunkId !== undefined && { trunkId }) };
  };
  return {
    ...{ registrar, prove },
    measure: () => {
      metrics.phonesRegistered.set(registrar.phones);
      for (const [result, count] of Object.entries(authenticator.counters))
        counts.follow(metrics.authentications, { result }, count);
    },
    close: () => registrar.close(),
  };
}
