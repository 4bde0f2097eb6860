import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadAgents } from '../../src/config/agents.ts';
import { certificatePaths } from '../../src/config/certificate-paths.ts';
import { type LoadOptions, loadConfig, SHIPPED_CONFIG_DIR } from '../../src/config/load.ts';
import { ConfigSchema } from '../../src/config/schema.ts';
import { loadVoices } from '../../src/config/voices.ts';
import { OperatorError } from '../../src/core/errors.ts';
import { configFolder, listedProblems } from '../support/config-folder.ts';

const folders: { remove(): void }[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

function load(text: string, env: LoadOptions['env'] = {}, secretsOf?: LoadOptions['secretsOf']) {
  const folder = configFolder({ 'nidaa.yaml': text });
  folders.push(folder);
  return loadConfig({ env, cwd: folder.dir, configDir: '.', ...(secretsOf && { secretsOf }) });
}

/** Every name of a section in a schema, `sip.port` style. */
function namesOf(properties: Record<string, { properties?: object; default?: unknown }>, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    schema.properties && schema.default !== undefined
      ? namesOf(schema.properties as typeof properties, `${prefix}${name}.`)
      : [`${prefix}${name}`],
  );
}

describe('the shipped nidaa.yaml', () => {
  const text = readFileSync(join(SHIPPED_CONFIG_DIR, 'nidaa.yaml'), 'utf8');

  it('lets every call of a media thread be heard: it has a stream of the recogniser for as long as it lasts', () => {
    const { media, engines } = loadConfig({ env: {} });
    expect(engines.limits.stt.concurrency).toBeGreaterThanOrEqual(media.callsPerWorker);
  });

  it('is what an empty file means: defaults are written in one place and shown in the other', () => {
    const { paths: _, dataDir: __, ...shipped } = loadConfig({ env: {} });
    const { paths: ___, dataDir: ____, ...empty } = load('');
    expect(shipped).toEqual(empty);
  });

  it('shows every setting', () => {
    const written: unknown = parse(text);
    const names = namesOf(ConfigSchema.properties);
    expect(names.length).toBeGreaterThan(60);
    for (const name of names) {
      const parts = name.split('.');
      const parent = parts
        .slice(0, -1)
        .reduce((section, part) => (section as Record<string, object>)[part]!, written as object);
      expect(Object.keys(parent), name).toContain(parts.at(-1));
    }
  });

  it('has a comment for every section', () => {
    expect(text.split('\n').filter((line) => line.trim().startsWith('#')).length).toBeGreaterThan(40);
  });
});

