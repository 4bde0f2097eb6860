import type { Notice } from './notice.ts';

/**
 * Why a host was not reached. `not-public`: an account wrote its name, and it leads to an address that is not on the public internet
 * or is this machine's own, so that nothing was sent.
 */
export type HostProblem = 'silent' | 'unreachable' | 'not-public' | `certificate refused: ${string}`;

/** How a trunk is, as a running gateway sees it. Times are ISO 8601. */
export interface TrunkStatus {
  readonly hosts: readonly {
    readonly uri: string; // as the definition has it
    readonly state: 'up' | 'down' | 'unknown';
    readonly since?: string;
    readonly answerMs?: number; // of its last answer to OPTIONS
    readonly problem?: HostProblem; // of one that is down
  }[];
  /** Of a trunk that we register at; states as in `src/sip/registration-state.ts`. */
  readonly registration?: {
    readonly state: string;
    readonly since: string;
    readonly host?: string; // that took it
    readonly expiresAt?: string;
    readonly problem?: string; // why the last attempt failed
    readonly problemNotice?: Notice; // the same as data
  };
}
