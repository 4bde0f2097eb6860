/**
 * What services charge for, as they count it: `tokens` in all, or what was read and written. Answers of `uncounted-requests` did
 * not tell theirs: the tokens beside them are not all.
 */
export type UsedUnit =
  | 'requests'
  | 'audio-seconds'
  | 'characters'
  | 'tokens'
  | 'input-tokens'
  | 'output-tokens'
  | 'uncounted-requests';

/** Told of each request to a service what it took of it. */
export type TellUse = (service: string, unit: UsedUnit, amount: number) => void;

/** By service and unit. */
export type ServicesUsed = Readonly<Record<string, Readonly<Partial<Record<UsedUnit, number>>>>>;

/** What one call took of services. Holds a number for each service and unit. */
export class ServiceUse {
  readonly #totals = new Map<string, Map<UsedUnit, number>>();

  readonly tell: TellUse = (service, unit, amount) => {
    const units = this.#totals.get(service) ?? new Map<UsedUnit, number>();
    units.set(unit, (units.get(unit) ?? 0) + amount);
    this.#totals.set(service, units);
  };

  /** Beside what was kept before. */
  add(kept: ServicesUsed): void {
    for (const [service, units] of Object.entries(kept))
      for (const [unit, amount] of Object.entries(units)) this.tell(service, unit as UsedUnit, amount);
  }

  /** By service and unit, with at most two decimals; undefined where none was used. */
  get totals(): ServicesUsed | undefined {
    if (this.#totals.size === 0) return undefined;
    const rounded = (units: Map<UsedUnit, number>) =>
      Object.fromEntries([...units].map(([unit, amount]) => [unit, Math.round(amount * 100) / 100]));
    return Object.fromEntries([...this.#totals].map(([service, units]) => [service, rounded(units)]));
  }
}
