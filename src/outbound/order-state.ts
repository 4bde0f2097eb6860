/**
 * The life of an order to call somebody, as data; the row in `dial_orders` is the only place where the state is kept.
 *
 *   queued --dial--> dialling --ring--> ringing --answer--> answered --hangup--> ended
 *      ^                |                  |
 *      +-- hold, retry -+------ retry -----+
 *
 * What is absent is as deliberate as what is present: an answered call is not dialled again whatever became of it, and nothing
 * leads out of `ended`.
 */
export const ORDER_TRANSITIONS = {
  // `refuse`: a check failed before anything was dialled. `expire`: its time is over.
  queued: { dial: 'dialling', cancel: 'ended', refuse: 'ended', expire: 'ended' },
  // `hold`: no INVITE has left, and it is not the order's fault. `interrupt`: its gateway died after the INVITE.
  dialling: {
    ring: 'ringing',
    answer: 'answered',
    hold: 'queued',
    retry: 'queued',
    fail: 'ended',
    refuse: 'ended',
    cancel: 'ended',
    interrupt: 'ended',
  },
  ringing: { answer: 'answered', retry: 'queued', fail: 'ended', cancel: 'ended', interrupt: 'ended' },
  answered: { hangup: 'ended', cancel: 'ended', interrupt: 'ended' },
  ended: {},
} as const;

export type OrderState = keyof typeof ORDER_TRANSITIONS;
export type OrderEvent =
  | 'dial'
  | 'ring'
  | 'answer'
  | 'hold'
  | 'retry'
  | 'fail'
  | 'refuse'
  | 'expire'
  | 'cancel'
  | 'hangup'
  | 'interrupt';

/** The state after `event`, or undefined where it means nothing: a late 180, a second cancel. */
export function nextOrderState(state: OrderState, event: OrderEvent): OrderState | undefined {
  return (ORDER_TRANSITIONS[state] as Partial<Record<OrderEvent, OrderState>>)[event];
}

/** The states in which `event` means something: what a statement that writes it asks for. */
export function statesBefore(event: OrderEvent): OrderState[] {
  const states = Object.keys(ORDER_TRANSITIONS) as OrderState[];
  return states.filter((state) => nextOrderState(state, event) !== undefined);
}
