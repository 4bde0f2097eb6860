#!/usr/bin/env node
/**
 * Whether a change of what a media thread does is worth it, told on a machine that is not quiet: two builds in one process, with real
 * sockets, frame by frame in turns, so that both meet the same neighbours. Time is virtual; what counts is the processor time of the
 * thread without the phones.
 *
 *   node scripts/bench/media-turns.mjs OLD NEW [--calls 300] [--frames 150] [--rounds 3] [--speaking]
 *
 * OLD and NEW are folders of builds, like `dist`. `floor` in the place of one is a loop that looks, reads and sends, and nothing else: what
 * Node, koffi and the kernel take at least. The calls are recorded, and their agents silent; with `--speaking` the agents speak, and
 * nothing is recorded. A round is two processes, each with another build loaded first: where things come to lie in memory makes a
 * percent or two. The same build twice differs by a percent over three rounds. Needs Linux.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    calls: { type: 'string', default: '300' },
    frames: { type: 'string', default: '150' },
    rounds: { type: 'string', default: '3' },
    speaking: { type: 'boolean', default: false },
  },
});
if (positionals.length !== 2) throw new Error('two builds: node scripts/bench/media-turns.mjs OLD NEW');
const builds = positionals.map((name) => (name === 'floor' ? name : resolve(name)));
const rounds = Number(values.rounds);
const PROCESS = fileURLToPath(new URL('./media-turns/process.mjs', import.meta.url));

/** Both builds in a process of their own. @returns us a packet in and one out, of OLD and NEW. */
function measure(first) {
  const wish = { builds, first, calls: Number(values.calls), frames: Number(values.frames), speaking: values.speaking };
  const { status, stdout } = spawnSync(process.execPath, [PROCESS, JSON.stringify(wish)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`the process ended with ${status}`);
  return JSON.parse(stdout);
}

const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
const ratios = [];
for (let round = 0; round < rounds; round += 1) {
  for (const first of [0, 1]) {
    const { us, ratio } = measure(first);
    ratios.push(ratio);
    console.log(`old ${us[0].toFixed(1)} us  new ${us[1].toFixed(1)} us  ratio ${ratio.toFixed(3)}`);
  }
}
console.log(`ratio ${mean(ratios).toFixed(3)} over ${ratios.length} processes`);
