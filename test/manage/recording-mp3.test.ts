import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { MPEGDecoder } from 'mpg123-decoder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SpeechEncoders } from '../../src/audio/codecs/speech-encoders.ts';
import { encodeAlaw, encodeMulaw } from '../../src/audio/g711.ts';
import { wavFile, wavHeader } from '../../src/audio/wav.ts';
import { recordingAsMp3 } from '../../src/manage/recording-mp3.ts';
import type { ByteSource } from '../../src/recordings/byte-source.ts';
import { type ManageRig, manageRig } from '../support/manage-rig.ts';
import { callOf, DEFINITION, endCall } from '../support/manage-things.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { amplitudeAt, tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

const [CALLER_HZ, AGENT_HZ, RATE_HZ] = [440, 1000, 8000];
const encoders = new SpeechEncoders({ streamsMax: 2 });
let rig: ManageRig;
let agentId: string;
beforeAll(async () => {
  rig = await manageRig(() => ({ mp3: encoders }));
  agentId = (await rig.store.agents.create(rig.accountId, DEFINITION, 'live')).id;
  mkdirSync(join(rig.dataFolder, 'recordings'), { recursive: true });
});
afterAll(async () => {
  await rig.close();
  await encoders.close();
});

/** The caller for the first half, the agent for the second. */
function talk(seconds: number): Int16Array {
  const half = (seconds * RATE_HZ) / 2;
  const stereo = new Int16Array(4 * half);
  for (const [at, sample] of tone(CALLER_HZ, half).entries()) stereo[2 * at] = sample;
  for (const [at, sample] of tone(AGENT_HZ, half).entries()) stereo[2 * (half + at) + 1] = sample;
  return stereo;
}
const bytesOf = (samples: Int16Array): Buffer => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);

async function recorded(file: Buffer): Promise<string> {
  const { call } = await callOf(rig.store, rig.accountId, agentId);
  const name = `recordings/${call}.wav`;
  writeFileSync(join(rig.dataFolder, name), file);
  await endCall(rig.store, call, name);
  return call;
}
const ask = (call: string, query = '?format=mp3', headers: Record<string, string> = {}, signal?: AbortSignal) =>
  fetch(`${rig.url}/manage/v1/calls/${call}/recording${query}`, {
    headers: { authorization: `Bearer ${rig.key}`, ...headers },
    ...(signal && { signal }),
  });

async function decoded(answer: Response) {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  const { channelData, sampleRate } = decoder.decode(Buffer.from(await answer.arrayBuffer()));
  decoder.free();
  return { channels: channelData.map((side) => Int16Array.from(side, (sample) => sample * 32_767)), sampleRate };
}
/** What is heard of a side in a second in the middle of each half. */
const heard = (side: Int16Array, hz: number): number[] =>
  [0.25, 0.75].map((at) => amplitudeAt(side.subarray(at * side.length - 4_000, at * side.length + 4_000), hz));

