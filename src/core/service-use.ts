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
export interface TellUse {
  (service: string, unit: UsedUnit, amount: number): void;
  /** The call that asks, for what is logged of its requests. */
  readonly callId?: string;
  /** Of that call, for services of the operator's own that are asked on its behalf (W3C Trace Context). */
  readonly traceparent?: string;
}

/** What a line of the log says of whoever a request was for. */
export const ofCall = (used: TellUse | undefined): { readonly call_id?: string } =>
  used?.callId === undefined ? {} : { call_id: used.callId };

/** By service and unit. */
export type ServicesUsed = Readonly<Record<string, Readonly<Partial<Record<UsedUnit, number>>>>>;

/** What one call took of services. Holds a number for each service and unit. */
export class ServiceUse {
  readonly #totals = new Map<string, Map<UsedUnit, number>>();

  readonly tell: TellUse;

  constructor(call: Pick<TellUse, 'callId' | 'traceparent'> = {}) {
    const tell = (service: string, unit: UsedUnit, amount: number): void => this.#add(service, unit, amount);
    this.tell = Object.assign(tell, call);
  }

  /** Beside what was kept before. */
  add(kept: ServicesUsed): void {
    for (const [service, units] of Object.entries(kept))
      for (const [unit, amount] of Object.entries(units)) this.tell(service, unit as UsedUnit, amount);
  }

  #add(service: string, unit: UsedUnit, amount: number): void {
    const units = this.#totals.get(service) ?? new Map<UsedUnit, number>();
    units.set(unit, (units.get(unit) ?? 0) + amount);
    this.#totals.set(service, units);
  }

  /** By service and unit, with at most two decimals; undefined where none was used. */
  get totals(): ServicesUsed | undefined {
    if (this.#totals.size === 0) return undefined;
    const rounded = (units: Map<UsedUnit, number>) =>
      Object.fromEntries([...units].map(([unit, amount]) => [unit, Math.round(amount * 100) / 100]));
    return Object.fromEntries([...this.#totals].map(([service, units]) => [service, rounded(units)]));
  }
}
