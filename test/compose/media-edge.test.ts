import { describe, expect, it } from 'vitest';
import { edgeState, openMediaEdge } from '../../src/compose/media-edge.ts';
import { loadConfig } from '../../src/config/load.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { ENGINE_TRANSITIONS, type EngineState } from '../../src/media/edge/engine-state.ts';
import { hostAndPort } from '../../src/media/edge/rtpengine-edge.ts';
import { configFolder, listedProblems } from '../support/config-folder.ts';

const load = (yaml: string, env: Record<string, string | undefined> = {}) => {
  const folder = configFolder({ 'nidaa.yaml': yaml });
  try {
    return loadConfig({ env, configDir: folder.dir });
  } finally {
    folder.remove();
  }
};

describe('media.edge', () => {
  it('is none unless it is written', async () => {
    const config = load('');
    expect(config.media.edge).toBeUndefined();
    expect(await openMediaEdge(config, silentLogger, createMetrics())).toBeUndefined();
  });

  it.each([
    { name: 'in the file', yaml: "media: { edge: { engines: [{ address: 'edge.example:2223' }] } }", env: {} },
    { name: 'in the environment', yaml: '', env: { NIDAA_MEDIA_EDGE: 'edge.example:2223' } },
  ])('has its defaults: $name', ({ yaml, env }) => {
    expect(load(yaml, env).media.edge).toEqual({
      ...{ engines: [{ address: 'edge.example:2223', weight: 1 }], timeoutMs: 1_000, pingMs: 2_000 },
    });
  });

  it('the environment names the engines, and the file the rest', () => {
    const yaml = "media: { edge: { engines: [{ address: 'a:1' }], ownAddress: 10.0.0.5, pingMs: 900 } }";
    const { edge } = load(yaml, { NIDAA_MEDIA_EDGE: '[2001:db8::1]:2223,b:2' }).media;
    expect(edge).toMatchObject({ ownAddress: '10.0.0.5', pingMs: 900 });
    expect(edge?.engines.map(({ address }) => address)).toEqual(['[2001:db8::1]:2223', 'b:2']);
  });

  it.each([
    ['no port', 'media: { edge: { engines: [{ address: edge }] } }', 'host:port'],
    ['no engines', 'media: { edge: { engines: [] } }', 'media.edge.engines'],
    ['one interface', "media: { edge: { engines: [{ address: 'a:1' }], innerInterface: in } }", 'both innerInterface'],
  ])('%s is refused', (_, yaml, says) => {
    expect(listedProblems(() => load(yaml)).join('\n')).toContain(says);
  });

  it('an address is a host and a port', () => {
    expect(hostAndPort('[2001:db8::1]:2223')).toEqual({ host: '2001:db8::1', port: 2223 });
    expect(hostAndPort('edge.example:1')).toEqual({ host: 'edge.example', port: 1 });
  });
});

describe('how the edge is', () => {
  const engine = (name: string, state: EngineState) => ({ name, state, weight: 1 });

  it('every state of one of two', () => {
    const states = (Object.keys(ENGINE_TRANSITIONS) as EngineState[]).map((state) => {
      const engines = [engine('a:1', 'up'), engine('b:2', state)];
      return edgeState({ problem: undefined, engines }).state;
    });
    expect(states).toEqual(['ok', 'ok', 'degraded']);
  });

  it('names those that do not answer', () => {
    const engines = [engine('a:1', 'up'), engine('b:2', 'down')];
    expect(edgeState({ problem: undefined, engines }).detail).toBe('1 of 2 media edges do not answer: b:2');
    expect(edgeState({ problem: 'none', engines })).toEqual({ state: 'down', detail: 'none' });
  });
});
