/** A job that was given up: it stays for a look, and for another try. */
export interface FailedJob {
  readonly id: string;
  readonly name: string;
  readonly tries: number;
  readonly failedAt: Date | undefined;
  readonly why: string;
}

/** Work behind the calls, as it stands. */
export interface QueueState {
  readonly name: string;
  readonly waiting: number;
  readonly delayed: number; // tried in vain, and tried again later
  readonly active: number;
  readonly failed: number;
  readonly failedJobs: readonly FailedJob[]; // the latest
}

/** The queues of this gateway, for who looks after it. Both throw where the database of the queues does not answer. */
export interface QueueDesk {
  states(): Promise<readonly QueueState[]>;
  /** Jobs that were given up begin again, all or the one with this id: how many. Undefined: no such queue. */
  retryFailed(name: string, jobId?: string): Promise<number | undefined>;
}
