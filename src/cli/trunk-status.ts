import type { TrunkStatus } from '../core/trunk-status.ts';

/** `up 3 ms`, `down since 12:05:11 UTC, not-public`, `unknown`: one host, as the gateway that runs sees it. */
function hostWord({ state, since, answerMs, problem }: TrunkStatus['hosts'][number]): string {
  if (state === 'up') return answerMs === undefined ? 'up' : `up ${Math.round(answerMs)} ms`;
  const why = problem === undefined || problem === 'silent' ? '' : `, ${problem}`;
  return state === 'down' && since !== undefined ? `down since ${timeOf(since)}${why}` : state;
}

/** Hosts, and how each gateway that runs sees them; the hosts alone where none does. */
export function hostsText(uris: readonly string[], statuses: readonly TrunkStatus[]): string {
  const seen = (uri: string): string => {
    const words = statuses.flatMap(({ hosts }) => hosts.filter((host) => host.uri === uri).map(hostWord));
    return words.length > 0 ? `${uri} (${[...new Set(words)].join('; ')})` : uri;
  };
  return uris.map(seen).join(' ') || '-';
}

/** Our registration at a trunk: `registered until 12:10:00`, `waiting: sip:...: silent`. */
export function registrationText(wanted: boolean, statuses: readonly TrunkStatus[]): string {
  if (!wanted) return '-';
  const words = statuses.flatMap(({ registration }) => (registration ? [registration] : []));
  if (words.length === 0) return 'no gateway runs';
  const word = ({ state, expiresAt, problem }: (typeof words)[number]): string => {
    const until = expiresAt === undefined ? '' : ` until ${timeOf(expiresAt)}`;
    return `${state}${until}${problem === undefined ? '' : `: ${problem}`}`;
  };
  return [...new Set(words.map(word))].join('; ');
}

const timeOf = (iso: string): string => `${iso.slice(11, 19)} UTC`;
