import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnowledgeIndex } from '../../../src/engines/document/knowledge.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { runs } from '../../support/property-runs.ts';

const index = new KnowledgeIndex([
  {
    id: 'hours',
    questions: ['when are you open', 'متى تفتحون'],
    text: 'We are open from nine to five. نفتح من تسع إلى خمس.',
  },
  { id: 'returns', questions: ['what is your return policy'], text: 'Goods may be sent back within fourteen days.' },
  { id: 'warranty', questions: [], text: 'The warranty on batteries is two years. الضمان على البطاريات سنتين.' },
  { id: 'delivery', questions: ['كم مدة التوصيل'], text: 'التوصيل داخل الرياض يوم واحد، وبقية المدن ثلاثة أيام.' },
]);

describe('KnowledgeIndex', () => {
  it.each([
    ['when do you open', 'hours'],
    ['your return policy', 'returns'],
    ['warranty of the batteries', 'warranty'],
    ['waranty on bateries', 'warranty'],
    ['كم ضمان البطارية', 'warranty'],
    ['مُدَّة التوصيل', 'delivery'],
    ['التوصيل للرياض كم يوم', 'delivery'],
  ])('%s -> %s', (query, id) => {
    const [hit] = index.search(query);
    expect(hit?.id).toBe(id);
    expect(hit?.score).toBeGreaterThanOrEqual(0.5);
  });

  it.each(['the weather in London', 'كم سعر الذهب', 'football results yesterday'])('%s is not covered', (query) => {
    expect(index.search(query)[0]?.score ?? 0).toBeLessThan(0.5);
  });

  it.each(['', '   ', '?!', 'the of and', 'في من على'])('nothing to look for in %j', (query) => {
    expect(index.search(query)).toEqual([]);
  });

  it('orders by score and keeps to the limit', () => {
    const hits = index.search('open warranty batteries years', 2);
    expect(hits).toHaveLength(2);
    expect(hits[0]!.id).toBe('warranty');
    expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score);
  });

  it('an entry given twice counts once, an empty index finds nothing', () => {
    const twice = new KnowledgeIndex([
      { id: 'a', questions: [], text: 'apples' },
      { id: 'a', questions: [], text: 'pears' },
    ]);
    expect(twice.search('apples')).toHaveLength(1);
    expect(twice.search('pears')).toEqual([]);
    expect(new KnowledgeIndex([]).search('apples')).toEqual([]);
  });

  it('never throws; score stays within 0..1', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (query) => {
        for (const { score } of index.search(query)) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
