import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { loadConfig } from '../../../../src/config/load.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import { silentLogger } from '../../../../src/core/logger.ts';
import { createMetrics } from '../../../../src/core/metrics.ts';
import { EngineSet } from '../../../../src/engines/engine-set.ts';
import { configFolder } from '../../../support/config-folder.ts';

const SHIPPED = fileURLToPath(new URL('../../../../config', import.meta.url));

/** What the engines of a gateway with this `nidaa.yaml` make of a text. */
async function said(yaml: string | undefined, text: string): Promise<string> {
  const folder = yaml === undefined ? undefined : configFolder({ 'nidaa.yaml': yaml });
  const { engines, text: speechStyle } = loadConfig({ env: {}, configDir: folder?.dir ?? SHIPPED });
  folder?.remove();
  const deps = { clock: systemClock, logger: silentLogger, metrics: createMetrics(), cacheDir: '/tmp', speechStyle };
  const set = await EngineSet.open({ ...engines, vad: 'energy', tts: ['none'] }, deps);
  const { normalized } = set.normalizer.normalize(text, 'ar');
  await set.close();
  return normalized;
}

it.each([
  { yaml: undefined, expected: 'المبلغ مئتا ريال والجوال صفر خمسة صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة' },
  { yaml: 'text: { oblique: always }', expected: /^المبلغ مئتي ريال / },
  { yaml: 'text: { digitGrouping: threes }', expected: /صفر خمسة صفر، واحد اثنان ثلاثة، أربعة/ },
])('speaks as `$yaml` of the configuration asks', async ({ yaml, expected }) => {
  expect(await said(yaml, 'المبلغ 200 ريال والجوال 0501234567')).toMatch(expected);
});

it('refuses a style that does not exist', () => {
  const folder = configFolder({ 'nidaa.yaml': 'text: { oblique: sometimes }' });
  expect(() => loadConfig({ env: {}, configDir: folder.dir })).toThrow(/nidaa\.yaml:1 text\.oblique/);
  folder.remove();
});
