import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkCallers, checkSecretKey } from '../../../src/cli/checks/callers.ts';
import { checkConfiguration } from '../../../src/cli/checks/configuration.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { configFolder } from '../../support/config-folder.ts';

const folders: { remove(): void }[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});
const configOf = (env: Readonly<Record<string, string>>, file = 'dataDir: data\n') => {
  const folder = configFolder({ 'nidaa.yaml': file });
  folders.push(folder);
  return loadConfig({ env, cwd: folder.dir, configDir: '.' });
};

describe('doctor', () => {
  it.each([
    [{}, 'ok', /every program of this machine/],
    [{ NIDAA_SIP_ANONYMOUS: 'false' }, 'info', /everybody else gets 403/],
    [{ NIDAA_HOST: '0.0.0.0' }, 'info', /everybody else gets 403/],
    [{ NIDAA_HOST: '0.0.0.0', NIDAA_SIP_ANONYMOUS: 'true' }, 'warn', /EVERYBODY/],
  ])('says who may call: %j', (env, state, detail) => {
    expect(checkCallers(configOf(env))).toMatchObject([{ state, detail: expect.stringMatching(detail) }]);
  });

  it('says that sip.allowedSources goes before that', () => {
    const config = configOf({}, 'sip: { allowedSources: [192.0.2.0/24] }\n');
    expect(checkCallers(config)).toMatchObject([{ state: 'ok', detail: expect.stringContaining('192.0.2.0/24') }]);
  });

  it.each([
    [{}, 'info', /will be made/],
    [{ NIDAA_SECRET_KEY: 'ab'.repeat(32) }, 'ok', /^NIDAA_SECRET_KEY$/],
    [{ NIDAA_SECRET_KEY: 'short' }, 'fail', /rand -hex 32/],
  ])('knows the key of secrets, and never shows it: %j', (env, state, detail) => {
    expect(checkSecretKey(configOf(env))).toMatchObject([{ state, detail: expect.stringMatching(detail) }]);
  });

  it('names every mistake of a trunk file', () => {
    const files = { 'nidaa.yaml': 'dataDir: data\n', 'trunks/bad.yaml': 'name: x\nhosts: [nonsense]\n' };
    const folder = configFolder(files);
    folders.push(folder);
    const { findings } = checkConfiguration({ NIDAA_CONFIG: join(folder.dir, 'nidaa.yaml') });
    const trunks = findings.find(({ check }) => check === 'trunks');
    expect(trunks).toMatchObject({ state: 'fail', detail: expect.stringContaining('hosts[0]') });
  });
});
