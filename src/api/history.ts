import type { Turn } from '../engines/reply/contract.ts';
import { firstCharacters } from './characters.ts';
import { LIMITS, type TurnItem } from './schemas.ts';

const ROLES = { caller: 'caller', user: 'caller', agent: 'agent', assistant: 'agent' } as const;

/**
 * The last turns of a conversation as the reply engine takes them. A turn without a role is the other speaker's than the
 * turn after it; the last one is the agent's, because the new text is the caller's.
 */
export function readHistory(sent: readonly TurnItem[]): {
  readonly turns: readonly Turn[];
  readonly truncated: boolean;
} {
  let truncated = sent.length > LIMITS.historyTurns;
  let following: Turn['role'] = 'caller';
  const turns: Turn[] = [];
  for (const item of sent.slice(-LIMITS.historyTurns).reverse()) {
    const role: Turn['role'] = item.role ? ROLES[item.role] : following === 'caller' ? 'agent' : 'caller';
    const cut = firstCharacters(item.text, LIMITS.replyTextChars);
    truncated ||= cut.truncated;
    following = role;
    if (cut.text.trim() !== '') turns.unshift({ role, text: cut.text });
  }
  return { turns, truncated };
}
