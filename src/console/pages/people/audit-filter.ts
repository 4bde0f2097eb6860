import { dayAfter, startOfDay } from '../../parts/stacked-days.ts';

/** What the fields hold; empty ones ask for everything. */
export interface AuditFilter {
  readonly actor: string;
  readonly action: string;
  readonly kind: string;
  readonly target: string;
  readonly from: string; // 2026-01-31
  readonly to: string; // 2026-01-31, part of it
}
export const NO_FILTER: AuditFilter = { actor: '', action: '', kind: '', target: '', from: '', to: '' };

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/** As it is asked for. Days are those of the reader. */
export function queryOf({ actor, action, kind, target, from, to }: AuditFilter, timeZone: string) {
  return {
    ...(actor !== '' && { actor_id: actor }),
    ...(action !== '' && { action }),
    ...(kind !== '' && { target_kind: kind }),
    ...(target.trim() !== '' && { target_id: target.trim() }),
    ...(isDay(from) && { from: startOfDay(from, timeZone).toISOString() }),
    ...(isDay(to) && { to: startOfDay(dayAfter(to), timeZone).toISOString() }),
  };
}
