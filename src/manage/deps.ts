import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Store } from '../store/store.ts';
import type { AgentDesk } from './agent-desk.ts';
import type { Passwords } from './passwords.ts';

/** What the management API works with. */
export interface ManageDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly version: string;
  readonly passwords: Passwords;
  readonly agentDesk: AgentDesk;
}
