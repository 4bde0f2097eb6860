import type { TrunkDefinition } from '../../../../core/trunk.ts';
import type { HostProblem, TrunkStatus } from '../../../../core/trunk-status.ts';

/** `partly`: some of its hosts, or some gateways see it. */
export type Light = 'up' | 'partly' | 'down' | 'unknown';
export interface HostState {
  readonly uri: string;
  readonly state: 'up' | 'down' | 'unknown';
  readonly since: string | undefined;
  readonly answerMs: number | undefined;
  readonly problem: HostProblem | undefined;
}
export interface TrunkState {
  readonly light: Light;
  readonly hosts: readonly HostState[];
  readonly registration: NonNullable<TrunkStatus['registration']> | undefined;
}

const WORST = ['down', 'unknown', 'up'] as const;
/** That the other side knows us by at this moment. */
const HELD = ['registered', 'refreshing'];
export const isRegistered = ({ state }: { readonly state: string }): boolean => HELD.includes(state);

/** What several gateways see of a trunk, as one: of each host the worst. Pure. */
export function trunkState(status: readonly TrunkStatus[]): TrunkState {
  const hosts = new Map<string, HostState>();
  for (const { uri, state, since, answerMs, problem } of status.flatMap((one) => one.hosts)) {
    const before = hosts.get(uri);
    if (before && WORST.indexOf(before.state) <= WORST.indexOf(state)) continue;
    hosts.set(uri, { uri, state, since, answerMs, problem });
  }
  const all = [...hosts.values()];
  const registrations = status.flatMap(({ registration }) => registration ?? []);
  const registration = registrations.find((one) => !isRegistered(one)) ?? registrations[0];
  return { light: lightOf(all, registration), hosts: all, registration };
}

/** The word for why a host is down; of one that says nothing, that is said already. Pure. */
export function problemWord(problem: HostProblem | undefined): 'unreachable' | 'certificate' | 'notPublic' | undefined {
  if (problem === undefined || problem === 'silent') return undefined;
  if (problem === 'not-public') return 'notPublic';
  return problem === 'unreachable' ? problem : 'certificate';
}

function lightOf(hosts: readonly HostState[], registration: { readonly state: string } | undefined): Light {
  if (registration && !isRegistered(registration)) return 'down';
  const up = hosts.filter(({ state }) => state === 'up').length;
  if (hosts.length > 0 && up === hosts.length) return 'up';
  if (up > 0) return 'partly';
  if (hosts.some(({ state }) => state === 'down')) return 'down';
  return registration ? 'up' : 'unknown';
}

/** Whether calls come in by it; of a trunk of the operator that is not told. Pure. */
export function takesCalls(definition: TrunkDefinition | null): boolean {
  if (!definition) return true;
  const { sources, auth, certificateName } = definition.inbound;
  return sources.length > 0 || auth === 'digest' || certificateName !== undefined;
}

/** Whether calls may go out by it; not told either of the operator's. Pure. */
export function placesCalls(definition: TrunkDefinition | null): boolean {
  return !definition || (definition.hosts.length > 0 && definition.allowedPrefixes.length > 0);
}
