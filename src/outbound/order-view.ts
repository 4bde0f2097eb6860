import type { DialAttemptRow, DialOrderRow } from '../store/dial-order-rows.ts';

/** An order as tools show it, a fixed shape that others build on. Times are RFC 3339 in UTC. */
export function presentOrder(order: DialOrderRow, attempts: readonly DialAttemptRow[] = []) {
  const at = (time: Date | null): string | null => time?.toISOString() ?? null;
  return {
    id: order.id,
    state: order.state,
    agent_id: order.agentId,
    to: order.target,
    from: order.from,
    trunk: order.trunk,
    on_machine: order.onMachine,
    attempt: order.attempt,
    call_id: order.callId,
    sip_call_id: order.sipCallId,
    cancel_wanted: order.cancelAt !== null,
    created_at: at(order.createdAt),
    next_at: order.state === 'queued' ? at(order.nextAt) : null,
    sent_at: at(order.sentAt),
    ringing_at: at(order.ringingAt),
    answered_at: at(order.answeredAt),
    ended_at: at(order.endedAt),
    end:
      order.endReason === null
        ? null
        : { party: order.endParty, reason: order.endReason, ...(order.endDetail && { detail: order.endDetail }) },
    attempts: attempts.map((one) => ({
      ...{ attempt: one.attempt, sip_call_id: one.sipCallId, dialling_at: one.diallingAt.toISOString() },
      ...{ ended_at: at(one.endedAt), reason: one.endReason },
    })),
  };
}
