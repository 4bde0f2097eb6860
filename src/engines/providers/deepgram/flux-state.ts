/**
 * A turn as Flux tells of it, and what each event means for the answer to a flush:
 *
 *   idle --StartOfTurn--> speaking --EagerEndOfTurn--> awaiting --EndOfTurn--> idle
 *                         speaking <--TurnResumed-- awaiting
 *
 * - `speculate`: what it says is the answer where one is asked for now. - `resume`: it is not any more. - `settle`: it is, for good.
 *
 * @see Deepgram documentation, "Understanding the Flux State Machine"
 */
export const FLUX_TABLE = {
  idle: {
    StartOfTurn: { to: 'speaking' },
    Update: { to: 'idle' },
    EagerEndOfTurn: { to: 'awaiting', does: 'speculate' },
    TurnResumed: { to: 'speaking' },
    EndOfTurn: { to: 'idle', does: 'settle' },
  },
  speaking: {
    StartOfTurn: { to: 'speaking' },
    Update: { to: 'speaking' },
    EagerEndOfTurn: { to: 'awaiting', does: 'speculate' },
    TurnResumed: { to: 'speaking' },
    EndOfTurn: { to: 'idle', does: 'settle' },
  },
  awaiting: {
    StartOfTurn: { to: 'speaking', does: 'resume' },
    Update: { to: 'awaiting' },
    EagerEndOfTurn: { to: 'awaiting', does: 'speculate' },
    TurnResumed: { to: 'speaking', does: 'resume' },
    EndOfTurn: { to: 'idle', does: 'settle' },
  },
} as const satisfies Record<string, Record<FluxEventName, { readonly to: string; readonly does?: FluxDoes }>>;

export type FluxState = keyof typeof FLUX_TABLE;
export type FluxEventName = 'StartOfTurn' | 'Update' | 'EagerEndOfTurn' | 'TurnResumed' | 'EndOfTurn';
export type FluxDoes = 'speculate' | 'resume' | 'settle';

export const isFluxEvent = (name: unknown): name is FluxEventName =>
  typeof name === 'string' && Object.hasOwn(FLUX_TABLE.idle, name);

export const fluxStep = (
  state: FluxState,
  event: FluxEventName,
): { readonly to: FluxState; readonly does?: FluxDoes } => FLUX_TABLE[state][event];
