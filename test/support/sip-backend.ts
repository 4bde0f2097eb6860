import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseDocument } from 'yaml';
import { DrachtioReal, haveDrachtio } from './drachtio-real.ts';

const SECRET = 'a-secret-of-the-tests';
/** `NIDAA_TEST_SIP=drachtio`: every gateway of the run has a real drachtio-server, which `DRACHTIO_SERVER` names. */
export const isElsewhere = process.env['NIDAA_TEST_SIP'] === 'drachtio';

/** The SIP server of one gateway where that is not its own: on the port that the gateway was to have, by a copy of its settings. */
export async function sipBackend(
  config: string,
  sipPort: number,
): Promise<{ readonly config: string; close(): Promise<void> } | undefined> {
  if (!isElsewhere) return undefined;
  if (!haveDrachtio) throw new Error('NIDAA_TEST_SIP=drachtio needs DRACHTIO_SERVER');
  const server = await DrachtioReal.open(SECRET, sipPort);
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-config-'));
  cpSync(dirname(config), folder, { recursive: true });
  const copy = join(folder, basename(config));
  const settings = parseDocument(readFileSync(config, 'utf8'));
  settings.setIn(['sip', 'server'], `drachtio://:${SECRET}@127.0.0.1:${server.adminPort}`);
  writeFileSync(copy, settings.toString());
  const close = async (): Promise<void> => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { config: copy, close };
}
