const ALWAYS_SEEN = ['q', 'agent', 'direction', 'range'] as const;
/** Those behind a button. */
export const MORE = [
  ...(['since', 'until', 'from', 'to', 'min', 'end', 'outcome', 'recording', 'state'] as const),
  'answered',
] as const;
/** What a list of calls is narrowed by, as the address of the page has it. All of it is text that somebody may have typed. */
export const FILTERS = [...ALWAYS_SEEN, ...MORE] as const;
export type FilterName = (typeof FILTERS)[number];
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

export const RANGES = ['today', 'week', 'month'] as const;
const DAYS: Readonly<Record<string, number>> = { today: 1, week: 7, month: 30 };
const DAY_MS = 86_400_000;

/** As `listCalls` is asked. */
export interface CallQuery {
  readonly q?: string;
  readonly agent_id?: string;
  readonly direction?: 'inbound' | 'outbound';
  readonly state?: 'live' | 'ended';
  readonly since?: string;
  readonly until?: string;
  readonly from?: string;
  readonly to?: string;
  readonly min_seconds?: number;
  readonly end_reason?: string;
  readonly outcome?: string;
  readonly has_recording?: 'true' | 'false';
  readonly answered_by?: 'human' | 'machine' | 'unknown';
}

export function filtersOf(address: URLSearchParams): Filters {
  const found: Partial<Record<FilterName, string>> = {};
  for (const name of FILTERS) {
    const value = address.get(name)?.trim();
    if (value) found[name] = value;
  }
  return found;
}

/** The address with a filter set, or taken away. Days of one's own and a range of days take each other's place. */
export function withFilter(address: URLSearchParams, changes: Filters): URLSearchParams {
  const next = new URLSearchParams(address);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  if (changes.range) for (const name of ['since', 'until']) next.delete(name);
  if (changes.since || changes.until) next.delete('range');
  return next;
}

const oneOf = <T extends string>(value: string | undefined, known: readonly T[]): T | undefined =>
  known.find((one) => one === value);

/** What makes no sense is left out: an address may be anything. */
export function queryOf(filters: Filters, nowMs: number, timeZone: string): CallQuery {
  const { q, agent, from, to, end, outcome } = filters;
  const minimum = Number(filters.min);
  const found: { [K in keyof CallQuery]: CallQuery[K] | undefined } = {
    ...{ q, agent_id: agent, from, to, end_reason: end, outcome, ...spanOf(filters, nowMs, timeZone) },
    direction: oneOf(filters.direction, ['inbound', 'outbound']),
    state: oneOf(filters.state, ['live', 'ended']),
    min_seconds: Number.isInteger(minimum) && minimum > 0 ? minimum : undefined,
    has_recording: { yes: 'true' as const, no: 'false' as const }[filters.recording ?? ''],
    answered_by: oneOf(filters.answered, ['human', 'machine', 'unknown']),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as CallQuery;
}

function spanOf({ range, since, until }: Filters, nowMs: number, timeZone: string): { since?: string; until?: string } {
  const days = DAYS[range ?? ''];
  if (days !== undefined) return { since: startOfDay(dayOf(nowMs - (days - 1) * DAY_MS, timeZone), timeZone) };
  const [first, last] = [since, until].map((day) => (day && isDay(day) ? day : undefined));
  return {
    ...(first && { since: startOfDay(first, timeZone) }),
    ...(last && { until: startOfDay(dayAfter(last), timeZone) }), // the last day is part of it
  };
}

/** `2026-01-31`, and a day that there is. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;

const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

/** The day that it is then and there, as `2026-01-31`. */
export function dayOf(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(ms);
}

/** When a day begins there, ISO 8601 in UTC. */
export function startOfDay(day: string, timeZone: string): string {
  const asUtc = Date.parse(`${day}T00:00:00Z`);
  // Twice: the first look is at the time of another offset, where that changes on this very day.
  const first = asUtc - offsetMs(asUtc, timeZone);
  return new Date(asUtc - offsetMs(first, timeZone)).toISOString();
}

function offsetMs(ms: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const { year, month, day, hour, minute, second } = part;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - Math.floor(ms / 1_000) * 1_000;
}

/** The text in pieces, those that the words of a search stand for marked. Words are found by their beginning, as the gateway does. */
export function marked(text: string, search: string): { readonly text: string; readonly isHit: boolean }[] {
  const wanted = search.split(/\s+/u).map(folded).filter(Boolean);
  return text.split(/([\p{L}\p{M}\p{N}]+)/u).flatMap((piece) => {
    if (piece === '') return [];
    const word = folded(piece);
    return [{ text: piece, isHit: word !== '' && wanted.some((one) => word.startsWith(one)) }];
  });
}

/** Without case, marks, and the letters that Arabic writers take for each other. */
const folded = (word: string): string =>
  word
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}|ـ|[^\p{L}\p{N}]/gu, '')
    .replace(/[أإآٱ]/gu, 'ا')
    .replace(/ى/gu, 'ي')
    .replace(/ة/gu, 'ه');
