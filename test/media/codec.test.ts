import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { levelDbfs } from '../../src/audio/level.ts';
import { CODECS } from '../../src/media/codec/codecs.ts';
import { rateConverter } from '../../src/media/codec/rate-converter.ts';
import { amplitudeAt, tone } from '../support/tones.ts';

const FRAME_MS = 20;

describe.each(Object.values(CODECS))('the codec $name', (codec) => {
  const frameSamples = (FRAME_MS * codec.sampleRateHz) / 1000;
  const frameTicks = (FRAME_MS * codec.clockRateHz) / 1000;
  /** One second of a tone through encoder and decoder, packet by packet. */
  function through(hz: number): { packets: Uint8Array[]; heard: Int16Array } {
    const [encoder, decoder] = [codec.encoder(), codec.decoder()];
    const whole = tone(hz, codec.sampleRateHz, { rateHz: codec.sampleRateHz });
    const heard = new Int16Array(whole.length);
    const packets: Uint8Array[] = [];
    for (let at = 0; at < whole.length; at += frameSamples) {
      const bytes = new Uint8Array(frameTicks * 2 + 5);
      const length = encoder.encode(whole.subarray(at, at + frameSamples), bytes, 5);
      const packet = bytes.slice(5, 5 + length);
      packets.push(packet);
      expect(decoder.decode(packet, length, heard, at)).toBe(frameSamples);
    }
    return { packets, heard };
  }

  it('is what it says: rates, length of a packet', () => {
    expect(codec.sampleRateHz % codec.clockRateHz).toBe(0);
    const { packets } = through(440);
    for (const packet of packets) expect(codec.ticksOf(packet.length)).toBe(frameTicks);
    expect(codec.decoder().codec).toBe(codec);
  });

  it.each([300, 1_000, 3_000])('carries a tone of %i Hz', (hz) => {
    const { heard } = through(hz);
    expect(amplitudeAt(heard.subarray(frameSamples * 10), hz, codec.sampleRateHz)).toBeCloseTo(0.25, 1);
  });

  it('has a silence that is silent, and as long as the audio', () => {
    const [encoder, decoder] = [codec.encoder(), codec.decoder()];
    const bytes = new Uint8Array(frameTicks * 2);
    const heard = new Int16Array(frameSamples);
    for (let packet = 0; packet < 10; packet += 1) {
      const length = encoder.silence(frameSamples, bytes, 0);
      expect(codec.ticksOf(length)).toBe(frameTicks);
      decoder.decode(bytes, length, heard, 0);
    }
    expect(levelDbfs(heard)).toBeLessThan(-60);
  });

  it('gives every call coders of its own', () => {
    const whole = through(440).packets;
    const [one, two] = [codec.decoder(), codec.decoder()];
    const [first, second] = [new Int16Array(frameSamples), new Int16Array(frameSamples)];
    for (const packet of whole.slice(0, 5)) one.decode(packet, packet.length, first, 0);
    one.reset();
    one.decode(whole[0] as Uint8Array, frameTicks, first, 0);
    two.decode(whole[0] as Uint8Array, frameTicks, second, 0);
    expect(first).toEqual(second);
  });
});

it('payload types and clocks are those of RFC 3551', () => {
  const facts = Object.values(CODECS).map(({ name, payloadType, sampleRateHz, clockRateHz }) => [
    ...[name, payloadType, sampleRateHz, clockRateHz],
  ]);
  expect(facts).toEqual([
    ['PCMU', 0, 8_000, 8_000],
    ['PCMA', 8, 8_000, 8_000],
    ['G722', 9, 16_000, 8_000],
  ]);
});

describe('rateConverter', () => {
  it.each([
    [8_000, 16_000],
    [16_000, 8_000],
  ])('keeps a tone from %i to %i samples a second', (fromHz, toHz) => {
    const converter = rateConverter(fromHz, toHz);
    const whole = tone(1_000, fromHz, { rateHz: fromHz });
    const heard = new Int16Array(toHz);
    for (let frame = 0; frame < 50; frame += 1) {
      const [from, to] = [fromHz / 50, toHz / 50];
      converter?.convert(
        whole.subarray(frame * from, (frame + 1) * from),
        heard.subarray(frame * to, (frame + 1) * to),
      );
    }
    expect(amplitudeAt(heard.subarray(toHz / 10), 1_000, toHz)).toBeCloseTo(0.25, 2);
  });
  it('is nothing where there is nothing to do, and refuses what it cannot', () => {
    expect(rateConverter(8_000, 8_000)).toBeUndefined();
    expect(() => rateConverter(8_000, 48_000)).toThrow(RangeError);
  });
});

describe('the rate of a call', () => {
  const folder = fileURLToPath(new URL('../../src/media', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

  it('is written in the codecs, and nowhere else in media', () => {
    expect(files.length).toBeGreaterThan(30);
    const written = files
      .filter((file) => !file.startsWith('codec/'))
      .flatMap((file) =>
        readFileSync(join(folder, file), 'utf8')
          .split('\n')
          .map((line) => `${file}: ${line.trim()}`),
      )
      .filter((line) => !/: (\/?\*|\/\/)/.test(line))
      .map((line) => line.replace(/\/\/.*|\/\*\*.*\*\//g, ''))
      .filter((line) => /\b(8_?000|16_?000|160|320)\b|[*/] 8\b/.test(line) && !/_MS = \d+;/.test(line));
    expect(written).toEqual([]);
  });
});