describe('loadConfig', () => {
  it('takes what is written and fills in the rest', () => {
    const config = load(
      'sip: { port: 5070 }\nengines: { tts: [openai, espeak], stt: { ar: openai }, openai: ' +
        "{ baseUrl: 'http://127.0.0.1:1/v1', speechModel: a, speechVoice: b, transcriptionModel: c } }\n",
    );
    expect(config.sip).toMatchObject({ port: 5070, host: '127.0.0.1', transports: ['udp', 'tcp'] });
    expect(config.engines.tts).toEqual(['openai', 'espeak']);
    expect(config.engines.stt).toEqual({ en: ['pocketsphinx'], ar: ['openai'] });
    expect(config.engines.reply).toEqual(['scripted']);
    expect(config.engines.openai).toMatchObject({ speechRateHz: 24_000, transcriptionModel: 'c' });
    expect(config.engines.speechPrivacy).toBe('local');
  });

  it('gives no two configurations the same list', () => {
    const one = load('');
    (one.sip.transports as string[]).pop();
    expect(load('').sip.transports).toEqual(['udp', 'tcp']);
  });

  it('puts the environment over the file', () => {
    const env = {
      NIDAA_SIP_PORT: '5080',
      NIDAA_HTTP_PORT: '0',
      NIDAA_HOST: '0.0.0.0',
      NIDAA_DATA_DIR: 'elsewhere',
      NIDAA_RTP_PORTS: '30000-30099',
      NIDAA_LOG_LEVEL: 'debug',
      DATABASE_URL: 'postgres://u:p@db/nidaa',
      REDIS_URL: 'redis://cache:6379',
    };
    const config = load('sip: { port: 5070, host: 10.0.0.1 }\nlog: { level: warn }\n', env);
    expect(config).toMatchObject({
      sip: { port: 5080, host: '0.0.0.0' },
      http: { port: 0, host: '0.0.0.0' },
      media: { rtpPorts: { min: 30_000, max: 30_099 } },
      log: { level: 'debug' },
      store: { databaseUrl: 'postgres://u:p@db/nidaa' },
      jobs: { redisUrl: 'redis://cache:6379' },
      warnings: [],
    });
    expect(config.dataDir).toMatch(/^\/.*\/elsewhere$/);
    expect(load('', { NIDAA_SIP_PORT: '' }).sip.port).toBe(5060);
  });

  it('finds another file by NIDAA_CONFIG, and what stands beside it', () => {
    const folder = configFolder({
      'my/site.yaml': 'http: { port: 9000 }',
      'my/prices.yaml': '',
      'my/agents/a.yaml': '',
    });
    folders.push(folder);
    const config = loadConfig({ env: { NIDAA_CONFIG: 'my/site.yaml' }, cwd: folder.dir });
    expect(config.http.port).toBe(9000);
    expect(config.paths).toEqual({
      configFile: join(folder.dir, 'my/site.yaml'),
      pricesFile: join(folder.dir, 'my/prices.yaml'),
      agentsDir: join(folder.dir, 'my/agents'),
      trunksDir: join(SHIPPED_CONFIG_DIR, 'trunks'),
      lexiconDir: join(SHIPPED_CONFIG_DIR, 'lexicon'),
      musicDir: join(folder.dir, 'my/music'),
      voicesFile: join(SHIPPED_CONFIG_DIR, 'voices.yaml'),
      modelsFile: join(SHIPPED_CONFIG_DIR, 'models.yaml'),
    });
    expect(config.dataDir).toBe(join(folder.dir, 'data'));
  });

  it('warns of variables that look like a slip', () => {
    expect(load('', { NIDAA_SIPPORT: '1', NIDAA_TOKEN_OF_SOMETHING_ELSE: '1' }).warnings).toEqual([
      'environment NIDAA_SIPPORT is not used: did you mean NIDAA_SIP_PORT?',
    ]);
  });

  it('warns of a SIP port among those for audio', () => {
    const elsewhere = 'drachtio://:s@192.0.2.1:9022';
    expect(load(`sip: { server: '${elsewhere}', port: 5070, transports: [udp] }`).warnings).toEqual([
      'only the embedded SIP server obeys sip.port, sip.transports: set them at sip.server',
    ]);
    const own = 'tls: { verifyPeers: false }, unacknowledgedCallsMax: 31';
    expect(load(`sip: { server: '${elsewhere}', transports: [tls], ${own} }`).warnings).toEqual([
      'only the embedded SIP server obeys sip.transports, sip.tls, sip.unacknowledgedCallsMax: set them at sip.server',
    ]);
    expect(load(`sip: { server: '${elsewhere}', port: 5060, tls: { minVersion: TLSv1.2 } }`).warnings).toEqual([]);
    expect(load('media: { rtpPorts: { min: 5000, max: 6000 } }').warnings).toEqual([
      'sip.port 5060 lies in media.rtpPorts 5000..6000: one call fewer fits',
    ]);
  });

  it.each([
    ['allowedSources: [1.2.3]', 'allowedSources[0]: expected an address or a network, got 1.2.3'],
    [
      'allowedSources: [10.0.0.0/8, 10.0.0.0/33]',
      'allowedSources[1]: expected an address or a network, got 10.0.0.0/33',
    ],
    ['directHosts: [pbx.example, 300.1.1.1]', 'directHosts[1]: expected an address or a network, got 300.1.1.1'],
    ['directHosts: ["2001:db8::/129"]', 'directHosts[0]: expected an address or a network, got 2001:db8::/129'],
    ['externalAddress: "a b"', 'externalAddress: expected an address or a host name, got "a b"'],
  ])('takes for an address what is one: %s', (text, problem) => {
    expect(listedProblems(() => load(`sip: { ${text} }`))).toEqual([`nidaa.yaml:1 sip.${problem}`]);
  });

  it('finds the certificate of SIP over TLS where the data is', () => {
    const files = load('sip: { transports: [tls], tls: { certFile: a.pem, keyFile: /b/k.pem } }').sip.tls;
    expect(files).toMatchObject({ certFile: expect.stringMatching(/^\/.*\/a\.pem$/), keyFile: '/b/k.pem' });
    expect(files).not.toHaveProperty('caFile');
    const more = 'certFile: a.pem, keyFile: k.pem, certificates: [{ certFile: b.pem, keyFile: /b/k.pem }]';
    const both = load(`sip: { transports: [tls], tls: { ${more} } }`);
    const [first, second] = certificatePaths(both);
    expect(first).toMatchObject({ certFile: expect.stringMatching(/^\/.*\/a\.pem$/) });
    expect(second).toMatchObject({ certFile: expect.stringMatching(/^\/.*\/b\.pem$/), keyFile: '/b/k.pem' });
    expect(load('sip: { transports: [tls], tls: { selfSigned: true } }').sip.tls.port).toBeUndefined();
  });

  it.each([
    [
      'transports: [udp, tls]',
      'certFile: expected certFile and keyFile, or selfSigned: true, as sip.transports has tls',
    ],
    ['tls: { certFile: a }', 'keyFile: expected both certFile and keyFile, or neither'],
    ['tls: { keyFile: a }', 'certFile: expected both certFile and keyFile, or neither'],
    ['tls: { certFile: a, keyFile: b, selfSigned: true }', 'selfSigned: expected either files or selfSigned, got both'],
    [
      'transports: [tcp, tls], tls: { selfSigned: true, port: 5060 }',
      'port: expected a port other than sip.port, got 5060',
    ],
    [
      'transports: [tls], tls: { selfSigned: true, port: 8080 }',
      'port: expected a port other than http.port, got 8080',
    ],
    [
      `tls: { selfSigned: true, certificates: [${'{ certFile: a, keyFile: b }, '.repeat(101)}] }`,
      'certificates: expected a list of at most 100, got 101 entries',
    ],
    [
      'transports: [tls], tls: { certificates: [{ certFile: a, keyFile: b }] }',
      'certFile: expected certFile and keyFile, or selfSigned: true, as sip.transports has tls',
    ],
  ])('wants of TLS what it needs: %s', (text, problem) => {
    expect(listedProblems(() => load(`sip: { ${text} }`))).toEqual([expect.stringMatching(`sip.tls.${problem}$`)]);
  });

  it('takes keys from the environment, never from the file', () => {
    const text = 'engines:\n  openai:\n    baseUrl: https://api.example.com/v1\n    apiKeyEnv: MY_KEY\n';
    expect(load(text, { MY_KEY: 'k' }).engines.openai).toMatchObject({
      apiKey: 'k',
      baseUrl: 'https://api.example.com/v1',
    });
    expect(listedProblems(() => load(text))).toEqual([
      'nidaa.yaml:4 engines.openai.apiKeyEnv: expected a key in the environment variable MY_KEY, got nothing',
    ]);
    expect(listedProblems(() => load(text.replace('MY_KEY', '"sk-123"')))).toEqual([
      'nidaa.yaml:4 engines.openai.apiKeyEnv: expected the name of an environment variable, got "sk-123"',
    ]);
  });

  it('asks for the secrets of those alone that are worked with, and lets no carrier in without its own', () => {
    const text = `engines:
  openai: { baseUrl: https://api.example.com/v1, apiKeyEnv: MY_KEY }
streams:
  twilio: { secretEnv: TWILIO }
  asterisk: { secretEnv: ASTERISK }
`;
    const missing = (secretsOf?: ('engines' | 'carriers')[]): (string | undefined)[] => {
      const found = listedProblems(() => load(text, {}, secretsOf));
      return found.map((problem) => /variable (\w+)/.exec(problem)?.[1]);
    };
    expect(missing()).toEqual(['MY_KEY', 'TWILIO', 'ASTERISK']);
    expect(missing(['engines'])).toEqual(['MY_KEY']);
    expect(missing(['carriers'])).toEqual(['TWILIO', 'ASTERISK']);
    expect(Object.keys(load(text, {}, []).streams)).toEqual(['connectionsMax']);
    const secret = 'a-secret-of-some-length';
    expect(load(text, { ASTERISK: secret }, []).streams.asterisk).toEqual({ secret });
  });

  it.each([
    {
      name: 'no server for the chosen engine',
      text: 'engines:\n  tts: espeak\n  reply: [openai, scripted]\n',
      problems: ['nidaa.yaml:2 engines.openai: expected baseUrl and chatModel: engines.reply names it'],
    },
    {
      name: 'no model for the chosen engine',
      text: 'engines:\n  document: openai\n  openai:\n    baseUrl: http://127.0.0.1:11434/v1\n',
      problems: ['nidaa.yaml:4 engines.openai.chatModel: expected the name of a model: engines.document names openai'],
    },
    {
      name: 'ears and a voice without their models',
      text: 'engines:\n  tts: openai\n  stt: { en: [openai, pocketsphinx] }\n  openai: { baseUrl: "http://127.0.0.1:1/v1" }\n',
      problems: [
        'nidaa.yaml:4 engines.openai.speechModel: expected the name of a model: engines.tts names openai',
        'nidaa.yaml:4 engines.openai.speechVoice: expected the name of a voice: engines.tts names openai',
        'nidaa.yaml:4 engines.openai.transcriptionModel: expected the name of a model: engines.stt.en names openai',
      ],
    },
    {
      name: 'an address with a password',
      text: 'engines:\n  openai:\n    baseUrl: https://me:secret@api.example.com/v1\n',
      problems: [
        'nidaa.yaml:3 engines.openai.baseUrl: expected an address like http://127.0.0.1:11434/v1, without a password',
      ],
    },
    {
      name: 'addresses that no Wyoming server has',
      text: 'engines:\n  wyoming:\n    baseUrl: http://127.0.0.1:10300\n    speechUrl: tcp://127.0.0.1:99999\n',
      problems: [
        'nidaa.yaml:3 engines.wyoming.baseUrl: expected an address like tcp://127.0.0.1:10300, got "http://127.0.0.1:10300"',
        'nidaa.yaml:4 engines.wyoming.speechUrl: expected an address like tcp://127.0.0.1:10300, got "tcp://127.0.0.1:99999"',
      ],
    },
    {
      name: 'wrong figures of a chat server',
      text: 'engines:\n  openai:\n    baseUrl: ftp://x\n    firstTokenMs: 5\n    documentPrivacy: some\n',
      problems: [
        'nidaa.yaml:3 engines.openai.baseUrl: expected an http(s) address, got "ftp://x"',
        'nidaa.yaml:4 engines.openai.firstTokenMs: expected an integer 100..60000, got 5',
        'nidaa.yaml:5 engines.openai.documentPrivacy: expected one of off, redact, block, got "some"',
      ],
    },
  ])('refuses $name', ({ text, problems }) => {
    expect(listedProblems(() => load(text))).toEqual(problems);
  });

  it('an agent names its engine, and one that exists', () => {
    const folder = configFolder({
      'a.yaml':
        'number: "1"\nname: Desk\nlanguage: en-US\nvoice: emma\nmodel: sada-1\ngreeting: { en: Hello. }\nreplyEngine: parrot\nprivacy: some\n',
    });
    folders.push(folder);
    const voices = loadVoices(join(SHIPPED_CONFIG_DIR, 'voices.yaml'));
    expect(listedProblems(() => loadAgents(folder.dir, voices, folder.dir))).toEqual([
      'a.yaml:7 replyEngine: expected one of scripted, openai, got "parrot"',
      'a.yaml:8 privacy: expected one of off, redact, block, got "some"',
    ]);
  });

  it('warns of a chat server that is reached without encryption, or waited for too long', () => {
    const text = (host: string): string => `engines: { openai: { baseUrl: 'http://${host}/v1' } }`;
    expect(load(text('gpu.example.com')).warnings).toEqual([
      'engines.openai.baseUrl is not encrypted: what is sent, and a key, can be read on the way',
    ]);
    const wyoming = "engines: { wyoming: { baseUrl: 'tcp://127.0.0.1:10300', speechUrl: 'tcp://10.0.0.8:10200' } }";
    expect(load(wyoming).warnings).toEqual([
      'engines.wyoming.speechUrl is not encrypted: what is sent, and a key, can be read on the way',
    ]);
    expect(load(text('127.0.0.1:11434')).warnings).toEqual([]);
    const patient = "engines: { openai: { baseUrl: 'http://127.0.0.1:1/v1', firstTokenMs: 5000 } }";
    expect(load(patient).warnings).toEqual([
      'engines.openai.firstTokenMs is not below conversation.replyTimeoutMs: nobody else can answer in time',
    ]);
  });

  it.each([
    {
      name: 'a wrong type',
      text: 'sip:\n  port: "5060"',
      problems: ['nidaa.yaml:2 sip.port: expected an integer 0..65535, got "5060"'],
    },
    {
      name: 'out of range',
      text: 'sip: { port: 70000 }',
      problems: ['nidaa.yaml:1 sip.port: expected an integer 0..65535, got 70000'],
    },
    {
      name: 'a fraction',
      text: 'sip: { port: 50.6 }',
      problems: ['nidaa.yaml:1 sip.port: expected an integer 0..65535, got 50.6'],
    },
    {
      name: 'an unknown key',
      text: '\nsip:\n  prot: 5060',
      problems: ['nidaa.yaml:3 sip.prot: unknown key (did you mean port?)'],
    },
    {
      name: 'a unit forgotten',
      text: 'conversation:\n  noInput: 8',
      problems: ['nidaa.yaml:2 conversation.noInput: unknown key (did you mean noInputMs?)'],
    },
    { name: 'an unknown section', text: 'telephone: {}', problems: ['nidaa.yaml:1 telephone: unknown key'] },
    {
      name: 'a key of objects',
      text: 'toString: 1\nsip: { constructor: 2 }',
      problems: ['nidaa.yaml:1 toString: unknown key', 'nidaa.yaml:2 sip.constructor: unknown key'],
    },
    {
      name: 'a choice',
      text: 'log:\n  level: loud',
      problems: ['nidaa.yaml:2 log.level: expected one of fatal, error, warn, info, debug, trace, silent, got "loud"'],
    },
    {
      name: 'a number or a word',
      text: 'media: { workers: many }',
      problems: ['nidaa.yaml:1 media.workers: expected an integer 1..64 or auto, got "many"'],
    },
    { name: 'text for a section', text: 'sip: yes', problems: ['nidaa.yaml:1 sip: expected a section, got "yes"'] },
    { name: 'a list for a section', text: '- a', problems: ['nidaa.yaml:1 expected a section, got a list'] },
    {
      name: 'a wrong item',
      text: 'sip:\n  transports:\n    - udp\n    - sctp',
      problems: ['nidaa.yaml:4 sip.transports[1]: expected one of udp, tcp, tls, ws, wss, got "sctp"'],
    },
    {
      name: 'an empty list',
      text: 'sip: { transports: [] }',
      problems: ['nidaa.yaml:1 sip.transports: expected a list of at least 1, got an empty list'],
    },
    {
      name: 'a server',
      text: 'sip: { server: "drachtio://host" }',
      problems: ['nidaa.yaml:1 sip.server: expected embedded or drachtio://:secret@host:9022, got "drachtio://host"'],
    },
    {
      name: 'an engine',
      text: 'engines: { tts: { espeak: true } }',
      problems: ['nidaa.yaml:1 engines.tts: expected the name of an engine, or a list of names, got a section'],
    },
    {
      name: 'an alias',
      text: 'http: &a { port: 1 }\nsip: *a',
      problems: ['nidaa.yaml:2 sip: expected a section, got an alias'],
    },
    {
      name: 'twice the same key',
      text: 'http: {}\nhttp: {}',
      problems: [expect.stringMatching(/^nidaa.yaml:2 not YAML: Map keys must be unique/)],
    },
    { name: 'no YAML', text: 'sip: {', problems: [expect.stringMatching(/^nidaa.yaml:\d not YAML: /)] },
    {
      name: 'several at once',
      text: 'sip:\n  port: x\nhttp:\n  prot: 1\nlog:\n  level: 3',
      problems: [
        'nidaa.yaml:2 sip.port: expected an integer 0..65535, got "x"',
        'nidaa.yaml:4 http.prot: unknown key (did you mean port?)',
        expect.stringMatching(/^nidaa.yaml:6 log.level: expected one of .*, got 3$/),
      ],
    },
  ])('lists $name', ({ text, problems }) => {
    expect(listedProblems(() => load(text))).toEqual(problems);
    expect(() => load(text)).toThrow(OperatorError);
  });

  it.each([
    {
      name: 'jitter bounds',
      text: 'media:\n  jitterMinMs: 300',
      problem: 'nidaa.yaml:2 media.jitterMinMs: expected at most jitterMaxMs (200), got 300',
    },
    {
      name: 'endpointing bounds',
      text: 'conversation:\n  endpointingMinMs: 4000',
      problem: 'nidaa.yaml:2 conversation.endpointingMinMs: expected at most endpointingMaxMs (2000), got 4000',
    },
    {
      name: 'barge-in before speech',
      text: 'conversation:\n  bargeInMs: 100',
      problem: 'nidaa.yaml:2 conversation.vadStartMs: expected at most bargeInMs (100), got 200',
    },
    {
      name: 'no room for RTP',
      text: 'media:\n  rtpPorts: { min: 20001, max: 20001 }',
      problem: 'nidaa.yaml:2 media.rtpPorts: expected an even port and the odd one above it, got 20001..20001',
    },
    {
      name: 'HTTP on SIP',
      text: 'http:\n  port: 5060',
      problem: 'nidaa.yaml:2 http.port: expected a port other than sip.port, got 5060',
    },
  ])('holds settings together: $name', ({ text, problem }) => {
    expect(listedProblems(() => load(text))).toEqual([problem]);
  });

  it.each([
    {
      env: { NIDAA_SIP_PORT: '5060x' },
      problem: 'environment NIDAA_SIP_PORT: expected an integer 0..65535, got "5060x"',
    },
    {
      env: { NIDAA_HTTP_PORT: '65536' },
      problem: 'environment NIDAA_HTTP_PORT: expected an integer 0..65535, got "65536"',
    },
    {
      env: { NIDAA_RTP_PORTS: '2000' },
      problem: 'environment NIDAA_RTP_PORTS: expected two ports from 1024 on, like 20000-23999, got "2000"',
    },
    {
      env: { NIDAA_LOG_LEVEL: 'LOUD' },
      problem:
        'environment NIDAA_LOG_LEVEL: expected one of fatal, error, warn, info, debug, trace, silent, got "LOUD"',
    },
    {
      env: { DATABASE_URL: 'mysql://u:secret@h' },
      problem:
        'environment DATABASE_URL: expected embedded or postgres://user:password@host/database, got something else',
    },
  ])('refuses $env', ({ env, problem }) => {
    expect(listedProblems(() => load('', env))).toEqual([problem]);
  });

  it('says which file is not there', () => {
    expect(listedProblems(() => loadConfig({ env: { NIDAA_CONFIG: '/nowhere/x.yaml' } }))).toEqual([
      expect.stringMatching(/^\/nowhere\/x.yaml cannot be read: ENOENT/),
    ]);
  });

  it('does not fill the screen', () => {
    const text = Array.from({ length: 500 }, (_, n) => `key${n}: 1`).join('\n');
    const listed = listedProblems(() => load(text));
    expect(listed).toHaveLength(51);
    expect(listed.at(-1)).toBe('... and 450 more');
  });
});
