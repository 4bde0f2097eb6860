import type { TimerName } from './timers.ts';

/**
 * The four transaction machines of RFC 3261 §17, with the Accepted state of RFC 6026, as data. What is absent is as
 * deliberate as what is present: an event without a row in a state is ignored there.
 */
export type MachineKind = 'invite-client' | 'client' | 'invite-server' | 'server';

export type TransactionState =
  | 'calling'
  | 'trying'
  | 'proceeding'
  | 'completed'
  | 'accepted'
  | 'confirmed'
  | 'terminated';

export type TransactionEvent =
  // from the network
  | 'provisional'
  | 'success'
  | 'failure'
  | 'request' // a copy of the request
  | 'ack'
  // from the transaction user
  | 'sendProvisional'
  | 'sendSuccess'
  | 'sendFailure'
  // from below
  | 'transportError'
  | `timer${TimerName}`;

/**
 * send: the message that came with the event · resend: the last message sent · pass: hand the message up ·
 * ack: the hop-by-hop ACK of a refusal · timeout, error: tell the user.
 */
export type TransactionAction = 'send' | 'resend' | 'pass' | 'ack' | 'timeout' | 'error';

export interface TransactionStep {
  readonly next: TransactionState;
  readonly actions: readonly TransactionAction[];
}

interface StateRow {
  /** Timers that run in this state. On entering, those not yet running start and all others stop. */
  readonly timers: readonly TimerName[];
  readonly on: Readonly<Partial<Record<TransactionEvent, TransactionStep>>>;
}

export interface Machine {
  readonly initial: TransactionState;
  readonly states: Readonly<Partial<Record<TransactionState, StateRow>>>;
}

const step = (next: TransactionState, ...actions: TransactionAction[]): TransactionStep => ({ next, actions });

const TERMINATED: StateRow = { timers: [], on: {} };

/** RFC 3261 §17.1.1, RFC 6026 §7.2: a 2xx leaves room for the 2xx of other forks until timer M. */
const INVITE_CLIENT: Machine = {
  initial: 'calling',
  states: {
    calling: {
      timers: ['A', 'B'],
      on: {
        timerA: step('calling', 'resend'),
        timerB: step('terminated', 'timeout'),
        provisional: step('proceeding', 'pass'),
        success: step('accepted', 'pass'),
        failure: step('completed', 'ack', 'pass'),
        transportError: step('terminated', 'error'),
      },
    },
    proceeding: {
      timers: ['C'],
      on: {
        provisional: step('proceeding', 'pass'),
        success: step('accepted', 'pass'),
        failure: step('completed', 'ack', 'pass'),
        timerC: step('terminated', 'timeout'),
      },
    },
    completed: {
      timers: ['D'],
      on: {
        failure: step('completed', 'ack'),
        timerD: step('terminated'),
        transportError: step('terminated'),
      },
    },
    accepted: { timers: ['M'], on: { success: step('accepted', 'pass'), timerM: step('terminated') } },
    terminated: TERMINATED,
  },
};

/** RFC 3261 §17.1.2. E goes on in Proceeding, every T2. */
const CLIENT: Machine = {
  initial: 'trying',
  states: {
    trying: {
      timers: ['E', 'F'],
      on: {
        timerE: step('trying', 'resend'),
        timerF: step('terminated', 'timeout'),
        provisional: step('proceeding', 'pass'),
        success: step('completed', 'pass'),
        failure: step('completed', 'pass'),
        transportError: step('terminated', 'error'),
      },
    },
    proceeding: {
      timers: ['E', 'F'],
      on: {
        timerE: step('proceeding', 'resend'),
        timerF: step('terminated', 'timeout'),
        provisional: step('proceeding', 'pass'),
        success: step('completed', 'pass'),
        failure: step('completed', 'pass'),
        transportError: step('terminated', 'error'),
      },
    },
    completed: { timers: ['K'], on: { timerK: step('terminated') } },
    terminated: TERMINATED,
  },
};

/**
 * RFC 3261 §17.2.1, RFC 6026 §7.1. A transport error is reported and changes nothing: the peer may still be heard, and
 * the timers end the transaction. In Accepted the user sends every copy of the 2xx; copies of the INVITE are absorbed.
 */
const INVITE_SERVER: Machine = {
  initial: 'proceeding',
  states: {
    proceeding: {
      timers: [],
      on: {
        request: step('proceeding', 'resend'),
        sendProvisional: step('proceeding', 'send'),
        sendSuccess: step('accepted', 'send'),
        sendFailure: step('completed', 'send'),
        transportError: step('proceeding', 'error'),
      },
    },
    completed: {
      timers: ['G', 'H'],
      on: {
        request: step('completed', 'resend'),
        timerG: step('completed', 'resend'),
        timerH: step('terminated', 'timeout'),
        ack: step('confirmed'),
        transportError: step('completed', 'error'),
      },
    },
    confirmed: { timers: ['I'], on: { timerI: step('terminated') } },
    accepted: {
      timers: ['L'],
      on: {
        request: step('accepted'),
        ack: step('accepted', 'pass'),
        sendSuccess: step('accepted', 'send'),
        timerL: step('terminated'),
        transportError: step('accepted', 'error'),
      },
    },
    terminated: TERMINATED,
  },
};

/** RFC 3261 §17.2.2. A copy in Trying is dropped: there is nothing yet to repeat. */
const SERVER: Machine = {
  initial: 'trying',
  states: {
    trying: {
      timers: [],
      on: {
        sendProvisional: step('proceeding', 'send'),
        sendSuccess: step('completed', 'send'),
        sendFailure: step('completed', 'send'),
      },
    },
    proceeding: {
      timers: [],
      on: {
        request: step('proceeding', 'resend'),
        sendProvisional: step('proceeding', 'send'),
        sendSuccess: step('completed', 'send'),
        sendFailure: step('completed', 'send'),
        transportError: step('terminated', 'error'),
      },
    },
    completed: {
      timers: ['J'],
      on: {
        request: step('completed', 'resend'),
        timerJ: step('terminated'),
        transportError: step('terminated', 'error'),
      },
    },
    terminated: TERMINATED,
  },
};

export const MACHINES: Readonly<Record<MachineKind, Machine>> = {
  'invite-client': INVITE_CLIENT,
  client: CLIENT,
  'invite-server': INVITE_SERVER,
  server: SERVER,
};

/** What `event` does in `state`, or undefined where it means nothing. */
export function nextStep(
  kind: MachineKind,
  state: TransactionState,
  event: TransactionEvent,
): TransactionStep | undefined {
  return MACHINES[kind].states[state]?.on[event];
}

/** The timers that run while in `state`. */
export function stateTimers(kind: MachineKind, state: TransactionState): readonly TimerName[] {
  return MACHINES[kind].states[state]?.timers ?? [];
}
