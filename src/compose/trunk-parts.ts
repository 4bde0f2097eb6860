import type { CallRouter } from '../call/call-router.ts';
import type { NumberDirectory } from '../call/reception.ts';
import type { Config } from '../config/load.ts';
import { isLoopback, sourceFilter } from '../core/address-filter.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Store } from '../store/store.ts';
import { CallAdmission, mayReach, numberOff } from '../trunks/call-admission.ts';
import { directHosts } from '../trunks/call-targets.ts';
import { type HostHealth, unwatchedHosts } from '../trunks/host-health.ts';
import type { OwnTests } from '../trunks/own-tests.ts';
import { noPhoneContacts, type PhoneContacts } from '../trunks/phone-contacts.ts';
import { RefusalLog, type RefusalLogDeps } from '../trunks/refusal-log.ts';
import { strangersOf } from '../trunks/strangers.ts';
import { TrunkDirectory } from '../trunks/trunk-directory.ts';
import { TrunkLines } from '../trunks/trunk-lines.ts';
import { TrunkRouter, type TrunkRouterDeps } from '../trunks/trunk-router.ts';

/** Who may call in, and where calls go. */
export interface TrunkParts {
  readonly directory: TrunkDirectory;
  readonly admission: CallAdmission;
  readonly router: CallRouter;
  readonly refusals: RefusalLog;
  /** Who answers a number, as far as whoever calls may reach them. */
  readonly numbers: NumberDirectory;
  close(): Promise<void>;
}

export interface TrunkPartsOptions {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Calls in of a trunk that live now. */
  readonly livingOf: (trunkId: string) => number;
  readonly contacts?: PhoneContacts & { isRegisteredFrom(address: string): boolean };
  readonly health?: HostHealth;
  readonly serviceRouteOf?: TrunkRouterDeps['serviceRouteOf'];
  readonly ownTests: OwnTests;
  /** Where calls that came to nothing are kept. */
  readonly refused: RefusalLogDeps['rows'];
}

export async function openTrunks(options: TrunkPartsOptions): Promise<TrunkParts> {
  const { config, store, clock, logger, livingOf, contacts, health = unwatchedHosts } = options;
  const { sip } = config;
  const directory = await TrunkDirectory.open({ rows: store.trunks, clock, logger });
  const lines = new TrunkLines(clock);
  const refusals = new RefusalLog({ rows: options.refused, clock, logger });
  const admission = new CallAdmission({
    ...{ lines, livingOf, strangers: strangersOf(sip), sources: () => directory.sources },
    isPhoneAt: (address) => contacts?.isRegisteredFrom(address) ?? false,
    isOwnTest: (headers, address) => options.ownTests.isOne(headers, address),
    isAllowedSource: sip.allowedSources.length > 0 ? sourceFilter(sip.allowedSources) : undefined,
  });
  const { serviceRouteOf } = options;
  const router = new TrunkRouter({
    ...(serviceRouteOf && { serviceRouteOf }),
    ...{
      directory,
      phones: store.phones,
      contacts: contacts ?? noPhoneContacts,
      health,
      lines,
      logger,
      random: Math.random,
    },
    isDirectHost: directHosts(sip.directHosts, isLoopback(sip.host)),
  });
  return {
    ...{ directory, admission, router, refusals },
    numbers: {
      agentFor: async (called, source) => {
        const agent = await store.numbers.resolve(called);
        return agent && mayReach(source, agent.accountId) ? agent : undefined;
      },
      problemOf: async (called) => ((await store.numbers.isOff(called)) ? numberOff() : undefined),
    },
    close: async () => {
      directory.close();
      await refusals.close();
    },
  };
}
