const FORMATS_MAX = 500;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const parts = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, ...parts });
  if (formats.size < FORMATS_MAX) formats.set(timeZone, format);
  return format;
}

/** Whether it is the name of a time zone, `Asia/Riyadh`. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** @returns the day of the week there, `sun`, and the minute of the day, 0 to 1439. */
export function localTime(at: Date, timeZone: string): { readonly day: string; readonly minute: number } {
  const parts = formatOf(timeZone).formatToParts(at);
  const textOf = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return { day: textOf('weekday').toLowerCase(), minute: Number(textOf('hour')) * 60 + Number(textOf('minute')) };
}
