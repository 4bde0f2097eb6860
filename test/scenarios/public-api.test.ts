import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ClipDecoder } from '../../src/audio/codecs/clip-decoder.ts';
import { decodeMulaw } from '../../src/audio/g711.ts';
import { readWav } from '../../src/audio/wav.ts';
import { ApiClient, type Speech } from '../../src/client/api-client.ts';
import { balance } from '../support/call-record.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { openParty } from '../support/charge-books.ts';
import type { RunningGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { medianPitchHz } from '../support/pitch.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const ready = hasCommand('espeak-ng');
if (!ready) console.warn('\n!!! THE PUBLIC API IS NOT HEARD: espeak-ng is not installed !!!\n');

const SENTENCE = 'We are always early on Monday morning.';
const POLL = { timeout: 15_000, interval: 250 };
const LONG = Array.from({ length: 40 }, (_, i) => `This is sentence number ${i + 1} of a long story.`).join(' ');

describe.skipIf(!ready)('the public API of a running gateway', () => {
  let gateway: RunningGateway;
  let accountId: string;
  let client: ApiClient;
  const decoder = new ClipDecoder();
  beforeAll(async () => {
    gateway = await sharedGateway(inject('gatewayDesk'));
    const party = { name: 'Listener', keyed: false, clients: 0, cents: 10_000 };
    const opened = await withStore(gateway, (store) => openParty(store, party));
    accountId = opened.accountId;
    client = new ApiClient({ baseUrl: gateway.api, token: opened.token });
  });
  afterAll(async () => {
    await decoder.close();
  });

  const samplesOf = async (speech: Speech, rateHz: number): Promise<Int16Array> => {
    const wav = readWav(Buffer.from(speech.bytes));
    if (typeof wav === 'string') throw new Error(wav);
    expect(wav.sampleRateHz).toBe(rateHz);
    return wav.channels[0]!;
  };
  const pitchOf = async (model: 'sada-1' | 'nabra-1', pitch: number): Promise<number> => {
    const speech = await client.createSpeech({ text: SENTENCE, voice: 'emma', model, pitch, format: 'wav' });
    return medianPitchHz(await samplesOf(speech, 24_000), 24_000);
  };

  it('nabra-1 speaks higher and lower as asked, sada-1 does not', async () => {
    const [low, plain, high] = [await pitchOf('nabra-1', -6), await pitchOf('nabra-1', 0), await pitchOf('nabra-1', 6)];
    expect(plain).toBeGreaterThan(90);
    expect(high / plain).toBeGreaterThan(1.15);
    expect(low / plain).toBeLessThan(0.87);
    expect(await pitchOf('sada-1', 6)).toBeCloseTo(await pitchOf('sada-1', 0), 5);
  });

  it.each([
    { format: 'mp3', sample_rate: 24_000, contentType: 'audio/mpeg', type: 'mp3' },
    { format: 'mp3', sample_rate: 44_100, contentType: 'audio/mpeg', type: 'mp3' },
    { format: 'wav', sample_rate: 8_000, contentType: 'audio/wav', type: 'wav' },
    { format: 'wav', sample_rate: 48_000, contentType: 'audio/wav', type: 'wav' },
    { format: 'opus', sample_rate: 16_000, contentType: 'audio/ogg; codecs=opus', type: 'ogg' },
    { format: 'opus', sample_rate: 48_000, contentType: 'audio/ogg; codecs=opus', type: 'ogg' },
    { format: 'mulaw', sample_rate: 8_000, contentType: 'audio/basic', type: 'mulaw' },
  ] as const)('$format at $sample_rate Hz is a file that is heard', async ({ type, contentType, ...asked }) => {
    const speech = await client.createSpeech({ text: SENTENCE, voice: 'emma', ...asked });
    expect(speech.contentType).toBe(contentType);
    const { signal } = new AbortController();
    const wanted = { sampleRateHz: 8_000, maxSeconds: 60 };
    const heard =
      type === 'mulaw'
        ? decodeMulaw(speech.bytes)
        : (await decoder.decode({ bytes: speech.bytes, type }, wanted, signal)).samples;
    const heardMs = heard.length / 8;
    expect(Math.abs(heardMs - speech.durationMs)).toBeLessThan(120); // mp3 pads its frames
    expect(levelOf(heard)).toBeGreaterThan(0.02);
  });

  it('a repeated sentence comes from the cache, the same to the byte', async () => {
    const order = { text: 'This has been said before.', voice: 'emma', format: 'wav' } as const;
    const first = await client.createSpeech(order);
    expect(isCached(gateway.dataDir, first)).toBe(false);
    await client.createSpeech(order); // what is said once is not kept
    await expect.poll(() => isCached(gateway.dataDir, first), POLL).toBe(true);
    const third = await client.createSpeech(order);
    expect(Buffer.from(third.bytes).equals(Buffer.from(first.bytes))).toBe(true);
    const faster = await client.createSpeech({ ...order, speed: 1.2 });
    expect(isCached(gateway.dataDir, faster)).toBe(false);
  });

  it('streams a long text while it is still being made, and bills it once', async () => {
    const startedAt = performance.now();
    let firstAt = 0;
    let bytes = 0;
    let seconds = 0;
    let costCents = 0;
    for await (const event of client.streamSpeechEvents({ text: LONG, voice: 'emma', format: 'mulaw' })) {
      if (event.type === 'error') throw new Error(event.error.code);
      if (event.type === 'audio') {
        firstAt ||= performance.now();
        bytes += Buffer.from(event.audio, 'base64').length;
      } else {
        seconds = event.seconds;
        costCents = event.cost_cents;
      }
    }
    expect(seconds).toBeGreaterThan(60);
    expect(Math.abs(bytes / 8_000 - seconds)).toBeLessThanOrEqual(0.005); // a byte a sample, seconds are rounded
    expect(costCents).toBe(Math.ceil((LONG.length * 5) / 1000));
    expect(firstAt - startedAt).toBeLessThan((performance.now() - startedAt) / 2);
  });

  it('a client that leaves pays for the text', async () => {
    const text = Array.from({ length: 90 }, (_, i) => `Somebody left before line ${i + 1} was read.`).join(' ');
    const credit = await balance(gateway, accountId);
    for await (const chunk of client.streamSpeech({ text, voice: 'emma', format: 'wav' })) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await expect.poll(() => balance(gateway, accountId), POLL).toBe(credit - Math.ceil((text.length * 5) / 1000));
  });
});

/** Root mean square of the samples, full scale 1. */
function levelOf(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += (sample / 32_768) ** 2;
  return Math.sqrt(sum / samples.length);
}

/** Whether the samples of a WAV are kept on disk. */
function isCached(dataDir: string, { bytes }: Speech): boolean {
  const samples = Buffer.from(bytes).subarray(44);
  const entries = readdirSync(join(dataDir, 'cache', 'speech'), { withFileTypes: true });
  return entries.some((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(samples));
}
