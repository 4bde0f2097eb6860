import { openFloor } from './floor.mjs';
import { openPhones } from './phones.mjs';
import { openCalls } from './side.mjs';

/** One process of the bench: both builds, frame by frame in turns. Prints one line of JSON. */

/** Until the code of both is compiled. */
const WARMUP_FRAMES = 250;
const BLOCK_FRAMES = 10;

const { builds, first, calls, frames, speaking } = JSON.parse(process.argv[2]);
const open = async (build) => {
  const phones = openPhones(calls);
  return build === 'floor' ? openFloor(phones) : openCalls(build, phones, speaking);
};
const sides = [];
for (const index of [first, 1 - first]) sides[index] = await open(builds[index]);

let turn = 0;
function frame() {
  turn += 1;
  for (const index of turn % 2 ? [0, 1] : [1, 0]) sides[index].frame();
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
for (let n = 0; n < WARMUP_FRAMES; n += 1) frame();
const blocks = [];
for (let n = 0; n < frames; n += BLOCK_FRAMES) {
  for (const side of sides) side.usedNs = 0;
  for (let i = 0; i < BLOCK_FRAMES; i += 1) frame();
  blocks.push(sides.map(({ usedNs }) => usedNs / 1000 / calls / BLOCK_FRAMES));
}
for (const { heard } of sides) {
  if (heard() < calls * frames) throw new Error('phones did not hear every packet');
}
const us = [0, 1].map((index) => median(blocks.map((block) => block[index])));
console.log(JSON.stringify({ us, ratio: median(blocks.map(([before, after]) => after / before)) }));
process.exit(0);
