import { setTimeout as sleep } from 'node:timers/promises';
import { type Gateway, nidaa } from './gateway.ts';

/** What `nidaa calls show --json` prints: the fixed shape. */
export interface CallRecord {
  readonly id: string;
  readonly sip_call_id: string;
  readonly agent: string;
  readonly to: string;
  readonly ended_at: string | null;
  readonly end: { party: string; reason: string; detail?: string } | null;
  readonly dtmf: string;
  readonly turns: readonly {
    role: string;
    text: string;
    started_ms: number;
    heard_ms: number;
    latency_ms: number | null;
  }[];
  readonly quality: Record<string, number> | null;
  readonly cost_cents: number;
  readonly recording: string | null;
}

async function read<T>(gateway: Gateway, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await nidaa(gateway, ...args, '--json');
  if (code !== 0) throw new Error(`nidaa ${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

/** The newest ended call, whole. Waits for the record to be written. */
export async function latestCall(gateway: Gateway): Promise<CallRecord> {
  for (let attempt = 0; ; attempt += 1) {
    const [newest] = await read<CallRecord[]>(gateway, 'calls', 'list', '--limit', '1');
    if (newest?.ended_at) return read<CallRecord>(gateway, 'calls', 'show', newest.id);
    if (attempt > 20) throw new Error('no ended call on record');
    await sleep(250);
  }
}

export const callCount = async (gateway: Gateway): Promise<number> =>
  (await read<unknown[]>(gateway, 'calls', 'list', '--limit', '1000')).length;

export const callsEndedBy = async (gateway: Gateway): Promise<Record<string, number>> => {
  const reasons: Record<string, number> = {};
  for (const call of await read<CallRecord[]>(gateway, 'calls', 'list', '--limit', '1000')) {
    const reason = call.end?.reason ?? 'open';
    reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  return reasons;
};

export const balance = async (gateway: Gateway): Promise<number> =>
  (await read<{ balance_cents: number }[]>(gateway, 'account', 'balance'))[0]!.balance_cents;

export const texts = (call: CallRecord, role: string): string[] =>
  call.turns.filter((turn) => turn.role === role).map((turn) => turn.text);
