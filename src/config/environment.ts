import { Value } from '@sinclair/typebox/value';
import { closest, type Problems } from './problems.ts';
import { type ConfigFile, ConfigSchema, EDGE_ADDRESS } from './schema.ts';
import { expected } from './schema-reader.ts';
import { SECRETS_DIR } from './secret-files.ts';

/** What the environment says, to be put over the file. */
export interface EnvironmentReading {
  readonly changes: readonly ((config: ConfigFile) => void)[];
  /** Warnings about `NIDAA_...` variables that look like a slip. */
  readonly unknown: readonly string[];
}

type Apply<T> = (config: ConfigFile, value: T) => void;
interface Variable {
  /** Either the change, or what was expected. */
  read(value: string): ((config: ConfigFile) => void) | { readonly expected: string };
}

const text = (apply: Apply<string>, pattern = /./u, wanted = 'text'): Variable => ({
  read: (value) => (pattern.test(value) ? (config) => apply(config, value) : { expected: wanted }),
});
const port = (apply: Apply<number>): Variable => ({
  read: (value) => {
    const number = Number(value);
    const isPort = /^\d{1,5}$/u.test(value) && number <= 65_535;
    return isPort ? (config) => apply(config, number) : { expected: 'an integer 0..65535' };
  },
});

const LEVELS = ConfigSchema.properties.log.properties.level;
const LEVEL_NAMES: readonly string[] = LEVELS.anyOf.map((level) => level.const);
const { databaseUrl: DATABASE, directUrl: DIRECT } = ConfigSchema.properties.store.properties;
const REDIS = ConfigSchema.properties.jobs.properties.redisUrl;

const EDGE = ConfigSchema.properties.media.properties.edge;

const VARIABLES: Readonly<Record<string, Variable>> = {
  NIDAA_SIP_PORT: port((config, value) => {
    config.sip.port = value;
  }),
  NIDAA_HTTP_PORT: port((config, value) => {
    config.http.port = value;
  }),
  NIDAA_METRICS_PORT: port((config, value) => {
    config.metrics.port = value;
  }),
  NIDAA_METRICS_HOST: text((config, value) => {
    config.metrics.host = value;
  }),
  NIDAA_HOST: text((config, value) => {
    config.sip.host = value;
    config.http.host = value;
  }),
  NIDAA_SIP_ANONYMOUS: {
    read: (value) => {
      const anonymous = value === 'auto' ? value : value === 'true' ? true : value === 'false' ? false : undefined;
      if (anonymous === undefined) return { expected: 'one of auto, true, false' };
      return (config) => {
        config.sip.anonymous = anonymous;
      };
    },
  },
  NIDAA_DATA_DIR: text((config, value) => {
    config.dataDir = value;
  }),
  NIDAA_RTP_PORTS: {
    read: (value) => {
      const [, min, max] = /^(\d{1,5})-(\d{1,5})$/u.exec(value) ?? [];
      const range = { min: Number(min), max: Number(max) };
      if (!(range.min >= 1024 && range.max > range.min && range.max <= 65_535)) {
        return { expected: 'two ports from 1024 on, like 20000-23999' };
      }
      return (config) => {
        config.media.rtpPorts = range;
      };
    },
  },
  NIDAA_MEDIA_EDGE: text(
    (config, value) => {
      const engines = value.split(',').map((address) => ({ address }));
      config.media.edge = Value.Default(EDGE, { ...config.media.edge, engines }) as ConfigFile['media']['edge'];
    },
    new RegExp(`${EDGE_ADDRESS.slice(0, -1)}(,${EDGE_ADDRESS.slice(1, -1)}){0,15}$`, 'u'),
    'host:port of rtpengines, with commas between them',
  ),
  DATABASE_URL: text(
    (config, value) => {
      config.store.databaseUrl = value;
    },
    new RegExp(DATABASE.pattern ?? '', 'u'),
    expected(DATABASE),
  ),
  DATABASE_DIRECT_URL: text(
    (config, value) => {
      config.store.directUrl = value;
    },
    new RegExp(DIRECT.pattern ?? '', 'u'),
    expected(DIRECT),
  ),
  REDIS_URL: text(
    (config, value) => {
      config.jobs.redisUrl = value;
    },
    new RegExp(REDIS.pattern ?? '', 'u'),
    expected(REDIS),
  ),
  REDIS_CA_FILE: text((config, value) => {
    config.jobs.redisCaFile = value;
  }),
  NIDAA_NODE_WHEN_TAKEN: {
    read: (value) => {
      if (value !== 'refuse' && value !== 'new-identity') return { expected: 'refuse or new-identity' };
      return (config) => {
        config.node.whenTaken = value;
      };
    },
  },
  NIDAA_LOG_LEVEL: {
    read: (value) => {
      const level = LEVELS.anyOf.find((each) => each.const === value)?.const;
      if (level === undefined) return { expected: `one of ${LEVEL_NAMES.join(', ')}` };
      return (config) => {
        config.log.level = level;
      };
    },
  },
};
/** Read by `loadConfig` itself. */
const CONFIG_FILE = 'NIDAA_CONFIG';
const SECRET_KEY = 'NIDAA_SECRET_KEY';
/** May carry a password. */
const SECRET = new Set(['DATABASE_URL', 'DATABASE_DIRECT_URL', 'REDIS_URL']);

/** An empty variable counts as not set. */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  problems: Problems,
): EnvironmentReading {
  const changes: ((config: ConfigFile) => void)[] = [];
  for (const [name, variable] of Object.entries(VARIABLES)) {
    const value = env[name];
    if (!value) continue;
    const reading = variable.read(value);
    if (typeof reading === 'function') changes.push(reading);
    else {
      const got = SECRET.has(name) ? 'something else' : JSON.stringify(value);
      problems.add('environment', 0, name, `expected ${reading.expected}, got ${got}`);
    }
  }
  const known = [...Object.keys(VARIABLES), CONFIG_FILE, SECRET_KEY, SECRETS_DIR];
  const unknown = Object.keys(env).flatMap((name) => {
    if (!name.startsWith('NIDAA_') || known.includes(name)) return [];
    const meant = closest(name, known);
    return meant ? [`environment ${name} is not used: did you mean ${meant}?`] : [];
  });
  return { changes, unknown };
}
