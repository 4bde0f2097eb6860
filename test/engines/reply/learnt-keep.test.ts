import { describe, expect, it } from 'vitest';
import { LearntByDrafts, type LearntKeep } from '../../../src/engines/reply/learnt-keep.ts';

function keepOf(known: Map<string, unknown>): LearntKeep {
  return { find: (from) => known.get(from), keep: (from, learnt) => void known.set(from, learnt) };
}

describe('what drafts have learnt', () => {
  it('is found by drafts, kept where it was called, and by nobody else', () => {
    const kept = new Map<string, unknown>();
    const drafts = new LearntByDrafts(keepOf(kept));
    drafts.keep('draft', 1);
    expect([drafts.find('draft'), kept.size]).toEqual([1, 0]);
    expect([drafts.called.find('draft'), kept.get('draft')]).toEqual([1, 1]);
    expect([drafts.called.find('other'), kept.size]).toEqual([undefined, 1]);
  });

  it('of agents that are called serves their drafts', () => {
    const kept = new Map<string, unknown>();
    const drafts = new LearntByDrafts(keepOf(kept));
    drafts.called.keep('called', 2);
    expect(drafts.find('called')).toBe(2);
    kept.clear();
    expect(drafts.find('called')).toBe(2);
  });

  it('is forgotten when four others were used since', () => {
    const drafts = new LearntByDrafts(keepOf(new Map()));
    for (const name of ['a', 'b', 'c', 'd']) drafts.keep(name, name);
    drafts.find('a');
    drafts.keep('e', 'e');
    expect(['a', 'b', 'c', 'd', 'e'].map((name) => drafts.find(name))).toEqual(['a', undefined, 'c', 'd', 'e']);
  });
});
