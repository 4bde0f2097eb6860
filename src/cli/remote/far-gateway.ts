import { OperatorError } from '../../core/errors.ts';
import type { Desk, TestsToHold } from '../desk/desk.ts';
import { ownVersion } from '../own-version.ts';
import { managementKey } from './management-key.ts';

export interface FarFlags {
  readonly url?: string;
  readonly keyFile?: string;
  readonly json?: boolean;
}
type Environment = Readonly<Record<string, string | undefined>>;

/** The gateway that commands are for where it is not the one of this machine. */
export interface FarGateway {
  readonly baseUrl: string;
  /** Over its management API. Asks for nothing yet. */
  desk(): Promise<Desk>;
  /** Holds dialogues there. */
  hold(tests: TestsToHold): ReturnType<typeof import('./far-agents.ts').holdFromAfar>;
}

/**
 * `--url`, else `NIDAA_URL`; undefined without either.
 *
 * @throws OperatorError where it is no address, or there is no key for it: a command that was meant for another gateway must not do
 *   its work on this one.
 */
export function farGateway(flags: FarFlags, env: Environment): FarGateway | undefined {
  const given = flags.url ?? (env['NIDAA_URL'] || undefined);
  if (given === undefined) {
    if (flags.keyFile === undefined) return undefined;
    throw new OperatorError('--key-file is for the gateway of --url or NIDAA_URL: name it.');
  }
  const warn = (text: string): void => {
    process.stderr.write(flags.json ? `${JSON.stringify({ note: text })}\n` : `note: ${text}\n`);
  };
  const baseUrl = gatewayAddress(given);
  const key = managementKey(flags.keyFile, env['NIDAA_KEY'], warn);
  if (key === undefined) {
    const here = flags.url === undefined ? ' Without NIDAA_URL the command is for the gateway of this machine.' : '';
    throw new OperatorError(
      `No key for ${baseUrl}: set NIDAA_KEY, or give --key-file. \`keys create\` at the gateway makes one.${here}`,
    );
  }
  if (isInClear(baseUrl)) warn(`the key goes to ${baseUrl} unencrypted: https keeps it`);
  const client = async () => {
    const [{ ManageClient }, { Reach }] = await Promise.all([import('./manage-client.ts'), import('./reach.ts')]);
    const made = new ManageClient({ baseUrl, key, version: ownVersion(), warn });
    return { client: made, reach: new Reach(made) };
  };
  return {
    baseUrl,
    desk: async () => {
      const { farDesk } = await import('./far-desk.ts');
      const { client: asks, reach } = await client();
      return farDesk(asks, reach);
    },
    hold: async (tests) => {
      const { holdFromAfar } = await import('./far-agents.ts');
      const { client: asks, reach } = await client();
      return holdFromAfar(asks, reach, tests);
    },
  };
}

/** @throws OperatorError where nobody can be asked at it, or a secret stands in it. */
export function gatewayAddress(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  if (isPlain && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '') return url.origin;
  throw new OperatorError('That is not the address of a gateway. Example: https://gateway.example.com:8443');
}

/** Other machines may read what goes there. */
function isInClear(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !/^(?:127\.|localhost$|\[::1\]$)/.test(hostname);
}
