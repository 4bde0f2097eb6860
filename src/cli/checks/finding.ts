/** `info` is worth knowing and nothing to mend; `warn` works, with less; `fail` keeps the gateway from starting or serving. */
export type CheckState = 'ok' | 'info' | 'warn' | 'fail';

/** One thing `doctor` looked at. */
export interface Finding {
  readonly check: string;
  readonly state: CheckState;
  readonly detail: string; // may have several lines
  readonly fix: string | null; // what mends it; null where nothing needs mending
}

export const ok = (check: string, detail: string): Finding => ({ check, state: 'ok', detail, fix: null });
export const info = (check: string, detail: string, fix: string | null = null): Finding => ({
  ...{ check, state: 'info', detail, fix },
});
export const warn = (check: string, detail: string, fix: string): Finding => ({ check, state: 'warn', detail, fix });
export const fail = (check: string, detail: string, fix: string): Finding => ({ check, state: 'fail', detail, fix });
