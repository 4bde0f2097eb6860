import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROVIDERS } from '../../../src/engines/providers/providers.ts';
import { earRows } from '../../conformance/stt-service.ts';
import { voiceRows } from '../../conformance/tts-service.ts';
import { ROOT } from '../../support/gateway.ts';
import { expectEveryRow } from '../../support/labelled-rows.ts';
import {
  closingsOf,
  type NamedTest,
  reasonFor,
  SERVICE_ROWS,
  type Suite,
  serviceTables,
} from '../../support/service-rows.ts';
import { EARS, VOICES } from '../../support/services-by-adapter.ts';

const { adapters, rows, faults, replies, turns } = SERVICE_ROWS;
const SUITES = { ears: 'test/conformance/stt-service.ts', voices: 'test/conformance/tts-service.ts' } as const;
const README = 'src/engines/providers/README.md';
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
/** Of each variant of the ears or the voice, the rows that it is held to. */
const heldBy = (suite: Suite, adapter: string): readonly (readonly string[])[] =>
  suite === 'ears' ? EARS[adapter]!.map(earRows) : VOICES[adapter]!.map(voiceRows);
const servicesOf = (suite: Suite, adapter: string) => (suite === 'ears' ? EARS : VOICES)[adapter]!;
const cells = rows.flatMap((row) => adapters.map((adapter) => ({ ...row, adapter })));
const labelOf = ({ row, adapter }: { row: string; adapter: string }): string => `${row} ${adapter}`;
const expectTest = ({ test, title }: NamedTest): void => expect(textOf(test)).toContain(title);

describe('the rows of the adapters', () => {
  it('are those of every adapter that there is', () => {
    const named = [...PROVIDERS.map(({ name }) => name), 'openai realtime', 'deepgram flux', 'sherpa']; // other ways to hear, and no service
    for (const list of [adapters, Object.keys(EARS), Object.keys(VOICES)])
      expect([...list].sort()).toEqual(named.sort());
  });

  it('are proved in their suites, which have no other', () => {
    for (const [suite, file] of Object.entries(SUITES)) {
      const titles = textOf(file).matchAll(/'((?:[SPA]\d+(?:, )?)+) /g);
      const proved = new Set([...titles].flatMap(([, ids]) => ids!.split(', ')));
      const wanted = rows.filter(({ suites }) => suites.includes(suite as Suite)).map(({ row }) => row);
      expect([...proved].sort()).toEqual(wanted.sort());
      const known = new Set(adapters.flatMap((adapter) => heldBy(suite as Suite, adapter)).flat());
      expect(wanted.filter((row) => !known.has(row))).toEqual([]);
    }
  });

  it('hold for each adapter, or it says why not, and how far where that is not all the way', () => {
    expectEveryRow(cells, labelOf, ({ row, suites, but, not, elsewhere, adapter }) => {
      const named = elsewhere?.[adapter] ?? elsewhere?.['*'];
      if (named) expectTest(named);
      const kinds = suites.filter((suite) => servicesOf(suite, adapter).length > 0);
      const isBare = !named && kinds.length === 0;
      if (isBare) return expect(not?.[adapter], 'nobody is held to it: why').toBeDefined();
      for (const suite of kinds) {
        const variants = heldBy(suite, adapter);
        const held = variants.filter((own) => own.includes(row));
        const why = reasonFor(not, adapter, suite);
        if (held.length === 0)
          expect([named, why].filter(Boolean), 'held to in one place, or a reason').toHaveLength(1);
        else expect([named, why], 'held to in the suite, and nothing else said').toEqual([undefined, undefined]);
        if (held.length > 0 && held.length < variants.length)
          expect(but?.[adapter], 'not in all of its ways: how far').toBeDefined();
      }
      return undefined;
    });
  });

  it.each([
    { suite: 'ears', services: EARS },
    { suite: 'voices', services: VOICES },
  ] as const)('have every fault played on $suite, or say why not', async ({ suite, services }) => {
    for (const adapter of adapters) {
      for (const service of services[adapter]!) {
        const standIn = await service.start();
        const played = standIn.faults!.map(({ name }) => name);
        await standIn.engine.close();
        await standIn.close();
        const due = faults.filter(({ suites }) => suites?.includes(suite) ?? true);
        expectEveryRow(
          due,
          ({ fault }) => `${service.name}: ${fault}`,
          ({ names, not }) => {
            const isPlayed = names.some((name) => played.includes(name));
            expect(isPlayed).toBe(reasonFor(not, adapter, suite) === undefined);
          },
        );
      }
    }
  });

  it.each(adapters)('have every code played with which connections of %s are closed', async (adapter) => {
    for (const [suite, services] of Object.entries({ ears: EARS, voices: VOICES })) {
      for (const service of services[adapter]!) {
        const standIn = await service.start();
        const played = standIn.faults!.flatMap(({ name }) => /^closed with (\d+)$/.exec(name)?.[1] ?? []);
        await standIn.engine.close();
        await standIn.close();
        const isHttp = suite === 'voices' && adapter === 'elevenlabs';
        const due = closingsOf(adapter).flatMap((row) => (row[suite as Suite] && !isHttp ? String(row.code) : []));
        expect([service.name, played.sort()]).toEqual([service.name, due.sort()]);
      }
    }
  });

  it('of chat models, voice activity and the end of turns are proved where they say', () => {
    expectEveryRow(
      [...replies, ...turns],
      ({ row }) => row,
      ({ tests, not }) => {
        expect(tests.length === 0).toBe(not !== undefined);
        for (const named of tests) expectTest(named);
      },
    );
  });

  it('stand in the README as they are here', async () => {
    const readme = textOf(README);
    const [from, to] = ['<!-- rows -->\n', '<!-- end of rows -->'].map((mark) => readme.indexOf(mark));
    expect([from! > 0, to! > from!]).toEqual([true, true]);
    const table = serviceTables(SERVICE_ROWS, (adapter) => VOICES[adapter]!.length > 0);
    const wanted = `${readme.slice(0, from)}<!-- rows -->\n\n${table}\n\n${readme.slice(to)}`;
    await expect(wanted).toMatchFileSnapshot(join(ROOT, README));
  });
});
