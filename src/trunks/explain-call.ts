import { isIP } from 'node:net';
import { type CallEnd, callEnd } from '../call/call-end.ts';
import type { LegInfo } from '../call/leg.ts';
import { sourceFilter } from '../core/address-filter.ts';
import type { Agent } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import { sentence } from '../core/notice.ts';
import type { Store } from '../store/store.ts';
import { CallAdmission, mayReach, numberOff } from './call-admission.ts';
import { remedyOf } from './refusal-log.ts';
import { SourceMatcher } from './source-match.ts';
import { strangersOf } from './strangers.ts';
import { TrunkLines } from './trunk-lines.ts';

export interface ExplainedCall {
  readonly number: string; // as it is dialled
  readonly address: string; // that the call comes from
  readonly caller: string;
  readonly digest?: string; // whose password it proves
}

/** What would become of a call. */
export interface CallExplanation {
  /** Who would be taken to have sent it; `challenge`: nobody known, who may prove who it is. */
  readonly sender: 'admitted' | 'challenge' | 'refused';
  /** By the rules of its trunk. */
  readonly seen: Pick<LegInfo, 'called' | 'from' | 'source'>;
  readonly agent?: Agent;
  readonly end?: CallEnd; // why it is refused
  readonly remedy?: string;
}

type Rows = Pick<Store, 'trunks' | 'phones' | 'numbers'>;
type SipRules = Parameters<typeof strangersOf>[0] & { readonly allowedSources: readonly string[] };

/** What would become of a call in, by the rules as they are stored. Where phones are is known to the running gateway alone. */
export async function explainCall(
  { trunks, phones, numbers }: Rows,
  sip: SipRules,
  clock: Clock,
  { number, address, caller, digest }: ExplainedCall,
): Promise<CallExplanation> {
  const sources = new SourceMatcher(await trunks.list());
  const admission = new CallAdmission({
    ...{ sources: () => sources, lines: new TrunkLines(clock), livingOf: () => 0, strangers: strangersOf(sip) },
    isPhoneAt: () => false,
    isAllowedSource: sip.allowedSources.length > 0 ? sourceFilter(sip.allowedSources) : undefined,
  });
  const info: LegInfo = {
    ...{ sipCallId: '', from: caller, to: number, called: number, transport: 'udp', variables: {} },
    sourceAddress: `${isIP(address) === 6 ? `[${address}]` : address}:5060`,
  };
  const phone = (await phones.list()).find(({ username }) => username === digest);
  const trunk = digest === undefined || phone ? undefined : sources.digestTrunk(digest, address);
  const sender = { headers: {}, ...(trunk && { trunkId: trunk.id }), ...(phone && { phone }) };
  const admitted = admission.admit(info, sender);
  if (admitted.kind !== 'admitted') {
    const remedy = remedyOf(admitted.end, info);
    return { sender: admitted.kind === 'challenge' ? 'challenge' : 'refused', seen: info, end: admitted.end, remedy };
  }
  const { info: seen } = admitted;
  const agent = await numbers.resolve(seen.called);
  if (agent && mayReach(seen.source, agent.accountId)) {
    const isOff = await numbers.isOff(seen.called);
    if (agent.status === 'live' && !isOff) return { sender: 'admitted', seen, agent };
    const end = isOff ? numberOff() : callEnd('gateway', 'agent-not-live');
    return { sender: 'admitted', seen, agent, end, remedy: remedyOf(end, seen) };
  }
  const detail = agent ? sentence('end.number-elsewhere') : '';
  const end = callEnd('gateway', 'no-such-number', detail);
  return { sender: 'admitted', seen, end, remedy: remedyOf(end, seen) };
}

/** `trunk carrier`, `loopback`. */
export const sourceText = (source: LegInfo['source']): string =>
  source === undefined ? 'unknown' : 'name' in source ? `${source.kind} ${source.name}` : source.kind;
