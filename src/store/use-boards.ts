import type { Redis } from 'ioredis';
import type { UseBoard, UseReport } from '../core/shared-use.ts';
import type { Queryable } from './database.ts';

/** One row for each gateway, written and read in one statement. */
export function boardInPostgres(queryable: Queryable, gateway: () => string): UseBoard {
  return {
    exchange: async (own, freshMs) => {
      const { rows } = await queryable.query<{ gateway: string; report: UseReport }>({
        name: 'use-exchange',
        text: `WITH gone AS (DELETE FROM gateway_use WHERE told_at < now() - interval '1 hour'), told AS (
            INSERT INTO gateway_use (gateway, report, told_at) VALUES ($1, $2, now())
            ON CONFLICT (gateway) DO UPDATE SET report = excluded.report, told_at = excluded.told_at)
          SELECT gateway, report FROM gateway_use WHERE gateway <> $1 AND told_at > now() - make_interval(secs => $3) LIMIT 1000`,
        values: [gateway(), JSON.stringify(own), freshMs / 1000],
      });
      return new Map(rows.map((row) => [row.gateway, row.report]));
    },
  };
}

const KEY = 'nidaa:use';
/** Its own clock says what is fresh. ARGV: gateway, report, how long a report is fresh in ms. */
const EXCHANGE = `local now = redis.call('TIME')[1] * 1000 + math.floor(redis.call('TIME')[2] / 1000)
redis.call('HSET', KEYS[1], ARGV[1], now .. ' ' .. ARGV[2])
redis.call('PEXPIRE', KEYS[1], 3600000)
local fresh = {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local at, report = string.match(all[i + 1], '^(%d+) (.*)$')
  if now - tonumber(at) >= 3600000 then redis.call('HDEL', KEYS[1], all[i])
  elseif all[i] ~= ARGV[1] and now - tonumber(at) < tonumber(ARGV[3]) then fresh[#fresh + 1] = all[i]; fresh[#fresh + 1] = report end
end
return fresh`;

/** The same in one hash, by one script. */
export function boardInRedis(redis: Redis, gateway: () => string): UseBoard {
  return {
    exchange: async (own, freshMs) => {
      const found = (await redis.eval(EXCHANGE, 1, KEY, gateway(), JSON.stringify(own), freshMs)) as string[];
      const pairs = Array.from({ length: found.length / 2 }, (_, at) => [found[2 * at]!, found[2 * at + 1]!] as const);
      return new Map(pairs.map(([other, report]) => [other, JSON.parse(report) as UseReport]));
    },
  };
}
