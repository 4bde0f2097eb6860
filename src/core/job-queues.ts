/** A job that was given up: it stays for a look, and for another try. */
export interface FailedJob {
  readonly id: string;
  readonly name: string;
  readonly tries: number;
  readonly failedAt: Date | undefined;
  readonly why: string;
  readonly about: Readonly<Record<string, string>>; // ids of what it is for
}

/** As programs see it. */
export const presentJob = ({ failedAt, ...job }: FailedJob) => ({ ...job, failed_at: failedAt?.toISOString() ?? null });

/** Work behind the calls, as it stands. */
export interface QueueState {
  readonly name: string;
  readonly waiting: number;
  readonly delayed: number; // tried in vain, and tried again later
  readonly active: number;
  readonly failed: number;
  readonly failedJobs: readonly FailedJob[]; // the latest
}

/** The queues of this gateway, for who looks after it. All throw where the database of the queues does not answer. */
export interface QueueDesk {
  states(): Promise<readonly QueueState[]>;
  /** One that was given up; undefined: no such queue, or no such job in it. */
  failedJob(name: string, jobId: string): Promise<FailedJob | undefined>;
  /** Jobs that were given up begin again, all or the one with this id: how many. Undefined: no such queue. */
  retryFailed(name: string, jobId?: string): Promise<number | undefined>;
  /** As `retryFailed`: they are forgotten. What the database says is still to be done is queued again by the caretaker. */
  discardFailed(name: string, jobId?: string): Promise<number | undefined>;
}
