import type { Config } from '../../config/load.ts';
import { faultOf, lookAtRedis, placeOf, redisSettings } from '../../store/redis-server.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const CHECK = 'Redis';
const SETTING = 'jobs.redisUrl (REDIS_URL)';

/** The server that jobs live in: whether it takes us, and keeps what it is given. */
export async function checkRedis({ jobs }: Config): Promise<Finding[]> {
  const settings = redisSettings(jobs);
  if (!settings) return [];
  const place = placeOf(settings.url);
  const look = await lookAtRedis(settings);
  if (look.state === 'away') {
    // The gateway starts without, and works off what has waited when it is there.
    return [
      warn(CHECK, `${place} does not answer: ${look.why}`, `Start it, or correct ${SETTING}: jobs wait until then.`),
    ];
  }
  if (look.state === 'refused') {
    return [
      fail(CHECK, `${place} refuses us: ${look.why}`, `Correct ${SETTING}, or jobs.redisCaFile (REDIS_CA_FILE).`),
    ];
  }
  const { version, policy } = look.facts;
  const fault = faultOf(look.facts);
  const detail = `Redis ${version} at ${place}, maxmemory-policy ${policy || 'not told'}`;
  if (!fault) return [ok(CHECK, detail)];
  return [
    (fault.fatal ? fail : warn)(
      CHECK,
      `${detail}: ${fault.why}`,
      'Mend its configuration: `CONFIG SET`, and redis.conf.',
    ),
  ];
}
