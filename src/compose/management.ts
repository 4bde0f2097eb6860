import type { FastifyInstance } from 'fastify';
import type { ManageDeps } from '../manage/deps.ts';
import { manageApi } from '../manage/manage-api.ts';
import { Passwords } from '../manage/passwords.ts';

export interface Management {
  /** Its routes, for the HTTP server. */
  readonly routes: (scope: FastifyInstance) => Promise<void>;
  /** Idempotent; close the HTTP server first. */
  close(): Promise<void>;
}

/** The management API over the parts of the gateway. */
export function openManagement(parts: Omit<ManageDeps, 'passwords'>): Management {
  const passwords = new Passwords(parts.clock);
  return {
    routes: (scope) => manageApi(scope, { ...parts, passwords }),
    close: () => passwords.close(),
  };
}
