import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiClient, type LiveFrame, type LiveTranscription, ServiceError } from '../../src/client/api-client.ts';
import { loud, pcmBytes, type SocketRig, socketRig } from '../support/socket-rig.ts';

let rig: SocketRig;
let client: ApiClient;
beforeEach(async () => {
  rig = await socketRig();
  client = clientOf(() => rig.socketTokens.issue({ accountId: 'acc_good', tokenId: 'tok_good' }).token);
});
afterEach(() => rig.close());

/** A client whose socket tokens come from `issue`: the rig has no HTTP operations. */
function clientOf(issue: () => string): ApiClient {
  const answer: typeof fetch = async () => Response.json({ token: issue(), expires_at: '2026-01-02T03:04:05.678Z' });
  return new ApiClient({ baseUrl: `http://${rig.address}`, token: 'unused', fetch: answer });
}

const SPEECH = new Uint8Array(pcmBytes(loud(1_000, 16_000)));

async function collect(live: LiveTranscription): Promise<LiveFrame[]> {
  const frames: LiveFrame[] = [];
  for await (const frame of live) frames.push(frame);
  return frames;
}

describe('LiveTranscription', () => {
  it('opens with what was asked, transcribes, and ends after done', async () => {
    const live = await client.transcribeLive({ language: 'en-US', sample_rate: 16_000 });
    expect(live.opened).toMatchObject({ language: 'en-US', sample_rate: 16_000, encoding: 'pcm' });
    for (let at = 0; at < SPEECH.length; at += 3_200) await live.write(SPEECH.subarray(at, at + 3_200));
    live.stop();
    const frames = await collect(live);
    expect(frames.at(-1)).toEqual({ type: 'done', seconds: 1, cost_cents: 3 });
    expect(frames.filter((frame) => frame.type === 'transcript' && frame.final)).toEqual([
      expect.objectContaining({ text: 'book a table' }),
    ]);
  });

  it('throws the error of the start frame', async () => {
    const error = await client.transcribeLive({ sample_rate: 4_000 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: 'invalid_sample_rate', status: 0 });
  });

  it('throws when the token is refused', async () => {
    const stranger = clientOf(() => 'service_st_nobody');
    await expect(stranger.transcribeLive()).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('throws the error that ends a session', async () => {
    const live = await client.transcribeLive({ language: 'en-US' });
    await live.write(new Uint8Array(200 * 1024));
    await expect(collect(live)).rejects.toMatchObject({ code: 'frame_too_large' });
    await live.write(SPEECH); // nothing happens any more
    live.stop();
  });

  it('throws when the service goes away', async () => {
    const live = await client.transcribeLive({ language: 'en-US' });
    await rig.close();
    await expect(collect(live)).rejects.toMatchObject({ code: expect.stringMatching(/shutting_down|unreachable/) });
  });

  it('is left by its signal, before and after it is open', async () => {
    const reason = new Error('the user left');
    await expect(client.transcribeLive({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const leaving = new AbortController();
    const live = await client.transcribeLive({ language: 'en-US' }, { signal: leaving.signal });
    leaving.abort(reason);
    await expect(collect(live)).rejects.toBe(reason);
  });

  it('is left by a reader that stops reading', async () => {
    const live = await client.transcribeLive({ language: 'en-US' });
    for await (const _frame of stopping(live)) break;
    expect(await collect(live)).toEqual([]);
  });
});

/** Makes sure that there is a frame to stop at. */
async function* stopping(live: LiveTranscription): AsyncGenerator<LiveFrame> {
  await live.write(SPEECH);
  live.stop();
  yield* live;
}
