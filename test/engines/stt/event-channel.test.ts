import { describe, expect, it } from 'vitest';
import type { SttEvent } from '../../../src/engines/stt/contract.ts';
import { EventChannel } from '../../../src/engines/stt/event-channel.ts';

const interim = (text: string): SttEvent => ({ type: 'interim', text });
const final = (text: string): SttEvent => ({ type: 'final', text, confidence: 1, startMs: 0, endMs: 1 });
async function texts(channel: EventChannel): Promise<string[]> {
  const said: string[] = [];
  for await (const event of channel) said.push(event.text);
  return said;
}

describe('EventChannel', () => {
  it('gives what was pushed before it finished', async () => {
    const channel = new EventChannel();
    channel.push(final('a'));
    channel.push(final('b'));
    channel.finish();
    channel.push(final('late'));
    expect(await texts(channel)).toEqual(['a', 'b']);
  });
  it('gives events to a reader that waits', async () => {
    const channel = new EventChannel();
    const reading = texts(channel);
    channel.push(interim('a'));
    await Promise.resolve();
    channel.push(final('b'));
    channel.finish();
    expect(await reading).toEqual(['a', 'b']);
  });
  it('keeps only the newest interim that nobody read, and every final', async () => {
    const channel = new EventChannel();
    for (const n of ['1', '2', '3']) channel.push(interim(n));
    channel.push(final('x'));
    channel.push(interim('4'));
    channel.finish();
    expect(await texts(channel)).toEqual(['x', '4']);
  });
  it('throws after what came before the failure, once', async () => {
    const channel = new EventChannel();
    channel.push(final('a'));
    channel.fail(new Error('broken'));
    const reader = channel[Symbol.asyncIterator]();
    expect((await reader.next()).value).toMatchObject({ text: 'a' });
    await expect(reader.next()).rejects.toThrow('broken');
    expect((await reader.next()).done).toBe(true);
  });
  it('gives nothing after abort', async () => {
    const channel = new EventChannel();
    channel.push(final('a'));
    channel.abort();
    expect(await texts(channel)).toEqual([]);
  });
  it('keeps every final when nobody reads, and only one interim', async () => {
    const channel = new EventChannel();
    for (let i = 0; i < 256; i += 1) {
      for (const n of [1, 2, 3]) expect(channel.push(interim(`${i}.${n}`))).toBe(true);
      expect(channel.push(final(String(i)))).toBe(true);
    }
    channel.push(interim('last'));
    channel.finish();
    expect(channel.skippedInterims).toBe(256 * 3);
    expect(await texts(channel)).toEqual([...Array.from({ length: 256 }, (_, i) => String(i)), 'last']);
  });
  it('fails rather than lose a final: what came before is still read', async () => {
    const channel = new EventChannel();
    for (let i = 0; i < 256; i += 1) channel.push(final(String(i)));
    expect(channel.push(final('one too many'))).toBe(false);
    expect(channel.done).toBe(true);
    expect(channel.push(final('later'))).toBe(false);
    const reader = channel[Symbol.asyncIterator]();
    for (let i = 0; i < 256; i += 1) expect((await reader.next()).value).toMatchObject({ text: String(i) });
    await expect(reader.next()).rejects.toMatchObject({ code: 'unavailable' });
    expect((await reader.next()).done).toBe(true);
  });
  it('takes as many finals again as were read', async () => {
    const channel = new EventChannel();
    const reader = channel[Symbol.asyncIterator]();
    for (let i = 0; i < 1000; i += 1) {
      expect(channel.push(final(String(i)))).toBe(true);
      if (i >= 255) expect((await reader.next()).value).toMatchObject({ text: String(i - 255) });
    }
  });
});
