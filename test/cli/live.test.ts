import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wavFile } from '../../src/audio/wav.ts';
import { transcribeLive } from '../../src/cli/api-actions.ts';
import { ApiClient } from '../../src/client/api-client.ts';
import { MemoryOutput } from '../support/memory-output.ts';
import { loud, quiet, type SocketRig, socketRig } from '../support/socket-rig.ts';

let rig: SocketRig;
let folder: string;
let ticking: NodeJS.Timeout;
beforeEach(async () => {
  rig = await socketRig();
  // The service takes audio at the speed of speech, and its clock does not run by itself.
  ticking = setInterval(() => rig.clock.advance(100), 5);
  folder = mkdtempSync(join(tmpdir(), 'nidaa-live-'));
});
afterEach(async () => {
  clearInterval(ticking);
  await rig.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command over a recording of two stretches of speech. The rig has no HTTP operations: its tokens come from here. */
async function run(out: MemoryOutput, language = 'en-US'): Promise<void> {
  const path = join(folder, 'two.wav');
  const samples = Int16Array.from([...loud(800), ...quiet(1_500), ...loud(800)]);
  writeFileSync(path, wavFile({ channels: 1, sampleRateHz: 8_000 }, samples));
  const { token } = rig.socketTokens.issue({ accountId: 'acc_good', tokenId: 'tok_good' });
  const client = new ApiClient({
    ...{ baseUrl: `http://${rig.address}`, token: 'unused' },
    fetch: async () => Response.json({ token, expires_at: '2026-01-02T03:04:05.678Z' }),
  });
  await transcribeLive({ out, client, options: {} }, { path, language, rate: 16_000, encoding: 'pcm' });
}

describe('transcribe --live', () => {
  it('prints a line for every stretch, and what it cost', async () => {
    const out = new MemoryOutput();
    await run(out);
    expect(out.lines).toEqual(['book a table', 'for two', '3.10 s, cost 3 cents']);
  });

  it('prints one JSON value', async () => {
    const out = new MemoryOutput(true);
    await run(out);
    expect(out.lines).toHaveLength(1);
    expect(JSON.parse(out.text)).toMatchObject({
      transcripts: [{ text: 'book a table', final: true }, { text: 'for two' }],
      ...{ seconds: 3.1, cost_cents: 3 },
    });
  });

  it('shows interims on a terminal, and takes them back', async () => {
    const out = new MemoryOutput(false, true);
    await run(out);
    expect(out.text).toMatch(/\r\u001b\[K\u001b\[2mbook.*\r\u001b\[Kbook a table\n/s);
  });

  it('throws what the service refuses', async () => {
    await expect(run(new MemoryOutput(), 'fr-FR')).rejects.toMatchObject({ code: 'unknown_language' });
  });
});
