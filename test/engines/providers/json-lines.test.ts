import { describe, expect, it } from 'vitest';
import { jsonLines } from '../../../src/engines/providers/json-lines.ts';

async function* cutAt(text: string, bytes: number): AsyncGenerator<Uint8Array> {
  const whole = Buffer.from(text);
  for (let at = 0; at < whole.length; at += bytes) yield whole.subarray(at, at + bytes);
}
async function read(body: AsyncIterable<Uint8Array>): Promise<readonly object[]> {
  const objects: object[] = [];
  for await (const object of jsonLines(body)) objects.push(object);
  return objects;
}

describe('JSON, one object a line', () => {
  it.each([1, 2, 3, 7, 1_000])('is read however its bytes are cut: every %i', async (bytes) => {
    const text = '{"a":"سلام"}\n\n{"a":2}\r\n   \n{"a":3}';
    expect(await read(cutAt(text, bytes))).toEqual([{ a: 'سلام' }, { a: 2 }, { a: 3 }]);
  });

  it('gives each as soon as its line ends', async () => {
    const lines = jsonLines(
      (async function* () {
        yield Buffer.from('{"a":1}\n{"a"');
        throw new Error('cut');
      })(),
    );
    expect((await lines.next()).value).toEqual({ a: 1 });
    await expect(lines.next()).rejects.toThrow('cut');
  });

  it.each(['[]', '7', '{"a":', '<html>'])('is not %s', async (text) => {
    await expect(read(cutAt(`{"a":1}\n${text}\n`, 5))).rejects.toMatchObject({ kind: 'garbage' });
  });

  it('has lines of a limited length', async () => {
    await expect(read(cutAt('x'.repeat(6_000_000), 1_000_000))).rejects.toMatchObject({ kind: 'too-large' });
  });
});
