/** The price list, in whole cents. Comes from configuration (`pricing`); `DEFAULT_PRICES` is the published one. */
export interface Prices {
  readonly replyCents: number; // per turn
  readonly privacyCents: number; // per check
  readonly askCents: number; // per question
  readonly transcribeMinuteCents: number; // per minute, rounded up
  readonly liveMinuteCents: number; // per started minute, live transcription and phone calls
  readonly speechCentsPer1000: Readonly<Record<string, number>>; // by speech model, per 1,000 characters
}

export const DEFAULT_PRICES: Prices = {
  replyCents: 2,
  privacyCents: 4,
  askCents: 4,
  transcribeMinuteCents: 3,
  liveMinuteCents: 3,
  speechCentsPer1000: { 'sada-1': 5, 'nabra-1': 10 },
};

const MINUTE_MS = 60_000;

/** Characters as they are charged: Unicode code points, neither UTF-16 units nor bytes. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Minutes begun within `ms`: 0 -> 0, 1 -> 1, 60,000 -> 1, 60,001 -> 2. */
export function startedMinutes(ms: number): number {
  return Number.isFinite(ms) && ms > 0 ? Math.ceil(ms / MINUTE_MS) : 0;
}

/** Speech of `characters`: rounded up once, at least a cent; none costs nothing. A model without a price is charged as the dearest. */
export function speechCents(prices: Prices, model: string, characters: number): number {
  if (characters <= 0) return 0;
  const per1000 = prices.speechCentsPer1000[model] ?? Math.max(0, ...Object.values(prices.speechCentsPer1000));
  return per1000 === 0 ? 0 : Math.max(1, Math.ceil((characters * per1000) / 1000));
}

/** One reply: the turn, and its speech when it was spoken. */
export function replyCents(prices: Prices, speech?: { readonly model: string; readonly characters: number }): number {
  return prices.replyCents + (speech ? speechCents(prices, speech.model, speech.characters) : 0);
}

/** A clip of `seconds`: any clip, even one without sound, is a minute at least. */
export function transcribeCents(prices: Prices, seconds: number): number {
  return Math.max(1, startedMinutes(seconds * 1000)) * prices.transcribeMinuteCents;
}

/** A live transcription session that received `audioMs` of audio; none received, none charged. */
export function liveCents(prices: Prices, audioMs: number): number {
  return startedMinutes(audioMs) * prices.liveMinuteCents;
}

/** What one turn of a phone call costs; see `TurnRecord.charge`. */
export function turnCents(
  prices: Prices,
  charge: { readonly reply: boolean; readonly characters: number; readonly model: string } | undefined,
): number {
  if (!charge) return 0;
  return (charge.reply ? prices.replyCents : 0) + speechCents(prices, charge.model, charge.characters);
}
