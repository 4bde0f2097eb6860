import { userInfo } from 'node:os';
import type { NewAuditEntry } from '../../store/audit.ts';
import type { Store } from '../../store/store.ts';

/** The audit log has what was done at the shell too. */
export function note(
  store: Store,
  accountId: string,
  action: string,
  target: NewAuditEntry['target'],
  after: unknown,
): Promise<void> {
  const { username } = userInfo();
  const actor = { kind: 'shell', id: 'shell', name: username } as const;
  return store.audit.add([{ accountId, actor, action, target, after, requestId: '' }]);
}
