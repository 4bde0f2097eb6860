import type { SipLeg } from './leg.ts';

/** Legs that are not yet over. How many a trunk has is kept, not counted: it is asked for each INVITE of a flood too. */
export class LivingLegs {
  readonly #legs = new Set<SipLeg>();
  readonly #ofTrunk = new Map<string, number>();

  get size(): number {
    return this.#legs.size;
  }
  /** As they are now: one may be over before the next is looked at. */
  list(): readonly SipLeg[] {
    return [...this.#legs];
  }

  /** Calls in of a trunk. */
  countOf(trunkId: string): number {
    return this.#ofTrunk.get(trunkId) ?? 0;
  }

  add(leg: SipLeg): void {
    if (this.#legs.has(leg)) return;
    this.#legs.add(leg);
    this.#count(leg, 1);
  }

  /** Idempotent. */
  delete(leg: SipLeg): void {
    if (this.#legs.delete(leg)) this.#count(leg, -1);
  }

  #count({ info: { source } }: SipLeg, by: 1 | -1): void {
    if (source?.kind !== 'trunk') return;
    const count = this.countOf(source.id) + by;
    if (count > 0) this.#ofTrunk.set(source.id, count);
    else this.#ofTrunk.delete(source.id);
  }
}
