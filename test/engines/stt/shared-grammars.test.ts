import { describe, expect, it } from 'vitest';
import { SharedGrammars } from '../../../src/engines/stt/shared-grammars.ts';
import type { Handle, SphinxLibrary } from '../../../src/engines/stt/sphinx-library.ts';

/** Counts what was read and not freed, by text; refuses the text `refused`. */
class CountingLibrary implements Pick<SphinxLibrary, 'readGrammar' | 'freeGrammar'> {
  readonly held: string[] = [];
  reads = 0;
  readGrammar(_decoder: Handle, text: string): Handle | undefined {
    this.reads += 1;
    if (text === 'refused') return undefined;
    this.held.push(text);
    return { text };
  }
  freeGrammar(grammar: Handle): void {
    this.held.splice(this.held.indexOf((grammar as { text: string }).text), 1);
  }
}

const grammar = (key: string) => ({ key, text: key });

describe('SharedGrammars', () => {
  const open = () => {
    const library = new CountingLibrary();
    return { library, shared: new SharedGrammars(library as Partial<SphinxLibrary> as SphinxLibrary) };
  };

  it('reads a grammar once for all decoders, and frees it with the last of them', () => {
    const { library, shared } = open();
    const taken = [1n, 2n, 3n].map((decoder) => shared.take(decoder, grammar('a')));
    expect(new Set(taken).size).toBe(1);
    expect(library.reads).toBe(1);
    shared.giveBack('a');
    shared.giveBack('a');
    expect(library.held).toEqual(['a']);
    shared.giveBack('a');
    expect([library.held, shared.size]).toEqual([[], 0]);
  });

  it('reads it anew for who comes after the last one', () => {
    const { library, shared } = open();
    for (const _ of [1, 2]) {
      expect(shared.take(1n, grammar('a'))).toBeDefined();
      shared.giveBack('a');
    }
    expect([library.reads, library.held]).toEqual([2, []]);
  });

  it('keeps nothing of a grammar that is refused, and takes back nothing that it did not give', () => {
    const { library, shared } = open();
    expect(shared.take(1n, grammar('refused'))).toBeUndefined();
    shared.giveBack('refused');
    shared.giveBack('never taken');
    expect([library.held, shared.size]).toEqual([[], 0]);
  });
});
