import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/core/errors.ts';
import { EngineRegistry } from '../../src/engines/registry.ts';

function make() {
  const log: string[] = [];
  const engine = (name: string) => () => {
    log.push(`make ${name}`);
    return {
      name,
      close: async () => {
        log.push(`close ${name}`);
        if (name === 'bad') throw new Error('will not close');
      },
    };
  };
  const registry = new EngineRegistry<{ name: string; close(): Promise<void> }>('engines.tts');
  registry.register('one', engine('one')).register('bad', engine('bad')).register('two', engine('two'));
  return { log, registry };
}

describe('EngineRegistry', () => {
  it('makes what is asked for, once', () => {
    const { log, registry } = make();
    expect(registry.get('two')).toBe(registry.get('two'));
    expect(registry.list(['one', 'none', 'two', 'one']).map((engine) => engine.name)).toEqual(['one', 'two']);
    expect(log).toEqual(['make two', 'make one']);
    expect(registry.list(['none'])).toEqual([]);
  });

  it('names the setting and the choices when a name is unknown', () => {
    const { registry } = make();
    expect(() => registry.get('three')).toThrow(OperatorError);
    expect(() => registry.get('three')).toThrow('engines.tts: expected one of one, bad, two, none, got three');
    expect(() => registry.get('constructor')).toThrow(OperatorError);
  });

  it('closes what was made, once, whatever fails', async () => {
    const { log, registry } = make();
    registry.list(['bad', 'one']);
    await registry.close();
    await registry.close();
    expect(log).toEqual(['make bad', 'make one', 'close bad', 'close one']);
    expect(() => registry.get('two')).toThrow('closed');
  });

  it('has one factory a name', () => {
    const { registry } = make();
    expect(() => registry.register('one', () => ({ name: 'x', close: async () => {} }))).toThrow('taken');
    expect(() => registry.register('none', () => ({ name: 'x', close: async () => {} }))).toThrow('taken');
  });
});
