/** Whole cents of dollars as a field has them; null where it is empty. */
export function centsOf(dollars: number | string): number | null {
  if (dollars === '') return null;
  const value = Number(dollars);
  return Number.isFinite(value) ? Math.round(value * 100) : null;
}

export const dollarsOf = (cents: number | null): number | '' => (cents === null ? '' : cents / 100);

/** A whole number as a field has it; null where it is empty. */
export function wholeOf(field: number | string): number | null {
  if (field === '') return null;
  const value = Number(field);
  return Number.isFinite(value) ? Math.trunc(value) : null;
}
