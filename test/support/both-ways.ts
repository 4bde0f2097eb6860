import { type CommandResult, runHere } from './command-line.ts';
import type { ManageRig } from './manage-rig.ts';

/** A command for the gateway of this machine, over its database, and for the same gateway over its management API. */
export const WAYS = ['here', 'afar'] as const;
export type Way = (typeof WAYS)[number];

/** Words for things that one run of a command makes for itself, each of another number. */
export interface Own {
  readonly name: string;
  readonly number: string; // 8101...
}

/** Runs commands on the gateway of a rig, both ways. */
export class BothWays {
  constructor(
    readonly rig: ManageRig,
    private readonly more: Readonly<Record<string, string>> = {},
  ) {}

  env(way: Way): Record<string, string> {
    const { dataFolder, databaseUrl, url, key } = this.rig;
    return {
      ...(way === 'here'
        ? { NIDAA_DATA_DIR: dataFolder, DATABASE_URL: databaseUrl, NIDAA_URL: '', NIDAA_KEY: '' }
        : { NIDAA_DATA_DIR: '/nowhere', DATABASE_URL: '', NIDAA_URL: url, NIDAA_KEY: key }),
      ...{ NIDAA_HOST: '0.0.0.0', ...this.more },
    };
  }

  run(way: Way, args: readonly string[]): Promise<CommandResult> {
    return runHere(this.env(way), args);
  }

  /** What a command comes to each way, for people and for programs, made alike: without what no two runs have in common. */
  async results(argsFor: (own: Own) => Promise<readonly string[]>, alike: (text: string) => string = (text) => text) {
    const results: Record<Way, { code: number | null; text: string; json: unknown; error: string }[]> = {
      here: [],
      afar: [],
    };
    for (const [at, { way, isJson }] of RUNS.entries()) {
      const own = { name: `${way}${isJson ? 'json' : 'text'}`, number: String(8101 + at) };
      const args = await argsFor(own);
      const { code, stdout, stderr } = await this.run(way, isJson ? [...args, '--json'] : args);
      const same = (text: string): string => alike(likeEveryRun(text.replaceAll(this.rig.url, 'URL')));
      const [text, error] = [same(stdout), same(withoutNote(stderr, way))];
      results[way].push({
        code,
        error,
        text: isJson ? '' : text,
        json: isJson && text !== '' ? JSON.parse(text) : null,
      });
    }
    return results;
  }
}

const RUNS = WAYS.flatMap((way) => [true, false].map((isJson) => ({ way, isJson })));

/** The rig is of another version than the command, which says so. */
function withoutNote(stderr: string, way: Way): string {
  const [first = '', ...more] = stderr.split('\n');
  if (way === 'here' || !first.includes('the gateway is version')) return stderr;
  return more.join('\n');
}

const likeEveryRun = (text: string): string =>
  text
    .replace(/\b(?:here|afar)(?:json|text)\b/g, 'OWN')
    .replace(/810[1-4]/g, '810N')
    .replace(/\b(acc|tok|mky|per|agt|trk|pho|ord|call|whk|dlv|evt)_[a-z0-9]{20}\b/g, '$1_ID')
    .replace(/(service_sk_live_|manage_sk_)[A-Za-z0-9]{20,}/g, '$1SECRET')
    .replace(/\.\.\.[A-Za-z0-9]{4}\b/g, '...LAST')
    .replace(/(welcome#)[A-Za-z0-9]{43}/g, '$1SECRET')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z?/g, 'TIME')
    .replace(/ {2,}/g, '  '); // columns are as wide as what stands in them
