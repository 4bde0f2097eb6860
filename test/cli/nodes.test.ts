import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../../src/cli/context.ts';
import type { NodeView } from '../../src/cli/desk/desk.ts';
import { drainNode, forgetNode } from '../../src/cli/nodes.ts';
import { MemoryOutput } from '../support/memory-output.ts';

const node = (id: string, state: NodeView['state'], recordings: number | null): NodeView => ({
  ...{ id, node: id, this: false, host: `host-of-${id}`, state, drain_asked: false, recordings },
  ...{ version: '1', sip: null, api: null, calls: 0, capacity: 1, started_at: '', seen_at: '' },
});

function rig(isBack = false) {
  const out = new MemoryOutput();
  const forgotten: string[] = [];
  const nodes = {
    list: async () => [
      node('gw_lives_1', 'serving', null),
      node('gw_gone_1', 'lost', 7),
      node('gw_left_1', 'ended', 0),
    ],
    forget: async (id: string) => {
      forgotten.push(id);
      return isBack ? undefined : 7;
    },
  };
  const context = { out, withDesk: (work: (desk: object) => unknown) => work({ nodes }) } as unknown as CommandContext;
  return { context, out, forgotten };
}

it('says what goes with a gateway that is gone, and has it go once somebody is sure', async () => {
  const { context, out, forgotten } = rig();
  await expect(forgetNode(context, 'gw_gone', false)).rejects.toThrow(
    /gives up 7 recordings .* of host-of-gw_gone_1 .* say --yes/,
  );
  expect(forgotten).toEqual([]);
  await forgetNode(context, 'host-of-gw_gone_1', true);
  expect(forgotten).toEqual(['gw_gone_1']);
  expect(out.text).toMatch(/gw_gone_1[\s\S]*7/);
});

it.each([
  ['gw_lives', 'No gateway gw_lives is gone here'],
  ['gw_', 'Which gateway? Gone: gw_gone_1 (host-of-gw_gone_1), gw_left_1 (host-of-gw_left_1).'],
])('%s is none, or not one', async (wanted, says) => {
  const { context, forgotten } = rig();
  await expect(forgetNode(context, wanted, true)).rejects.toThrow(says);
  expect(forgotten).toEqual([]);
});

it('tells of one that came back meanwhile', async () => {
  await expect(forgetNode(rig(true).context, 'gw_gone', true)).rejects.toThrow('has come back meanwhile');
});

describe('a gateway that is to be drained', () => {
  const at = (id: string, sip: string | null, api: string | null): NodeView => ({
    ...node(id, 'serving', null),
    ...{ host: 'shared', sip, api },
  });
  const rows = [
    at('gw_a_1', '10.0.0.21:5060', 'http://10.0.0.21:8080'),
    at('gw_b_1', '[2001:db8::22]:5060', 'http://10.0.0.22:8080'),
    at('gw_c_1', '10.0.0.23:5060', 'http://10.0.0.23:8080'),
    at('gw_d_1', '10.0.0.23:5070', 'http://10.0.0.23:8081'),
    at('gw_e_1', null, null), // it has only just begun
  ];
  const drained: string[] = [];
  const nodes = {
    list: async () => rows,
    drain: async (id: string) => {
      drained.push(id);
      return rows.find((row) => row.id === id);
    },
  };
  const out = new MemoryOutput();
  const context = { out, withDesk: (work: (desk: object) => unknown) => work({ nodes }) } as unknown as CommandContext;

  it.each([
    ['10.0.0.21', 'gw_a_1'],
    ['2001:db8::22', 'gw_b_1'],
    ['10.0.0.22', 'gw_b_1'],
    ['10.0.0.23:5070', 'gw_d_1'],
    ['10.0.0.23:8080', 'gw_c_1'],
    ['gw_e', 'gw_e_1'],
  ])('is found by %s', async (wanted, id) => {
    await drainNode(context, wanted, {});
    expect(drained.splice(0)).toEqual([id]);
  });

  it.each([
    ['10.0.0.23', 'Which gateway? Living: gw_a_1 (shared, 10.0.0.21:5060)'],
    ['10.0.0.2', 'No gateway 10.0.0.2 lives here'],
  ])('is not taken for another: %s', async (wanted, says) => {
    await expect(drainNode(context, wanted, {})).rejects.toThrow(says);
    expect(drained).toEqual([]);
  });
});
