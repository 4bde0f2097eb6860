import type { OwnLateness } from './own-lateness.ts';
import type { VoicePhone } from './voice-phone.ts';

/** What is missing between the first and the last packet that were heard from the `from`th on, in percent. */
export function lossPercent({ audio }: VoicePhone, from: number): number {
  const sequences = audio.heard.slice(from).map(({ sequence }) => sequence);
  const [first = 0] = sequences;
  const span = Math.max(...sequences.map((sequence) => (sequence - first) & 0xffff)) + 1;
  return 100 * (1 - new Set(sequences).size / span);
}

/** Gaps longer than `longerMs` between packets that were heard from the `from`th on, while the listener was on time. */
export function gapsHeard({ audio }: VoicePhone, from: number, longerMs: number, own: OwnLateness): number {
  return audio.arrivedMs.slice(from).filter((atMs, index, all) => {
    const beforeMs = all[index - 1] ?? atMs;
    return atMs - beforeMs > longerMs && !own.within(beforeMs, atMs);
  }).length;
}
