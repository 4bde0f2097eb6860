import type { Finding, Redacted, Redactor } from '../contract.ts';
import { findAmounts } from './amounts.ts';
import { findIbans, findLabelledCodes, findShortAddresses } from './codes.ts';
import { findBirthDates, findEmails, findNetworkAddresses, findPositions, findSpokenEmails } from './contact.ts';
import { findCredentials } from './credentials.ts';
import { findDictated } from './dictated.ts';
import { type Kind, ruleOf, verdictOf, whyOf } from './kinds.ts';
import { findMoneyFrames } from './money-frames.ts';
import { findNames, findPassengerNames } from './names.ts';
import { findNumbers } from './numbers.ts';
import { findOwnNames, isOwnNoName } from './own-names.ts';
import { findFramedNames } from './person-frames.ts';
import { findPlaces } from './places.ts';
import { findPlates } from './plates.ts';
import { type Found, Reading } from './reading.ts';
import { findSpeakers } from './speakers.ts';
import { findStatements } from './statements.ts';
import { findCells } from './tables.ts';
import { findTerms } from './terms.ts';
import { findWhereabouts } from './whereabouts.ts';

/** Longest text that is looked at, in characters (code points); what is beyond is cut off, so it cannot leave either. */
export const REDACT_CHARS_MAX = 6_000;
const MASK_KEEPS = 4;
/** A mask of a number this short would give most of it away. */
const MASKED_CHARS_MIN = 8;

/** Every recogniser; each reads the text once and proposes findings. */
const RECOGNISERS: readonly ((reading: Reading) => readonly Found[])[] = [
  findNumbers,
  findDictated,
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
  findMoneyFrames,
  findPlaces,
  findWhereabouts,
  findOwnNames,
  findNames,
  findFramedNames,
  findPassengerNames,
  findSpeakers,
  findCells,
  findTerms,
  findStatements,
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
  const replace: Replace = (found, value) => replacement(found, value, actionOf(found, value, masks));
  const { reading, found } = findSensitive(text, replace);
  if (found.length === 0) return { redacted: text, findings: [], verdict: 'allow' };
  const findings: (Finding & { readonly kind: Kind })[] = [];
  const listed = new Set<string>();
  for (const one of found) {
    const value = text.slice(one.start, one.end);
    const key = `${one.kind}\u0000${value}`;
    if (listed.has(key)) continue;
    listed.add(key);
    findings.push({
      kind: one.kind,
      value,
      action: actionOf(one, value, masks),
      why: whyOf(one.kind, reading.language),
    });
  }
  return { redacted: withReplacements(text, found, replace), findings, verdict: verdictOf(findings) };
}

/** What stands in the redacted text for a stretch. */
type Replace = (found: Found, value: string) => string;

/** What the first look hides from sight is found by a second at its result; more looks than this find nothing. */
const LOOKS_MAX = 4;

/**
 * Findings of a text by position, without overlaps. What is left is looked at again until nothing more is found, so that
 * redacting the result changes nothing.
 */
export function findSensitive(
  text: string,
  replace: Replace = ({ kind, flagged }, value) => (flagged === true ? value : `[${kind}]`),
): { readonly reading: Reading; readonly found: readonly Found[] } {
  const reading = new Reading(text);
  let found = lookAt(reading);
  for (let look = 1; look < LOOKS_MAX && found.some(({ flagged }) => flagged !== true); look += 1) {
    const more = lookAt(new Reading(withReplacements(text, found, replace))).filter(({ flagged }) => flagged !== true);
    if (more.length === 0) break;
    found = joined(found, inSource(more, text, found, replace));
  }
  return { reading, found };
}

function lookAt(reading: Reading): readonly Found[] {
  const proposed = RECOGNISERS.flatMap((recognise) => recognise(reading)).filter((one) => !isOwnNoName(one, reading));
  const free = reading.hasTakenOut ? proposed.flatMap((found) => reading.withoutTakenOut(found)) : proposed;
  return resolveOverlaps(free);
}

function withReplacements(text: string, found: readonly Found[], replace: Replace): string {
  const pieces: string[] = [];
  let at = 0;
  for (const one of found) {
    pieces.push(text.slice(at, one.start), replace(one, text.slice(one.start, one.end)));
    at = one.end;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}

/** Findings in the redacted text, which lie between its placeholders, at their places in the text. */
function inSource(more: readonly Found[], text: string, found: readonly Found[], replace: Replace): Found[] {
  let next = 0;
  let shift = 0; // what a place in the redacted text is ahead of the text
  return more.map((one) => {
    for (; next < found.length; next += 1) {
      const { start, end } = found[next]!;
      if (start + shift >= one.start) break;
      shift += replace(found[next]!, text.slice(start, end)).length - (end - start);
    }
    return { ...one, start: one.start - shift, end: one.end - shift };
  });
}

/** Both by position; what a later look redacts is no longer only flagged. */
function joined(found: readonly Found[], more: readonly Found[]): readonly Found[] {
  const kept = found.filter(
    (one) => one.flagged !== true || !more.some(({ start, end }) => start < one.end && one.start < end),
  );
  return [...kept, ...more].sort((left, right) => left.start - right.start);
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
