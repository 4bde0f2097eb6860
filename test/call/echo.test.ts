import { describe, expect, it } from 'vitest';
import { createEnergyVad } from '../../src/engines/vad/energy.ts';
import { DEFAULT_VAD_OPTIONS } from '../../src/engines/vad/vad-engines.ts';
import { rig } from '../support/conversation-rig.ts';
import { EchoingPort, reading } from '../support/echoing-port.ts';
import { readClip } from '../support/speech-clips.ts';

/** A call of which the telephone brings back what the agent reads in place of its greeting. */
function echoed(echo: { delayMs: number; lossDb: number }) {
  let port: EchoingPort | undefined;
  const r = rig({
    vad: createEnergyVad().open({ ...DEFAULT_VAD_OPTIONS, startMs: 200, hangoverMs: 200 }),
    port: (clock) => {
      port = new EchoingPort(clock, echo);
      return port;
    },
    async *synthesize() {
      for (const clip of reading()) yield clip;
    },
  });
  r.conversation.greet();
  return { r, port: port! };
}
const READING_MS = reading().reduce((sum, { length }) => sum + length, 0) / 8;
const bargeIns = async (r: ReturnType<typeof rig>): Promise<number> =>
  (await r.metrics.bargeIns.get()).values[0]?.value ?? 0;

describe('the agent’s own voice, coming back', () => {
  it.each([
    { delayMs: 40, lossDb: 10 },
    { delayMs: 160, lossDb: 20 },
    { delayMs: 400, lossDb: 15 },
  ])('interrupts nobody and is no turn: $lossDb dB after $delayMs ms', async (echo) => {
    const { r } = echoed(echo);
    await r.run(READING_MS + 1000);
    expect(await bargeIns(r)).toBe(0);
    expect(r.said()).toEqual(['agent: Hello there, how can I help?']);
    expect(r.requests).toEqual([]);
    expect(r.conversation.state).toBe('listening');
  });

  it('does not hide a caller who talks over it', async () => {
    const { r, port } = echoed({ delayMs: 160, lossDb: 20 });
    const speech = readClip('read/lv_0890.wav');
    port.caller = new Int16Array(8000 * 12);
    port.caller.set(speech, 8000 * 4);
    await r.run(4000);
    expect(await bargeIns(r)).toBe(0);
    await r.run(700); // 200 ms of the clip are silence
    r.stt().emit({ type: 'interim', text: 'parcel' });
    await r.run(400);
    expect(await bargeIns(r)).toBe(1);
    expect(r.port.writtenSamples).toBe(r.port.playedSamples);
  });

  it('does not count as somebody who is there', async () => {
    const { r } = echoed({ delayMs: 400, lossDb: 10 });
    await r.run(READING_MS + 7500);
    expect(r.requests).toEqual([]);
    await r.run(1000);
    expect(r.requests.map(({ input }) => input)).toEqual(['silence']);
  });
});
