/** Without these nobody has been heard yet; the others are advice. */
const NEEDED = ['agent-live', 'way-in', 'first-call', 'call-understood'] as const;
const ADVISED = ['password', 'tls'] as const;
export type SetUpItem = (typeof NEEDED)[number] | (typeof ADVISED)[number];
export interface Step {
  readonly item: SetUpItem;
  readonly isDone: boolean;
  readonly isAdvice: boolean;
}
export interface SetUp {
  /** In their order; what is done comes where it stands, so that nothing moves. */
  readonly steps: readonly Step[];
  /** The first that is needed and not done. */
  readonly next: SetUpItem | undefined;
  readonly done: number;
}

/** What is still to be set up, of items as the gateway tells them; undefined where a call was understood, and all is well. */
export function setUpOf(told: readonly { readonly item: string; readonly done: boolean }[]): SetUp | undefined {
  const done = new Map(told.map(({ item, done }) => [item, done]));
  const steps = [...NEEDED, ...ADVISED]
    .filter((item) => done.has(item))
    .map((item) => ({ item, isDone: done.get(item)!, isAdvice: ADVISED.some((one) => one === item) }));
  const next = steps.find(({ isDone, isAdvice }) => !isDone && !isAdvice)?.item;
  return next && { steps, next, done: steps.filter(({ isDone }) => isDone).length };
}

/** `sip:1000@192.0.2.7:5060`: what a phone is told to dial (RFC 3261 §19.1.1); IPv6 stands in brackets. */
export const dialled = (number: string, { address, port }: { address: string; port: number }): string =>
  `sip:${number}@${address.includes(':') ? `[${address}]` : address}${port === 5060 ? '' : `:${port}`}`;
