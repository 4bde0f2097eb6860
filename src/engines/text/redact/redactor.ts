import type { Finding, Redacted, Redactor } from '../contract.ts';
import { findAmounts } from './amounts.ts';
import { findIbans, findLabelledCodes, findShortAddresses } from './codes.ts';
import { findBirthDates, findEmails, findNetworkAddresses, findPositions, findSpokenEmails } from './contact.ts';
import { findCredentials } from './credentials.ts';
import { type Kind, ruleOf, verdictOf, whyOf } from './kinds.ts';
import { findNames, findPassengerNames } from './names.ts';
import { findNumbers } from './numbers.ts';
import { findPlaces } from './places.ts';
import { findPlates } from './plates.ts';
import { type Found, Reading } from './reading.ts';
import { findSpeakers } from './speakers.ts';
import { findCells } from './tables.ts';
import { findTerms } from './terms.ts';

/** Longest text that is looked at, in characters (code points); what is beyond is cut off, so it cannot leave either. */
export const REDACT_CHARS_MAX = 6_000;
const MASK_KEEPS = 4;
/** A mask of a number this short would give most of it away. */
const MASKED_CHARS_MIN = 8;

/** Every recogniser; each reads the text once and proposes findings. */
const RECOGNISERS: readonly ((reading: Reading) => readonly Found[])[] = [
  findNumbers,
  findIbans,
  findLabelledCodes,
  findShortAddresses,
  findPlates,
  findEmails,
  findSpokenEmails,
  findNetworkAddresses,
  findPositions,
  findCredentials,
  findBirthDates,
  findAmounts,
  findPlaces,
  findNames,
  findPassengerNames,
  findSpeakers,
  findCells,
  findTerms,
];

export interface RedactorOptions {
  /** Longer texts are cut, never inside a surrogate pair. Default 6,000. */
  readonly charsMax?: number;
  /** Whether cards, IBANs and phones keep their last four characters (`****1234`). Default true. */
  readonly masks?: boolean;
}

/** A redactor by rules: check digits, shapes, words in context, lists of names. Pure; linear in the length of the text. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const charsMax = options.charsMax ?? REDACT_CHARS_MAX;
  const masks = options.masks ?? true;
  return { redact: (text) => redact(cutText(text, charsMax), masks) };
}

function redact(text: string, masks: boolean): Redacted {
  const scan = findSensitive(text);
  if (scan.found.length === 0) return { redacted: text, findings: [], verdict: 'allow' };
  const pieces: string[] = [];
  const findings: (Finding & { readonly kind: Kind })[] = [];
  const listed = new Set<string>();
  let at = 0;
  for (const found of scan.found) {
    const value = text.slice(found.start, found.end);
    const action = actionOf(found, value, masks);
    pieces.push(text.slice(at, found.start), replacement(found, value, action));
    at = found.end;
    const key = `${found.kind}\u0000${value}`;
    if (listed.has(key)) continue;
    listed.add(key);
    findings.push({ kind: found.kind, value, action, why: whyOf(found.kind, scan.reading.language) });
  }
  pieces.push(text.slice(at));
  return { redacted: pieces.join(''), findings, verdict: verdictOf(findings) };
}

/** Findings of a text by position, without overlaps. */
export function findSensitive(text: string): { readonly reading: Reading; readonly found: readonly Found[] } {
  const reading = new Reading(text);
  return { reading, found: resolveOverlaps(RECOGNISERS.flatMap((recognise) => recognise(reading))) };
}

/** The longest wins, then the surest; what its check digits prove is not swallowed by a longer guess. */
export function resolveOverlaps(proposed: readonly Found[]): readonly Found[] {
  if (proposed.length < 2) return proposed;
  const ranked = [...proposed].sort(
    (left, right) => proof(right) - proof(left) || length(right) - length(left) || right.score - left.score,
  );
  const taken = new Uint8Array(ranked.reduce((last, found) => Math.max(last, found.end), 0));
  const kept = ranked.filter((found) => {
    if (taken.subarray(found.start, found.end).includes(1)) return false;
    taken.fill(1, found.start, found.end);
    return true;
  });
  return kept.sort((left, right) => left.start - right.start);
}

function proof(found: Found): number {
  return found.score >= 1 ? 1 : 0;
}

function length(found: Found): number {
  return found.end - found.start;
}

function actionOf(found: Found, value: string, masks: boolean): Finding['action'] {
  if (found.flagged === true) return 'flag';
  const maskable = ruleOf(found.kind).action === 'mask' && (found.plain ?? value).length >= MASKED_CHARS_MIN;
  return masks && maskable ? 'mask' : 'redact';
}

function replacement(found: Found, value: string, action: Finding['action']): string {
  if (action === 'flag') return value;
  return action === 'mask' ? `****${(found.plain ?? value).slice(-MASK_KEEPS)}` : `[${found.kind}]`;
}

/** The first `charsMax` code points. */
export function cutText(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  let units = 0;
  for (let chars = 0; chars < charsMax && units < text.length; chars += 1) {
    units += text.codePointAt(units)! > 0xffff ? 2 : 1;
  }
  return text.slice(0, units);
}
