import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { DEBIAN_LANGUAGE_MODEL, sphinxInstalled } from '../../../src/engines/stt/model-folder.ts';
import { createPocketsphinxStt } from '../../../src/engines/stt/pocketsphinx.ts';
import { createVadEngine } from '../../../src/engines/vad/vad-engines.ts';
import { LONG } from '../../support/property-runs.ts';
import { type Frame, pcmBytes, type SocketClient, socketRig } from '../../support/socket-rig.ts';
import { readClip, silence } from '../../support/speech-clips.ts';

const cacheDir = mkdtempSync(join(tmpdir(), 'nidaa-interims-'));
afterAll(() => rmSync(cacheDir, { recursive: true, force: true }));

const PIECE_MS = 60;
const PIECE_SAMPLES = PIECE_MS * 8;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** As a microphone sends it, in time; a busy machine sends later. */
async function speak(client: SocketClient, samples: Int16Array): Promise<void> {
  for (let at = 0; at < samples.length; at += PIECE_SAMPLES) {
    client.ws.send(pcmBytes(samples.slice(at, at + PIECE_SAMPLES)));
    await pause(PIECE_MS);
  }
}
/** The first frame that `wanted` says yes to; the test's own time limit is the only one. */
function heard(client: SocketClient, wanted: (frame: Frame) => boolean): Promise<Frame> {
  return new Promise((resolve) => {
    const look = (): void => {
      const found = client.frames.find(wanted);
      if (!found) return;
      client.ws.off('message', look);
      resolve(found);
    };
    client.ws.on('message', look);
    look();
  });
}
const isTranscript = (frame: Frame): boolean => frame.type === 'transcript';
const isFinal = (frame: Frame): boolean => isTranscript(frame) && frame['final'] === true;

describe.skipIf(!sphinxInstalled() || !existsSync(DEBIAN_LANGUAGE_MODEL))('speech over the socket', () => {
  it.each([...(LONG ? [{ sockets: 1 }] : []), { sockets: 2 }])(
    'is written while it is spoken, on $sockets at once',
    async ({ sockets }) => {
      const stt = createPocketsphinxStt({ cacheDir, threads: 1 });
      const vad = await createVadEngine('energy');
      const rig = await socketRig({ stt, vad, clock: systemClock });
      const session = async (): Promise<Frame[]> => {
        const client = await rig.open({ language: 'en-US', sample_rate: 8000 });
        await speak(client, silence(500));
        await speak(client, readClip('phrases/slt_08.wav'));
        await heard(client, isTranscript); // nothing has ended the stretch yet, so this one is interim
        await speak(client, silence(1500));
        await heard(client, isFinal);
        client.send({ type: 'stop' });
        await client.end();
        return client.frames;
      };
      try {
        for (const frames of await Promise.all(Array.from({ length: sockets }, session))) {
          const said = frames.filter(isTranscript);
          const first = said.findIndex(isFinal);
          expect(first).toBeGreaterThan(0);
          expect(said.slice(0, first).every((frame) => frame['final'] === false && frame['text'] !== '')).toBe(true);
          expect(said[first]).toMatchObject({ text: 'check my account balance', final: true });
          expect(frames.at(-1)).toMatchObject({ type: 'done' });
        }
      } finally {
        await rig.close();
        await stt.close();
      }
    },
  );
});
