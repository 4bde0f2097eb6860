/** What the text benches share: labelled cases, shares in percent, CPU time, hostile text, and the score of a redactor. */
import { readFileSync } from 'node:fs';

/** The cases of a JSONL file. */
export function readCases(file) {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
}

export function percent(part, whole) {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}

/** CPU milliseconds of `run`, user and system. */
export function cpuMs(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** `unit` over and over, cut at `chars`. */
export function fill(unit, chars) {
  return unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars);
}

/** `unit` over and over, at most `bytes` of UTF-8. */
export function fillBytes(unit, bytes) {
  return unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
}

const latin = (text) =>
  text.replace(/[٠-٩]/g, (d) => d.charCodeAt(0) - 0x660).replace(/[۰-۹]/g, (d) => d.charCodeAt(0) - 0x6f0);
const digitsOf = (text) => latin(text).replace(/[^0-9]/g, '');
const wordsOf = (text) =>
  new Set(
    latin(text)
      .toLowerCase()
      .split(/[^\p{L}\p{N}@.]+/u)
      .filter(Boolean),
  );
const isNumber = (span) => span.match === 'exact' && digitsOf(span.text).length >= 3;

function hits(span, value) {
  if (isNumber(span)) return digitsOf(value).includes(digitsOf(span.text));
  const wanted = [...wordsOf(span.text)];
  const got = wordsOf(value);
  return wanted.filter((word) => got.has(word)).length / Math.max(1, wanted.length) >= 0.5;
}

function isLeft(span, redacted) {
  if (isNumber(span)) return digitsOf(redacted.replace(/[\s\-‐–]/g, '')).includes(digitsOf(span.text));
  return redacted.includes(span.text);
}

/**
 * Scores a redactor on labelled texts: spans found (half of the words, all of the digits), found under the right kind, left in
 * the redacted text; must-keep strings lost; texts without anything that stay without finding. `report` gets each mistake.
 */
export function scoreRedaction(cases, redactor, report = () => {}) {
  const kinds = new Map();
  const sums = { texts: cases.length, spans: 0, found: 0, right: 0, left: 0, keep: 0, lost: 0, clean: 0, quiet: 0 };
  for (const { id, text, spans, keep, clean } of cases) {
    const { redacted, findings } = redactor.redact(text);
    for (const span of spans) {
      const near = findings.filter(({ value }) => hits(span, value));
      const right = near.some(({ kind }) => kind === span.kind);
      const row = kinds.get(span.kind) ?? { spans: 0, found: 0, right: 0 };
      kinds.set(span.kind, row);
      for (const of of [row, sums]) {
        of.spans += 1;
        if (near.length > 0) of.found += 1;
        if (right) of.right += 1;
      }
      const left = isLeft(span, redacted);
      if (left) sums.left += 1;
      const got = near.map(({ kind }) => kind).join() || '-';
      if (!right || left) report(`${right ? 'LEFT' : 'MISS'} ${id} ${span.kind} «${span.text}» got ${got} in: ${text}`);
    }
    for (const kept of keep) {
      sums.keep += 1;
      if (latin(redacted).includes(latin(kept))) continue;
      sums.lost += 1;
      report(`LOST ${id} «${kept}» -> ${redacted}`);
    }
    if (!clean) continue;
    sums.clean += 1;
    if (findings.length === 0) sums.quiet += 1;
    else report(`FALSE ${id} ${findings.map(({ kind, value }) => `${kind} «${value}»`).join()} in: ${text}`);
  }
  return { sums, kinds };
}

/** The score as lines to print. */
export function redactionLines({ sums, kinds }) {
  const { texts, spans, found, right, left, keep, lost, clean, quiet } = sums;
  return [
    `${texts} texts, ${spans} spans: found ${percent(found, spans)}, right kind ${percent(right, spans)}, left in ${percent(left, spans)}`,
    `must keep ${keep}: lost ${percent(lost, keep)} (${lost}); texts without anything ${clean}: no finding ${percent(quiet, clean)}`,
    ...[...kinds].sort().map(([kind, row]) => `  ${kind.padEnd(26)} found ${row.found}/${row.spans} kind ${row.right}`),
  ];
}
