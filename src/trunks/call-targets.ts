import { addressFilter, isLoopback, looksNumeric } from '../core/address-filter.ts';
import { sentence } from '../core/notice.ts';
import { canonicalNumber, dialledNumber, rewriteNumber } from '../core/number-rules.ts';
import { isOn, type Trunk } from '../core/trunk.ts';
import { numberProblem } from './allowed-numbers.ts';

/** What a target asks for. */
export type CallTarget =
  | { readonly kind: 'phone'; readonly name: string }
  | { readonly kind: 'number'; readonly number: string }
  | { readonly kind: 'uri'; readonly uri: string; readonly host: string };

const TARGET_CHARACTERS_MAX = 512;
const SAFE = /^[^\s<>"?,|\\\u0000-\u001f\u007f]+$/;

/** @returns undefined for what is none of them, or could smuggle a header. Never throws. */
export function parseTarget(target: string): CallTarget | undefined {
  const text = target.trim();
  if (text.length > TARGET_CHARACTERS_MAX) return undefined;
  if (text.startsWith('phone:')) {
    const name = text.slice('phone:'.length).trim();
    return name === '' ? undefined : { kind: 'phone', name };
  }
  if (/^tel:/i.test(text)) return numberTarget(text.slice('tel:'.length).split(';', 1)[0] ?? '');
  if (!/^sips?:/i.test(text)) return numberTarget(text);
  const host = /^sips?:(?:[^@]*@)?(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?(?:;[^@]*)?$/i.exec(text)?.[1];
  if (/;\s*maddr\s*=/i.test(text)) return undefined; // It would be sent elsewhere than to its host (RFC 3261 §19.1.1).
  return host !== undefined && SAFE.test(text) ? { kind: 'uri', uri: text, host } : undefined;
}

function numberTarget(text: string): CallTarget | undefined {
  const number = dialledNumber(text);
  return number === undefined ? undefined : { kind: 'number', number };
}

/** Which hosts a `sip:` URI may name without a trunk: those of the operator, and this machine where nobody else can call. */
export function directHosts(allowed: readonly string[], onLoopback: boolean): (host: string) => boolean {
  const isAddress = addressFilter(allowed.filter(looksNumeric));
  const names = new Set(allowed.map((entry) => entry.toLowerCase()));
  return (host) => {
    const bare = host
      .toLowerCase()
      .replace(/^\[|\]$/g, '')
      .replace(/\.$/, '');
    return (onLoopback && isLoopback(bare)) || names.has(bare) || isAddress(bare);
  };
}

/** A trunk that may take a number, and what it is sent. */
export interface TrunkCandidate {
  readonly trunk: Trunk;
  readonly number: string; // as the trunk's rules write it
}
export interface TrunkChoice {
  readonly candidates: readonly TrunkCandidate[]; // in order
  readonly refused: readonly { readonly trunk: Trunk; readonly why: string }[];
}

/** Why none of them took it, one after the other; empty where there is none. */
export const refusalsText = (refused: TrunkChoice['refused']): string =>
  refused.map(({ trunk, why }) => sentence('route.trunk-why', { trunk: trunk.definition.name, why })).join('; ');

/**
 * By which of an account's trunks a number may be called. What was checked is what is dialled: the rules for calls out are
 * applied to the very number that the prefixes allowed.
 */
export function trunksForNumber(number: string, trunks: readonly Trunk[], wanted: string | undefined): TrunkChoice {
  const candidates: TrunkCandidate[] = [];
  const refused: { trunk: Trunk; why: string }[] = [];
  for (const trunk of trunks) {
    const { name, numbersIn, numbersOut, allowedPrefixes } = trunk.definition;
    if (wanted !== undefined && wanted !== trunk.id && wanted !== name) continue;
    const canonical = canonicalNumber(number, numbersIn);
    const why = isOn(trunk) ? numberProblem(canonical, allowedPrefixes) : sentence('route.off');
    if (why === undefined) candidates.push({ trunk, number: rewriteNumber(numbersOut, canonical) });
    else refused.push({ trunk, why });
  }
  return { candidates, refused };
}
