import { describe, expect, it } from 'vitest';
import { allocateQuietWatch, QuietWatch } from '../../src/media/plane/quiet-watch.ts';
import { noise, silence } from '../support/speech-clips.ts';

/** Both ends, as two threads have them. */
function ends(): { main: QuietWatch; media: QuietWatch } {
  const memory = allocateQuietWatch();
  return { main: new QuietWatch(memory), media: new QuietWatch(memory) };
}

describe('what stirs the main thread', () => {
  it.each([
    { name: 'a frame above the band', frame: noise(20, -45), stirs: 1 },
    { name: 'a frame inside it', frame: noise(20, -55), stirs: 0 },
    { name: 'a frame beneath it, of a line that became quieter', frame: noise(20, -70), stirs: 1 },
    { name: 'digital silence, which is no line', frame: silence(20), stirs: 0 },
    { name: 'an offset, which is level too', frame: silence(20).fill(400), stirs: 1 },
    { name: 'a click in silence', frame: silence(20).fill(20_000, 80, 82), stirs: 1 },
  ])('$name: $stirs', ({ frame, stirs }) => {
    const { main, media } = ends();
    main.quiet = { fromDb: -60, toDb: -50 };
    media.heard(frame);
    expect(main.stirs).toBe(stirs);
  });

  it('is everything until a band is told, and again when it is taken back', () => {
    const { main, media } = ends();
    media.heard(silence(20));
    expect(main.stirs).toBe(1);
    main.quiet = { fromDb: -60, toDb: -50 };
    media.heard(silence(20));
    expect(main.stirs).toBe(1);
    main.quiet = undefined;
    media.heard(silence(20));
    expect(main.stirs).toBe(2);
  });

  it('reaches down to nothing where the band does', () => {
    const { main, media } = ends();
    main.quiet = { fromDb: -96, toDb: -50 };
    media.heard(noise(20, -80));
    expect(main.stirs).toBe(0);
  });
});
