import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
const ROOT = join(SRC, '..');

/** Who may import whom. `media/description` and `call/call-registry` are single files others may know. */
const ALLOWED: Record<string, readonly string[]> = {
  core: [],
  audio: ['core'],
  // What is told to collectors of traces.
  telemetry: ['core'],
  // What engines of text share: how words are written, counted and called.
  language: ['core'],
  'sip-server': ['core'],
  // Settings of services are described where the services are.
  config: [
    'core',
    'language',
    'engines/providers/providers',
    'engines/providers/provider',
    'engines/providers/openai/settings',
  ],
  store: ['core'],
  media: ['audio', 'core'],
  engines: ['language', 'audio', 'core'],
  billing: ['store', 'core'],
  call: ['media', 'engines', 'language', 'billing', 'store', 'audio', 'core'],
  // Keys are read from descriptions and written into them.
  sip: [
    'call',
    'media/description',
    'media/media-session',
    'media/srtp/srtp-key',
    'media/srtp/srtp-suite',
    'media/edge/media-edge',
    'core',
  ],
  // Trunks, phones and numbers: who may call, and how calls go out.
  trunks: ['call', 'store', 'core'],
  // Calls that agents make: what may be called and when, the queue, the pace.
  outbound: ['call', 'store', 'core'],
  // Media legs that are not SIP: they are legs and ports of calls, as `sip` and `media` have them.
  streams: ['call', 'media', 'audio', 'core'],
  api: ['engines', 'language', 'billing', 'store', 'audio', 'core'],
  // Programs of accounts are told what happens.
  webhooks: ['store', 'core'],
  // Where recordings are kept: on disks of nodes, and in the home that all share.
  recordings: ['audio', 'store', 'core'],
  jobs: ['recordings', 'engines', 'billing', 'store', 'core'],
  // Runs in a browser: what it knows of the gateway is the document of the management API. Shapes of trunks, differences, rates of
  // audio and names of events are data and sums.
  console: [
    ...(['core/management', 'core/webhook', 'core/trunk', 'core/trunk-status'] as const),
    ...(['manage/json-diff', 'audio/resampler'] as const),
    // An agent's text is read and changed by the same code in the browser and in the gateway.
    ...['equal', 'shape', 'yaml-document', 'yaml-edit', 'yaml-text'].map((file) => `config/agent-text/${file}`),
  ],
  client: ['api/schemas', 'api/socket-schemas', 'core'], // types only: it runs in other people's programs
  // Dialogues that an agent must hold, as text: how calls gather keys and take interruptions, without a call.
  'agent-tests': [
    'call/barge-in',
    'call/dtmf-collector',
    'call/phrases',
    'call/transcript',
    'engines',
    'language',
    'core',
  ],
  // What is set up and looked at, for people and programs: over the same parts as the command line.
  manage: [
    'agent-tests',
    'api',
    'config',
    'engines',
    'language',
    'billing',
    'store',
    'call',
    'trunks',
    'outbound',
    'webhooks',
    'recordings',
    'audio',
    'core',
  ],
  // The command line starts the same objects as the gateway does.
  cli: [
    'language',
    ...[
      'config',
      'core',
      'engines',
      'billing',
      'store',
      'audio',
      'media',
      'call',
      'sip',
      'sip-server',
      'jobs',
      'trunks',
      'outbound',
      'manage',
      'agent-tests',
      'recordings',
    ],
    'client',
  ],
};
const EVERYTHING = new Set(['main.ts', 'compose.ts', 'compose']);

/** Written by the build, from the descriptions of the management API. */
const GENERATED = 'generated';

function sourceFiles(folder: string, endings = /\.tsx?$/): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? entry.name === GENERATED
        ? []
        : sourceFiles(join(folder, entry.name), endings)
      : endings.test(entry.name)
        ? [join(folder, entry.name)]
        : [],
  );
}

/** What still fits beside another file, strings and data included. */
const LINE_MAX = 160;

