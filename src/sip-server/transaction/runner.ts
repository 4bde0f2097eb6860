import type { Clock, Timer } from '../../core/clock.ts';
import type { MachineKind, TransactionAction, TransactionEvent, TransactionState } from './machines.ts';
import { MACHINES, nextStep, stateTimers } from './machines.ts';
import { firstTimerMs, nextIntervalMs, type TimerBase, type TimerName } from './timers.ts';

/** Carries out one action of the machine; `message` is what came with the event. */
export type ActionHandler<Message> = (action: TransactionAction, message: Message | undefined) => void;

/** Runs one machine: state, timers, and the actions of each step in order. Knows no message and no socket. */
export class MachineRunner<Message> {
  #state: TransactionState;
  readonly #running = new Map<TimerName, Timer>();
  readonly #intervals = new Map<TimerName, number>();

  constructor(
    readonly kind: MachineKind,
    private readonly reliable: boolean,
    private readonly clock: Clock,
    private readonly base: TimerBase,
    private readonly act: ActionHandler<Message>,
    private readonly onTerminated: () => void,
  ) {
    this.#state = MACHINES[kind].initial;
  }

  get state(): TransactionState {
    return this.#state;
  }

  /** Starts the timers of the initial state. */
  start(): void {
    this.#startTimers(false);
  }

  /** @returns false when the event means nothing in the present state. */
  handle(event: TransactionEvent, message?: Message): boolean {
    const step = nextStep(this.kind, this.#state, event);
    if (!step) return false;
    if (step.next !== this.#state) {
      this.#state = step.next;
      this.#startTimers(true);
    }
    try {
      this.#perform(step.actions, message);
    } finally {
      if (step.next === 'terminated') this.onTerminated();
    }
    return true;
  }

  /** Ends at once, without telling the user: the layer is closing or the user gave up. */
  stop(): void {
    if (this.#state === 'terminated') return;
    this.#state = 'terminated';
    this.#startTimers(true);
    this.onTerminated();
  }

  /** A refusal that could not be acknowledged must be passed up all the same: a failing action stops no later one. */
  #perform(actions: readonly TransactionAction[], message: Message | undefined): void {
    const [action, ...rest] = actions;
    if (action === undefined) return;
    try {
      this.act(action, message);
    } finally {
      this.#perform(rest, message);
    }
  }

  #startTimers(stopOthers: boolean): void {
    const wanted = stateTimers(this.kind, this.#state);
    if (stopOthers) {
      for (const [name, timer] of this.#running) {
        if (wanted.includes(name)) continue;
        this.clock.clearTimer(timer);
        this.#running.delete(name);
      }
    }
    for (const name of wanted) {
      if (this.#running.has(name)) continue;
      const delayMs = firstTimerMs(name, this.reliable, this.base);
      if (delayMs !== undefined) this.#arm(name, delayMs);
    }
  }

  #arm(name: TimerName, delayMs: number): void {
    this.#intervals.set(name, delayMs);
    this.#running.set(
      name,
      this.clock.setTimer(delayMs, () => this.#fire(name)),
    );
  }

  #fire(name: TimerName): void {
    this.#running.delete(name);
    try {
      this.handle(`timer${name}`);
    } finally {
      if (name === 'A' || name === 'E' || name === 'G') this.#armAgain(name);
    }
  }

  #armAgain(name: 'A' | 'E' | 'G'): void {
    if (this.#running.has(name) || !stateTimers(this.kind, this.#state).includes(name)) return;
    const lastMs = this.#intervals.get(name) ?? this.base.t1Ms;
    this.#arm(name, nextIntervalMs(name, lastMs, this.#state === 'proceeding', this.base));
  }
}
