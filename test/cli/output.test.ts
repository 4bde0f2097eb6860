import { describe, expect, it } from 'vitest';
import { emit, facts, harmless, money, paint, seconds, table } from '../../src/cli/output.ts';
import { MemoryOutput } from '../support/memory-output.ts';

describe('a table', () => {
  it('aligns columns by what is seen, not by bytes or colours', () => {
    const out = new MemoryOutput(false, true);
    table(
      out,
      ['name', 'balance'],
      [
        ['Acme', '1.00'],
        [paint(out, 'green', 'عيادة'), '20.00'],
      ],
    );
    const plain = out.text.replace(/\u001b\[\d+m/g, '').split('\n');
    expect(plain.slice(0, 3)).toEqual(['name   balance', 'Acme   1.00', 'عيادة  20.00']);
  });

  it('leaves no space at the end of a line', () => {
    const out = new MemoryOutput();
    table(out, ['a', 'b'], [['x', '']]);
    expect(out.lines).toEqual(['a  b', 'x']);
  });

  it('says so when it is empty', () => {
    const out = new MemoryOutput();
    table(out, ['a'], []);
    expect(out.lines).toEqual(['nothing to show']);
  });
});

describe('what strangers wrote', () => {
  const evil = 'a\u001b[2J\u001b]0;x\u0007b\r\u009b1mc';
  const seen = 'a\ufffd[2J\ufffd]0;x\ufffdb\ufffd\ufffd1mc';

  it('does nothing to the terminal', () => {
    const out = new MemoryOutput(false, true);
    table(out, ['from'], [[evil], [paint(out, 'red', 'ours')]]);
    facts(out, [['from', evil]]);
    expect(out.lines.slice(1)).toEqual([seen, '\u001b[31mours\u001b[0m', `\u001b[1mfrom\u001b[0m  ${seen}`]);
    expect(harmless(evil)).toBe(seen);
  });

  it('is escaped in JSON, and says the same', () => {
    const out = new MemoryOutput(true);
    emit(out, { evil }, () => undefined);
    expect(out.text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(JSON.parse(out.text)).toEqual({ evil });
  });
});

describe('output', () => {
  it('aligns facts', () => {
    const out = new MemoryOutput();
    facts(out, [
      ['id', 'x'],
      ['account', 'y'],
    ]);
    expect(out.lines).toEqual(['id       x', 'account  y']);
  });

  it('is one line of JSON or what people read, never both', () => {
    const [json, human] = [new MemoryOutput(true), new MemoryOutput()];
    for (const out of [json, human]) emit(out, { a: 1 }, () => out.write('one\n'));
    expect([json.text, human.text]).toEqual(['{"a":1}\n', 'one\n']);
  });

  it('shows money and time with their places', () => {
    expect([money(5), money(-1234), seconds(61_249)]).toEqual(['5 cents', '-1234 cents', '61.2 s']);
  });
});