const imports = sourceFiles(SRC).flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => ({
    file: relative(SRC, file),
    target: match[1]!,
  })),
);

/** Imports between our own files, as paths below `src`. */
const ours = imports
  .filter(({ target }) => target.startsWith('.'))
  .map(({ file, target }) => ({ file, to: relative(SRC, resolve(dirname(join(SRC, file)), target)) }));

/** Folders of `engines` that know more of another than its contract, until what they share has a module of its own. */
const ENGINES_KNOW: Record<string, readonly string[]> = {
  'after-call': ['privacy'],
  document: ['privacy'],
  mcp: ['openai', 'reply', 'tools'],
  openai: ['document', 'privacy', 'reply'],
  privacy: ['reply', 'text'],
  providers: ['openai', 'stt'],
  reply: ['document', 'openai', 'privacy'],
  tools: ['reply'],
};

/** Files that name each other, by type only. */
const KNOWN_CIRCLES: readonly (readonly string[])[] = [
  ['dialog-store.ts', 'dialog.ts', 'hop-finder.ts', 'session-timer.ts', 'ua-context.ts'].map(
    (name) => `sip-server/dialog/${name}`,
  ),
];

/** Who has no clock passed in, and why. */
const OWN_TIME: Record<string, string> = {
  'core/clock.ts': 'it is the clock',
  'media/plane/monotonic.ts': 'one clock for all threads',
  'media/worker/media-worker.ts': 'the start of a thread: nobody could hand it a clock',
  'media/recording/recorder-worker.ts': 'the start of a thread',
  'engines/stt/recogniser-loop.ts': 'the start of a thread or process',
  'sip-server/dialog/hop-finder.ts': 'limits of one connection attempt',
  'api/samples-socket.ts': "a sample of the reader's own program",
  'api/samples-talk.ts': "a sample of the reader's own program",
  'cli/nidaa.ts': 'the end of the program',
  'cli/own-record.ts': 'a command waits in real time',
  'cli/checks/running-gateway.ts': 'a command waits in real time',
  'client/patience.ts': "runs in other people's programs",
  'client/transport.ts': "runs in other people's programs",
  'client/live-transcription.ts': "runs in other people's programs",
};
const BARE_TIME =
  /(?<![.\w#])set(?:Timeout|Interval)\(|\bDate\.now\(|\bperformance\.now\(|\bAbortSignal\.timeout\(|\bsetTimeout as\b/;

/** Sets of files that reach each other by their imports (Tarjan's strongly connected components), each in order. */
function circles(): string[][] {
  const targets = new Map<string, string[]>();
  for (const { file, to } of ours) targets.set(file, [...(targets.get(file) ?? []), to]);
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    stack.push(file);
    for (const to of targets.get(file) ?? []) {
      if (!order.has(to)) visit(to);
      if (stack.includes(to)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(to)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1 || (targets.get(file) ?? []).includes(file)) found.push(circle.sort());
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return found.sort();
}

describe('the house', () => {
  it('has files to judge', () => {
    expect(imports.length).toBeGreaterThan(50);
  });

  it('imports only what the table allows', () => {
    const wrong = imports.filter(({ file, target }) => {
      if (!target.startsWith('.')) return false;
      const from = file.split('/')[0]!;
      const to = relative(SRC, resolve(dirname(join(SRC, file)), target));
      const toFolder = to.split('/')[0]!;
      if (EVERYTHING.has(from) || toFolder === from) return false;
      return !(ALLOWED[from] ?? []).some((allowed) => toFolder === allowed || to === `${allowed}.ts`);
    });
    expect(wrong).toEqual([]);
  });

  it('keeps the folders of engines apart, but for their contracts', () => {
    const wrong = ours.filter(({ file, to }) => {
      const [[room, from, inner], [target, folder, name]] = [file.split('/'), to.split('/')];
      if (room !== 'engines' || target !== 'engines' || inner === undefined || name === undefined) return false;
      return from !== folder && name !== 'contract.ts' && !ENGINES_KNOW[from!]?.includes(folder!);
    });
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(ENGINES_KNOW).flatMap(([from, known]) => known.map((to) => ({ from, to }))))(
    'has no exception that is not needed: engines/$from knows engines/$to',
    ({ from, to }) => {
      const uses = ours.some((one) => one.file.startsWith(`engines/${from}/`) && one.to.startsWith(`engines/${to}/`));
      expect(uses).toBe(true);
    },
  );

  it('says in every folder of engines what it is for', () => {
    const folders = readdirSync(join(SRC, 'engines'), { withFileTypes: true }).filter((one) => one.isDirectory());
    expect(folders.length).toBeGreaterThan(5);
    const silent = folders
      .map(({ name }) => name)
      .filter((name) => !existsSync(join(SRC, 'engines', name, 'README.md')));
    expect(silent).toEqual([]);
  });

  it('imports in no circle', () => {
    expect(circles()).toEqual([...KNOWN_CIRCLES].sort());
  });

  it('has time passed in', () => {
    const own = sourceFiles(SRC)
      .filter((file) => !relative(SRC, file).startsWith('console/')) // in a browser there is one time
      .filter((file) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .some((line) => !/^\s*(?:\*|\/\/|\/\*)/.test(line) && BARE_TIME.test(line)),
      )
      .map((file) => relative(SRC, file));
    expect(own.sort()).toEqual(Object.keys(OWN_TIME).sort());
  });

  it('keeps drachtio-srf inside sip/', () => {
    expect(imports.filter(({ file, target }) => target.startsWith('drachtio') && !file.startsWith('sip/'))).toEqual([]);
  });

  it('keeps the library of models, which has a licence of its own, to the processes of models', () => {
    const reached = (from: readonly string[]): ReadonlySet<string> => {
      const all = new Set(from);
      for (const file of all) for (const one of ours) if (one.file === file) all.add(one.to);
      return all;
    };
    const loaders = ['load-library', 'onnx-runtime'].map((name) => `engines/providers/sherpa/${name}.ts`);
    const own = 'engines/providers/sherpa/sherpa-process-main.ts';
    const gateway = reached(['main.ts', 'cli/nidaa.ts']);
    expect(gateway.has('engines/providers/sherpa/sherpa-provider.ts')).toBe(true);
    expect([...loaders, own].filter((file) => gateway.has(file))).toEqual([]);
    const model = reached([own]);
    expect(loaders.filter((file) => !model.has(file))).toEqual([]);
    const named = sourceFiles(SRC).filter((file) =>
      /SHERPA_PACKAGE\b|nativePackage\(/.test(readFileSync(file, 'utf8')),
    );
    const loading = named.filter((file) => /require\((?:SHERPA_PACKAGE|'koffi')/.test(readFileSync(file, 'utf8')));
    expect(loading.map((file) => relative(SRC, file))).toEqual(loaders);
  });

  it('reads the environment in one place', () => {
    const readers = sourceFiles(SRC).filter((file) => readFileSync(file, 'utf8').includes('process.env'));
    expect(
      readers.map((file) => relative(SRC, file)).filter((file) => !/^(config\/load|main|cli\/)/.test(file)),
    ).toEqual([]);
  });

  it('keeps files readable in one sitting', () => {
    const long = sourceFiles(SRC)
      .map((file) => ({ file: relative(SRC, file), lines: readFileSync(file, 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > 401);
    expect(long).toEqual([]);
  });

  it('keeps lines readable without scrolling', () => {
    const long = ['src', 'test', 'scripts']
      .flatMap((folder) => sourceFiles(join(ROOT, folder), /\.(?:tsx?|mjs)$/))
      .flatMap((file) => {
        const lines = readFileSync(file, 'utf8').split('\n');
        return lines.flatMap((line, at) => (line.length > LINE_MAX ? [`${relative(ROOT, file)}:${at + 1}`] : []));
      });
    expect(long).toEqual([]);
  });
});
