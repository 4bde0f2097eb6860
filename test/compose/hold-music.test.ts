import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wavFile } from '../../src/audio/wav.ts';
import { HoldMusic } from '../../src/compose/hold-music.ts';
import { ownMusic } from '../../src/media/music-loop.ts';
import { LogCapture } from '../support/log-capture.ts';
import { tone } from '../support/tones.ts';

let folder: string;
let log: LogCapture;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nidaa-music-'));
  log = new LogCapture();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, data: Buffer = wavFile({ channels: 1, sampleRateHz: 8_000 }, tone(440, 8_000))): void =>
  writeFileSync(join(folder, name), data);
const load = (byDefault = 'calm', from = folder): HoldMusic => HoldMusic.load(from, byDefault, log.logger);
const bytes = (music: ReturnType<HoldMusic['of']>): number | undefined => music?.samples.byteLength;

describe('the music of a gateway', () => {
  it('needs no folder', () => {
    const music = load('calm', join(folder, 'none'));
    expect([bytes(music.of()), music.of('none')]).toEqual([bytes(ownMusic()), undefined]);
  });

  it('is what agents name, else the default; one memory for all who hear it', () => {
    put('lobby.wav');
    mkdirSync(join(folder, 'readme'));
    const music = load('lobby');
    expect([bytes(music.of()), bytes(music.of('calm'))]).toEqual([16_000, bytes(ownMusic())]);
    expect(music.of('lobby')).toBe(music.of());
    expect(log.lines).toEqual([]);
  });

  it('may be none, unless an agent names one', () => {
    const music = load('none');
    expect([music.of(), bytes(music.of('calm'))]).toEqual([undefined, bytes(ownMusic())]);
  });

  it('that an agent names and nobody has is told once, and the default plays', () => {
    const music = load();
    expect([music.of('../../etc/passwd'), music.of('jazz'), music.of('jazz')]).toEqual(Array(3).fill(music.of()));
    expect(log.lines.map(({ music: name }) => name)).toEqual(['../../etc/passwd', 'jazz']);
  });

  it.each<[string, () => void, string]>([
    ['a default that is not there', () => undefined, 'conversation.holdMusic'],
    ['a file that is none', () => put('lobby.wav', Buffer.from('x')), 'cannot be played to callers: not-wav'],
    ['a name that means something else', () => put('none.wav'), 'no name for music'],
    ['a name that no agent can write', () => put('my song.wav'), 'no name for music'],
  ])('does not start with %s', (_name, make, why) => {
    make();
    expect(() => load(_name.startsWith('a default') ? 'jazz' : 'calm')).toThrow(why);
  });
});
