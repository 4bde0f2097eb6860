import { type Clock, delay, repeat, type Timer } from '../core/clock.ts';
import { errorText, OperatorError } from '../core/errors.ts';
import { randomToken } from '../core/ids.ts';
import type { Logger } from '../core/logger.ts';
import type { Claim, GatewayRows } from './gateways.ts';

export interface LeaseSettings {
  readonly leaseSeconds: number;
  /** What a copy of a running installation does at its start. */
  readonly whenTaken: 'refuse' | 'new-identity';
}
export const LEASE_DEFAULTS: LeaseSettings = { leaseSeconds: 30, whenTaken: 'refuse' };

export interface LeaseDeps {
  readonly gateways: GatewayRows;
  readonly settings: LeaseSettings;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Renewed that often within a lease. */
const BEATS = 3;
/** After one that failed: a database that was busy for a moment takes nobody's lease. */
const AGAIN_MS = 1_000;
/** Between two looks whether the holder of a lease lives. */
const LOOK_MS = 500;
/** What was said by renewals whose end nobody knows; of more, the first and the last are remembered. */
const KNOWN_MAX = 100;

/**
 * - `held`: renewed in time.
 * - `unsure`: it ran out by our clock, and the database does not answer. Nobody may have noticed; nothing new is begun.
 * - `displaced`: another process is this installation now. What is live here goes on; nothing new is begun.
 */
export type LeaseState = 'held' | 'unsure' | 'displaced';

/** That this process is its installation, and no copy of it is: a row of the database that is renewed while it lives. */
export class NodeLease {
  #known: string[];
  #heldUntilMs: number;
  #heldSinceMs: number;
  #displaced = false;
  #beating: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  #again: Timer | undefined;
  #stop: () => void = () => undefined;

  private constructor(
    private readonly deps: LeaseDeps,
    beat: string,
    sentMs: number,
  ) {
    this.#known = [beat];
    this.#heldSinceMs = sentMs;
    this.#heldUntilMs = sentMs + this.#leaseMs;
  }

  /**
   * Waits for the lease of an earlier start elsewhere to run out.
   *
   * @throws OperatorError when a living process renews it.
   */
  static async claim(deps: LeaseDeps): Promise<NodeLease> {
    const { gateways, settings, clock, logger } = deps;
    const beat = randomToken(8);
    let first: Extract<Claim, { outcome: 'taken' }> | undefined;
    let endMs = Number.POSITIVE_INFINITY;
    for (;;) {
      const sentMs = clock.nowMs();
      const claim = await gateways.claim({ id: gateways.id, beat, leaseSeconds: settings.leaseSeconds });
      if (claim.outcome === 'held') return new NodeLease(deps, beat, sentMs);
      if (!first) {
        logger.info(
          { node: gateways.node, leftMs: Math.round(claim.leftMs) },
          'another start had this identity: waiting',
        );
        endMs = sentMs + claim.leftMs + 2 * LOOK_MS;
      }
      first ??= claim;
      const isAlive = claim.beat !== first.beat || clock.nowMs() > endMs;
      if (isAlive && settings.whenTaken === 'refuse') throw taken(gateways.node, claim.host);
      if (isAlive) {
        gateways.identity.rename();
        logger.warn(
          { node: gateways.node },
          'this is a copy of a gateway that runs: it has an identity of its own now',
        );
        first = undefined;
      } else await delay(clock, LOOK_MS);
    }
  }

  get state(): LeaseState {
    if (this.#displaced) return 'displaced';
    return this.deps.clock.nowMs() < this.#heldUntilMs ? 'held' : 'unsure';
  }

  /**
   * Whether others may be judged by their leases: who was cut off from the database for a while, as perhaps everybody was, gives
   * them the time of a lease to renew theirs first.
   */
  get mayJudge(): boolean {
    return this.state === 'held' && this.deps.clock.nowMs() - this.#heldSinceMs >= this.#leaseMs;
  }

  /**
   * Renews it from now on. Never throws.
   *
   * @param beaten - after each renewal that succeeded, unless the last one is at it yet: to close what a dead gateway left may take
   *   longer than a lease, and the next renewal does not wait for it.
   */
  start(beaten: () => Promise<void>): void {
    const { clock, logger } = this.deps;
    const look = (): void => {
      this.#looking ??= beaten()
        .catch((error: unknown) => logger.warn({ error: errorText(error) }, 'other gateways were not looked at'))
        .finally(() => {
          this.#looking = undefined;
        });
    };
    const renew = (): void => {
      clock.clearTimer(this.#again);
      this.#beating ??= this.#beat()
        .then((isRenewed) => (isRenewed ? look() : undefined))
        .catch((error: unknown) => {
          logger.warn({ error: errorText(error) }, 'the lease was not renewed');
          this.#again = clock.setTimer(AGAIN_MS, renew);
        })
        .finally(() => {
          this.#beating = undefined;
        });
    };
    this.#stop = repeat(clock, this.#leaseMs / BEATS, renew);
  }

  /** Ends. @param release - nothing is left of us that another start has to wait for. */
  async close(release: boolean): Promise<void> {
    this.#stop();
    await this.#beating;
    this.deps.clock.clearTimer(this.#again);
    await this.#looking;
    if (!release || this.#displaced) return;
    const { gateways, logger } = this.deps;
    await gateways.release().catch((error: unknown) => {
      logger.warn(
        { error: errorText(error) },
        'the lease was not given back: the next start elsewhere waits for its end',
      );
    });
  }

  get #leaseMs(): number {
    return this.deps.settings.leaseSeconds * 1_000;
  }

  /** @returns whether we have it. */
  async #beat(): Promise<boolean> {
    const { gateways, settings, clock } = this.deps;
    const sentMs = clock.nowMs();
    const beat = randomToken(8);
    const known = this.#known;
    this.#known = [...known.slice(0, 1), ...known.slice(1).slice(-KNOWN_MAX), beat];
    const isRenewed = !this.#displaced && (await gateways.renew(known, beat, settings.leaseSeconds));
    if (!isRenewed && !(await this.#takeBack(beat))) return false;
    if (sentMs >= this.#heldUntilMs || !isRenewed) this.#heldSinceMs = sentMs;
    this.#known = [beat];
    this.#heldUntilMs = sentMs + this.#leaseMs;
    return true;
  }

  /** We were taken for dead: under another id we go on with what is live here. */
  async #takeBack(beat: string): Promise<boolean> {
    const { gateways, settings, logger } = this.deps;
    const { identity } = gateways;
    const formerId = identity.id;
    const id = identity.nextId();
    const claim = await gateways.claim({ id, beat, leaseSeconds: settings.leaseSeconds, formerId });
    if (claim.outcome === 'taken') {
      if (!this.#displaced)
        logger.error({ node: identity.node, host: claim.host }, 'another process has this identity now');
      this.#displaced = true;
      return false;
    }
    identity.renew(id);
    this.#displaced = false;
    logger.warn({ former: formerId, now: id }, 'taken for dead by another gateway: going on under a new epoch');
    return true;
  }
}

const taken = (node: string, host: string): OperatorError =>
  new OperatorError(
    `The identity of this data folder (node-id ${node.slice(0, 8)}) is in use: a gateway on ${host || 'another machine'} runs with it on ` +
      'the same database. This folder is a copy of its folder, or is shared with it. Give this gateway an empty data folder, or set ' +
      'node.whenTaken: new-identity (NIDAA_NODE_WHEN_TAKEN=new-identity). To replace that gateway, stop it first.',
  );