describe('a recording as MP3', () => {
  const file = wavFile({ channels: 2, sampleRateHz: RATE_HZ }, talk(8));

  it('has both sides apart, whole, in a third of the room', async () => {
    const call = await recorded(file);
    const answer = await ask(call, '?format=mp3', { range: 'bytes=0-99' });
    const told = ['content-type', 'accept-ranges', 'content-length', 'vary'].map((name) => answer.headers.get(name));
    expect([answer.status, ...told]).toEqual([200, 'audio/mpeg', 'none', null, expect.stringContaining('Accept')]);
    const size = Number((await ask(call, '', { range: 'bytes=0-0' })).headers.get('content-range')?.split('/')[1]);
    const { channels, sampleRate } = await decoded(answer.clone() as Response);
    expect((await answer.arrayBuffer()).byteLength).toBeLessThan(0.4 * size);
    expect([sampleRate, channels.length]).toEqual([RATE_HZ, 2]);
    const [left, right] = channels as [Int16Array, Int16Array];
    expect(left.length / RATE_HZ).toBeGreaterThan(7.9);
    expect(left.length / RATE_HZ).toBeLessThan(8.5); // the frames at both ends
    const [spoken, quiet] = [expect.closeTo(0.25, 1), expect.closeTo(0, 1)];
    expect([heard(left, CALLER_HZ), heard(right, AGENT_HZ)]).toEqual([
      [spoken, quiet],
      [quiet, spoken],
    ]);
    expect([heard(left, AGENT_HZ), heard(right, CALLER_HZ)]).toEqual([
      [quiet, quiet],
      [quiet, quiet],
    ]);
  });

  it('is what `Accept` asks for, too, and nothing that may be anything', async () => {
    const call = await recorded(file);
    const typeFor = async (accept: string, query = ''): Promise<string | null> => {
      const answer = await ask(call, query, { accept });
      await answer.arrayBuffer();
      return answer.headers.get('content-type');
    };
    expect(await typeFor('audio/mpeg')).toBe('audio/mpeg');
    expect(await typeFor('*/*')).toBe('audio/wav');
    expect(await typeFor('audio/webm,audio/ogg,audio/wav,audio/*;q=0.9')).toBe('audio/wav');
    expect(await typeFor('audio/mpeg', '?format=wav')).toBe('audio/wav');
  });

  it('is whole where the gateway was killed while it was written', async () => {
    const call = await recorded(Buffer.concat([wavHeader({ channels: 2, sampleRateHz: RATE_HZ }), bytesOf(talk(4))]));
    const { channels } = await decoded(await ask(call));
    expect(channels[0]!.length / RATE_HZ).toBeGreaterThan(3.9);
  });

  it.each(['mulaw', 'alaw'] as const)('is made of %s, too', async (encoding) => {
    const encode = encoding === 'mulaw' ? encodeMulaw : encodeAlaw;
    const body = encode(talk(4));
    const head = wavHeader({ channels: 2, sampleRateHz: RATE_HZ, encoding }, body.length);
    const { channels } = await decoded(await ask(await recorded(Buffer.concat([head, body]))));
    const [spoken, quiet] = [expect.closeTo(0.25, 1), expect.closeTo(0, 1)];
    expect(heard(channels[0]!, CALLER_HZ)).toEqual([spoken, quiet]);
    expect(heard(channels[1]!, AGENT_HZ)).toEqual([quiet, spoken]);
  });

  it.each([
    ['is no sound at all', Buffer.from('not a recording')],
    ['has one side', wavFile({ channels: 1, sampleRateHz: RATE_HZ }, tone(440, 800))],
    ['has samples of another kind', wavHeader({ channels: 2, sampleRateHz: RATE_HZ }, 100).fill(0x55, 20, 22)],
  ])('is none where the file %s', async (_name, other) => {
    expect((await ask(await recorded(other))).status).toBe(404);
    expect(encoders.openStreams).toBe(0);
  });

  it.runIf(EVERY_TEST)('is made for a few at once, and a client that leaves or does not read makes room', async () => {
    const call = await recorded(
      Buffer.concat([wavHeader({ channels: 2, sampleRateHz: RATE_HZ }), Buffer.alloc(3_600 * RATE_HZ * 4)]), // an hour
    );
    const leaving = [new AbortController(), new AbortController()];
    const open = await Promise.all(leaving.map(({ signal }) => ask(call, '?format=mp3', {}, signal)));
    expect(open.map(({ status }) => status)).toEqual([200, 200]);
    const third = await ask(call);
    expect([third.status, ((await third.json()) as { error: { code: string } }).error.code]).toEqual([
      503,
      'unavailable',
    ]);
    leaving[0]!.abort();
    await until(() => encoders.openStreams === 1, 'room after one has left');
    rig.clock.advance(900_000); // the other one does not read
    await until(() => encoders.openStreams === 0, 'room after the other one');
    leaving[1]!.abort();
    expect((await ask(call, '', { range: 'bytes=0-9' })).status).toBe(206);
  });
});

it('a recording that comes in pieces of any length has every sample once', async () => {
  const samples = talk(0.1);
  const bytes = wavFile({ channels: 2, sampleRateHz: RATE_HZ }, samples);
  const source: ByteSource = {
    ...{ size: bytes.length, changed: new Date(0) },
    read: ({ start, end }) => {
      const pieces: Buffer[] = [];
      for (let at = start; at <= end; at += 7) pieces.push(bytes.subarray(at, Math.min(end + 1, at + 7)));
      return Readable.from(pieces, { objectMode: false });
    },
  };
  const heardBy = async function* (pcm: AsyncIterable<Int16Array>) {
    for await (const piece of pcm) yield Uint8Array.from(bytesOf(piece));
  };
  const made = await recordingAsMp3(source, { bothSides: heardBy }, new AbortController().signal);
  const back: Uint8Array[] = [];
  for await (const piece of made as AsyncIterable<Uint8Array>) back.push(piece);
  expect(Buffer.concat(back).equals(bytesOf(samples))).toBe(true);
});
