#!/usr/bin/env node
/**
 * Turn taking: what interrupts the agent and should not, what should and does not, who is cut off, how long answers take.
 *
 *   node scripts/bench/turns.mjs [--only echo,noise,...] [--verbose]
 *
 * Needs `npm run build`, libpocketsphinx3, espeak-ng, flite and sox. Real conversations with the real voice activity detector
 * and, for English, the real recogniser, on a simulated line and clock: no socket, no waiting. Nothing here recognises Arabic
 * without a service: there the words are known to a stand-in, which says each 250 ms after it was spoken. Finals come 60 ms
 * after the flush (what a grammar really takes is printed last). Takes about two minutes.
 */
import { parseArgs } from 'node:util';
import { KnownHearing, RealHearing } from './turns/hearing.mjs';
import { scenes } from './turns/scenes.mjs';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, verbose: { type: 'boolean', default: false } },
});
const only = values.only.split(',').filter(Boolean);
const real = new RealHearing();
const hearings = { en: () => real, ar: (script) => new KnownHearing(script) };
const at = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
const began = performance.now();

for (const group of scenes) {
  if (only.length > 0 && !only.includes(group.kind)) continue;
  const results = [];
  for (const one of group.make()) {
    const result = await group.run(one, hearings);
    results.push(result);
    if (values.verbose && result.note) console.log(`    ${one.name}: ${result.note}`);
  }
  const bad = results.filter((result) => result.bad).length;
  const times = results.flatMap((result) => result.timesMs ?? []).sort((a, b) => a - b);
  const timing =
    times.length === 0 ? '' : `   p50 ${Math.round(at(times, 0.5))}  p95 ${Math.round(at(times, 0.95))} ms`;
  console.log(`${group.name.padEnd(52)} ${String(bad).padStart(3)} of ${String(results.length).padStart(3)}${timing}`);
}
const decodes = real.decodeMs.toSorted((a, b) => a - b);
if (decodes.length > 0)
  console.log(`recogniser, flush to final in this thread: p50 ${Math.round(at(decodes, 0.5))} ms (${decodes.length})`);
console.log(`took ${Math.round((performance.now() - began) / 1000)} s`);
real.close();
process.exit(0);
