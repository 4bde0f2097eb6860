import type { Admission, SenderFacts } from '../call/admission.ts';
import { type CallEnd, callEnd } from '../call/call-end.ts';
import type { LegInfo } from '../call/leg.ts';
import { addressOf, isLoopback } from '../core/address-filter.ts';
import { sentence } from '../core/notice.ts';
import { dialledNumber, foldDigits, rewriteNumber } from '../core/number-rules.ts';
import { type CallSource, isOn, type Trunk } from '../core/trunk.ts';
import { assertedUser } from './caller-identity.ts';
import { OWN_TEST_VARIABLE } from './own-tests.ts';
import type { SourceFinding, SourceMatcher } from './source-match.ts';
import type { TrunkLines } from './trunk-lines.ts';
import { variablesOf } from './trunk-variables.ts';

/** Who gets in that is neither a trunk nor a phone: nobody, whoever reaches a loopback address, or everybody. */
export type Strangers = 'refused' | 'loopback' | 'anonymous';

export interface CallAdmissionDeps {
  /** Asked for every call: trunks change while it runs. */
  readonly sources: () => SourceMatcher;
  readonly lines: TrunkLines;
  /** Calls in of a trunk that live now. */
  readonly livingOf: (trunkId: string) => number;
  readonly strangers: Strangers;
  /** Whether a phone has registered from that IP address. */
  readonly isPhoneAt: (address: string) => boolean;
  /** Of `sip.allowedSources`: undefined where there are none. */
  readonly isAllowedSource: ((sourceAddress: string) => boolean) | undefined;
  /** Whether it is a call that this gateway places to test an agent. */
  readonly isOwnTest?: (headers: SenderFacts['headers'], address: string) => boolean;
}

export const NOT_ALLOWED_SOURCE = sentence('end.not-among-sources');
export const STRANGER = sentence('end.stranger');

/**
 * Who is asked to prove who he is: whoever calls from an address that a phone has registered from, and everybody where a trunk
 * is known by its digest alone. All others are refused at once, whatever name they give: guessing costs us no look-up, and
 * the answer tells nothing of who there is.
 *
 * Who may call in: a trunk known by its address, a phone that has proved who it is, a trunk known by its digest or certificate,
 * and whoever else the operator lets in. Looks at memory only, so that a refusal costs nothing.
 */
export class CallAdmission {
  constructor(private readonly deps: CallAdmissionDeps) {}

  admit(info: LegInfo, sender: SenderFacts): Admission {
    const { isAllowedSource, isOwnTest } = this.deps;
    if (isOwnTest?.(sender.headers, addressOf(info.sourceAddress))) return ownTest(info);
    if (isAllowedSource && !isAllowedSource(info.sourceAddress)) return refuse(NOT_ALLOWED_SOURCE);
    const found = this.deps.sources().find({ address: addressOf(info.sourceAddress), ...sender });
    if (found && !isOn(trunkIn(found))) return switchedOff(trunkIn(found));
    if (found && 'unproven' in found) {
      const { name, inbound } = found.unproven.definition;
      const why = inbound.auth === 'digest' ? 'end.trunk-unchallenged' : 'end.trunk-without-certificate';
      return { kind: 'challenge', end: callEnd('gateway', 'not-allowed', sentence(why, { name })) };
    }
    if (found?.by === 'address') return this.#byTrunk(info, found.trunk, sender);
    const { phone } = sender;
    if (phone) {
      const { id, name, accountId } = phone;
      return admitted(info, { kind: 'phone', id, name, accountId });
    }
    if (found) return this.#byTrunk(info, found.trunk, sender);
    return this.#stranger(info, isAllowedSource !== undefined);
  }

  #byTrunk(info: LegInfo, trunk: Trunk, { headers }: SenderFacts): Admission {
    const { lines, livingOf } = this.deps;
    const { id, accountId, definition } = trunk;
    const { name, numbersIn, callerId, headersIn, limits, dtmf } = definition;
    const problem = lines.problemIn(trunk, livingOf(id));
    if (problem === 'calls') return busy(sentence('end.trunk-calls-in', { name, calls: limits.callsIn }));
    if (problem === 'rate') return busy(sentence('end.trunk-rate-in', { name, rate: limits.callsPerSecondIn }));
    const number = (text: string): string => {
      const dialled = dialledNumber(text);
      return dialled === undefined ? text : rewriteNumber(numbersIn, dialled);
    };
    return {
      kind: 'admitted',
      ...(dtmf !== 'auto' && { dtmf }),
      info: {
        ...info,
        source: { kind: 'trunk', id, name, accountId },
        called: number(info.called),
        from: number(assertedUser(headers, callerId) ?? info.from),
        variables: { ...info.variables, ...variablesOf(headers, headersIn) },
      },
    };
  }

  #stranger(info: LegInfo, isNamed: boolean): Admission {
    const { strangers } = this.deps;
    const isWelcome = strangers === 'anonymous' || (strangers === 'loopback' && !isFromOutside(info));
    if (isWelcome) return admitted(info, { kind: strangers });
    if (isNamed) return admitted(info, { kind: 'anonymous' });
    const { sources, isPhoneAt } = this.deps;
    const isAsked = sources().mayProveFromAnywhere || isPhoneAt(addressOf(info.sourceAddress));
    return isAsked ? { kind: 'challenge', end: callEnd('gateway', 'not-allowed', STRANGER) } : refuse(STRANGER);
  }
}

/**
 * SIP over WebSocket comes in where HTTP does, and calls of a SIP server elsewhere come from wherever that listens: the network
 * may reach both, though we are on a loopback address.
 */
const isFromOutside = ({ sourceAddress }: LegInfo): boolean => !isLoopback(addressOf(sourceAddress));

/** Its secret is nobody's variable. */
function ownTest(info: LegInfo): Admission {
  const { [OWN_TEST_VARIABLE]: _, ...variables } = info.variables;
  return admitted({ ...info, variables }, { kind: 'loopback' });
}

/** Whose calls they are stays known: they are nobody else's meanwhile. */
const trunkIn = (found: NonNullable<SourceFinding>): Trunk => ('unproven' in found ? found.unproven : found.trunk);

export const trunkOff = ({ definition }: Trunk): CallEnd =>
  callEnd('gateway', 'switched-off', sentence('end.trunk-off', { name: definition.name }));
/** Of a number that is somebody's. */
export const numberOff = (): CallEnd => callEnd('gateway', 'switched-off', sentence('end.number-off'));
const switchedOff = (trunk: Trunk): Admission => ({ kind: 'refused', end: trunkOff(trunk) });

const refuse = (why: string): Admission => ({ kind: 'refused', end: callEnd('gateway', 'not-allowed', why) });
const busy = (why: string): Admission => ({ kind: 'refused', end: callEnd('gateway', 'busy', why) });
const admitted = (info: LegInfo, source: CallSource): Admission => ({
  kind: 'admitted',
  info: { ...info, source, called: foldDigits(info.called) },
});

/** Whether an agent of `accountId` may be reached from there: a trunk or phone of an account reaches that account alone. */
export function mayReach(source: CallSource | undefined, accountId: string): boolean {
  if (source?.kind !== 'trunk' && source?.kind !== 'phone') return true;
  return source.accountId === undefined || source.accountId === accountId;
}
