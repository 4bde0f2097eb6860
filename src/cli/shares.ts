/** Of all, 0..1 with three places; null of nothing. */
export function shareOf<T>(all: readonly T[], isSo: (one: T) => boolean): number | null {
  return all.length === 0 ? null : Math.round((all.filter(isSo).length / all.length) * 1000) / 1000;
}

/** @param of - 0..1. @returns null of nothing. */
export function quantile(values: readonly number[], of: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(of * sorted.length) - 1)] ?? null;
}

/** For people. */
export const percentOf = (part: number | null): string => (part === null ? '-' : `${(100 * part).toFixed(1)} %`);
export const msOf = (value: number | null): string => (value === null ? '-' : `${value} ms`);
