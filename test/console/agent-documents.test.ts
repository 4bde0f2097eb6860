import { describe, expect, it } from 'vitest';
import { objectionTo, type Room, sorted } from '../../src/console/pages/agents/documents/chosen-files.ts';

const room: Room = { names: ['fees.pdf'], documentsMax: 3, fileBytesMax: 100 };

describe('files that are chosen for an agent', () => {
  it.each([
    ['terms.PDF', 10, undefined],
    ['قائمة.docx', 100, undefined],
    ['picture.png', 10, 'type'],
    ['README', 10, 'type'],
    ['.pdf', 10, undefined],
    ['terms.pdf', 0, 'empty'],
    ['terms.pdf', 101, 'tooLarge'],
    ['fees.pdf', 10, 'taken'],
  ])('%s of %i bytes: %s', (name, size, objection) => {
    expect(objectionTo({ name, size }, room)).toBe(objection);
  });

  it('are sent as long as there is room, each name once', () => {
    const files = ['a.txt', 'a.txt', 'fees.pdf', 'b.md', 'c.csv', 'd.exe'].map((name) => ({ name, size: 1 }));
    const { sent, refused } = sorted(files, room);
    expect(sent.map(({ name }) => name)).toEqual(['a.txt', 'b.md']);
    expect(refused).toEqual([
      { name: 'a.txt', why: 'taken' },
      { name: 'fees.pdf', why: 'taken' },
      { name: 'c.csv', why: 'full' },
      { name: 'd.exe', why: 'type' },
    ]);
  });
});
