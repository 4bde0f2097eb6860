/** What the ledger knows of, in the order of a stack: calls at the ground, then the public API. Colours go with `light-dark()`. */
export const CHARGE_COLOURS = {
  'call-minute': 'light-dark(#0b6e54, #4fbf9b)',
  'call-turn': 'light-dark(#7fc4ae, #2b7a62)',
  'live-transcription': 'light-dark(#2f63b3, #8ab4f8)',
  transcribe: 'light-dark(#93b5e8, #3f6db3)',
  speech: 'light-dark(#8a5fc7, #c3a1f0)',
  reply: 'light-dark(#c2700a, #f0b44c)',
  ask: 'light-dark(#e7b466, #a06a14)',
  privacy: 'light-dark(#b8476b, #ef9ab5)',
} as const;
export type ChargeKind = keyof typeof CHARGE_COLOURS;
/** What a later gateway may charge for. */
export const OTHER = { kind: 'other', colour: 'light-dark(#7d868d, #8d959c)' } as const;

export const isChargeKind = (kind: string): kind is ChargeKind => Object.hasOwn(CHARGE_COLOURS, kind);

/** The call that a charge is for: ids of its charges begin with that of the call. */
export function callOfCharge(id: string): string | undefined {
  return /^(call_[a-z0-9]+)\//.exec(id)?.[1];
}
