import type { CallRegistry } from '../call/call-registry.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { DialDesk } from '../outbound/dial-desk.ts';
import type { Store } from '../store/store.ts';
import type { AgentDesk } from './agent-desk.ts';
import type { Passwords } from './passwords.ts';
import type { Recordings } from './recordings.ts';

/** What the management API works with. */
export interface ManageDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: string;
  readonly passwords: Passwords;
  readonly agentDesk: AgentDesk;
  readonly dialDesk: DialDesk;
  readonly recordings: Recordings;
  /** Calls of this gateway that go on. */
  readonly registry: Pick<CallRegistry, 'list'>;
}
