import type { HostProblem } from '../core/trunk-status.ts';

/** `unknown`: nobody has asked yet, or nobody asks at all. */
export type HostState = 'up' | 'down' | 'unknown';

/** What is known of one host of a trunk. */
export interface HostStatus {
  readonly state: HostState;
  readonly since?: Date; // when it came to be so
  readonly answerMs?: number; // how long the last answer took
  readonly problem?: HostProblem; // why it is down, where that is known
}

/** Which hosts of trunks answer. Calls skip those that are `down`; everything else is tried. */
export interface HostHealth {
  /** @param uri - of the host, as the trunk's definition has it. Never throws. */
  statusOf(trunkId: string, uri: string): HostStatus;
}

const UNKNOWN: HostStatus = { state: 'unknown' };
/** Where nobody asks hosts how they are. */
export const unwatchedHosts: HostHealth = { statusOf: () => UNKNOWN };
