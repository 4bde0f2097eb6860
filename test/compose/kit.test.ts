import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { haveKamailio } from '../support/kamailio.ts';
import { EVERY_TEST } from '../support/property-runs.ts';

const FOLDER = fileURLToPath(new URL('../../docker/', import.meta.url));
const read = (path: string): string => readFileSync(join(FOLDER, path), 'utf8');
/** The settings that the kit has its gateways run with. */
const settingsOf = (file: string, env: Readonly<Record<string, string>> = {}) =>
  loadConfig({ env: { ...env, NIDAA_CONFIG: join(FOLDER, file) } });

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly stop_grace_period?: string;
  readonly command?: readonly string[];
}
interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets?: object;
  readonly volumes?: object;
}
const compose = (name: string): ComposeFile => parse(read(name), { merge: true }) as ComposeFile;
const secondsOf = (time = ''): number => Number.parseInt(time, 10) * (time.endsWith('m') ? 60 : 1);
const runHere = (command: string, ...args: readonly string[]) =>
  spawnSync(command, args, { cwd: FOLDER, encoding: 'utf8' });
/** After SIGTERM: until nobody is sent here any more, and the longest call is over; and something to close in. */
const longestEndOf = ({ shutdown, conversation }: ReturnType<typeof settingsOf>): number =>
  shutdown.leadSeconds +
  (shutdown.drainSeconds === 'longest-call' ? conversation.maxCallSeconds : shutdown.drainSeconds) +
  20;

describe('the contact centre', () => {
  const { services, secrets, volumes } = compose('contact-centre.yaml');
  const gateways = Object.entries(services).filter(([name]) => name.startsWith('gateway-'));
  const configs = gateways.map(([, { environment }]) =>
    settingsOf('contact-centre/nidaa.yaml', {
      ...environment,
      ...{ NIDAA_HOST: '10.0.0.10', NIDAA_SECRETS_DIR: '' },
    }),
  );

  it('has gateways that share no port', () => {
    expect(gateways).toHaveLength(2);
    const ports = configs.flatMap(({ sip, http, metrics }) => [sip.port, http.port, metrics.port]);
    expect(new Set([...ports, 5060]).size).toBe(ports.length + 1);
    const [first, second] = configs.map(({ media }) => media.rtpPorts).sort((a, b) => a.min - b.min);
    expect(first!.max).toBeLessThan(second!.min);
  });

  it('sets variables that there are', () => {
    expect(configs.flatMap(({ warnings }) => warnings)).toEqual([]);
  });

  it('lets the longest call end', () => {
    gateways.forEach(([, { stop_grace_period }], n) => {
      expect(secondsOf(stop_grace_period)).toBeGreaterThanOrEqual(longestEndOf(configs[n]!));
    });
  });

  it('watches and calls the gateways that it has', () => {
    const { scrape_configs } = parse(read('contact-centre/prometheus.yml')) as {
      scrape_configs: [{ static_configs: [{ targets: string[] }] }];
    };
    expect(scrape_configs[0].static_configs[0].targets).toEqual(
      configs.map(({ metrics }) => `${metrics.host}:${metrics.port}`),
    );
    const hops = read('contact-centre/dispatcher.list').match(/(?<=^1 sip:).+(?= 0 0$)/gm);
    expect(hops).toEqual(gateways.map(([name], n) => `${name}:${configs[n]!.sip.port}`));
  });

  it('mounts what there is, and nothing that only root has', () => {
    for (const [name, { volumes: mounts = [], secrets: wanted = [] }] of Object.entries(services)) {
      for (const from of mounts.map((mount) => mount.split(':')[0]!)) {
        expect(from.startsWith('.') ? existsSync(join(FOLDER, from)) : from in volumes!, `${name}: ${from}`).toBe(true);
      }
      for (const secret of wanted) expect(secrets, name).toHaveProperty(secret);
    }
  });

  it('with rtpengine: the same settings and that, asked where it listens, on ports that no gateway has', () => {
    const { shutdown, media } = settingsOf('contact-centre/nidaa.edge.yaml');
    expect(shutdown).toEqual(settingsOf('contact-centre/nidaa.yaml').shutdown);
    const edge = compose('contact-centre.edge.yaml').services;
    const command = (edge['rtpengine']?.command ?? []).join(' ');
    expect(command).toContain(`--listen-ng=${media.edge?.engines[0]?.address} `);
    for (const name of [media.edge?.innerInterface, media.edge?.outerInterface]) {
      expect(command).toContain(`--interface=${name}/`);
    }
    const portMin = Number(/--port-min=(\d+)/.exec(command)?.[1]);
    expect(portMin).toBeGreaterThan(Math.max(...configs.map(({ media: { rtpPorts } }) => rtpPorts.max)));
    for (const [name] of gateways) {
      expect(edge[name]?.environment?.['NIDAA_CONFIG']).toBe('/etc/nidaa/nidaa.edge.yaml');
    }
  });

  it.runIf(EVERY_TEST && hasCommand('docker-compose'))('is understood by docker-compose', () => {
    for (const files of [['compose'], ['contact-centre'], ['contact-centre', 'contact-centre.edge']]) {
      const named = files.flatMap((file) => ['-f', `${file}.yaml`]);
      const run = spawnSync('docker-compose', [...named, 'config', '-q'], {
        ...{ cwd: FOLDER, env: { ...process.env, ADDRESS: '10.0.0.10', PUBLIC_ADDRESS: '198.51.100.7' } },
      });
      expect(run.status, String(run.stderr)).toBe(0);
    }
  });

  it.runIf(haveKamailio)('has a proxy whose configuration kamailio takes', () => {
    const args = ['-c', '-f', join(FOLDER, 'kamailio/kamailio.cfg'), '-w', join(FOLDER, 'kamailio')];
    const run = spawnSync('kamailio', args);
    expect(run.status, String(run.stderr)).toBe(0);
  });
});

it.runIf(EVERY_TEST && hasCommand('hadolint'))('hadolint finds no error in the images', () => {
  const { status, stdout, stderr } = runHere(
    'hadolint',
    '--failure-threshold',
    'error',
    'Dockerfile',
    'rtpengine/Dockerfile',
  );
  expect(status, stdout + stderr).toBe(0);
});

it('one machine: what is stopped is given the time that calls are', () => {
  const { nidaa } = compose('compose.yaml').services;
  expect(secondsOf(nidaa?.stop_grace_period)).toBeGreaterThan(longestEndOf(loadConfig({ env: {} })));
});

describe('the unit of systemd', () => {
  const unit = read('systemd/nidaa.service');
  const value = (key: string): string | undefined => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1];

  it('lets the longest call end, and stops the gateway alone, which stops its database', () => {
    expect(Number(value('TimeoutStopSec'))).toBeGreaterThanOrEqual(
      longestEndOf(settingsOf('contact-centre/nidaa.yaml')),
    );
    expect(value('KillMode')).toBe('mixed');
  });

  it('gives media threads their priority, and nothing else of root', () => {
    expect(value('AmbientCapabilities')).toBe('CAP_SYS_NICE');
    expect(value('CapabilityBoundingSet')).toBe('CAP_SYS_NICE');
    expect(value('RestrictRealtime')).toBeUndefined();
    expect(value('MemoryDenyWriteExecute')).toBeUndefined(); // V8 could not compile
  });

  it.runIf(hasCommand('systemd-analyze') && existsSync('/usr/bin/node'))('is understood by systemd', () => {
    const run = spawnSync('systemd-analyze', ['verify', join(FOLDER, 'systemd/nidaa.service')]);
    expect(`${run.stdout}${run.stderr}`).not.toMatch(/nidaa\.service:\d+/);
  });
});

describe('the manifests of Kubernetes', () => {
  interface Manifest {
    readonly kind: string;
    readonly metadata: { readonly name: string };
    readonly data?: Readonly<Record<string, string>>;
    readonly spec?: Readonly<Record<string, unknown>>;
  }
  interface Container {
    readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
    readonly env: readonly { readonly name: string; readonly value: string }[];
    readonly livenessProbe: { readonly httpGet: { readonly path: string } };
    readonly readinessProbe: { readonly httpGet: { readonly path: string } };
    readonly startupProbe: { readonly httpGet: { readonly path: string } };
    readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  }
  const manifests = parseAllDocuments(read('kubernetes/nidaa.yaml')).map((one) => one.toJS() as Manifest);
  const set = manifests.find(({ kind }) => kind === 'StatefulSet')!;
  const { template } = set.spec as {
    readonly template: {
      readonly spec: { readonly containers: [Container]; readonly terminationGracePeriodSeconds: number };
    };
  };
  const { spec: pod } = template;
  const [container] = pod.containers;
  const inMap = manifests.find(({ kind }) => kind === 'ConfigMap')?.data?.['nidaa.yaml'] ?? '';

  // It fetches the schemas that it goes by; those of the monitor are not among them.
  it.runIf(EVERY_TEST && hasCommand('kubeconform'))('are understood by kubeconform', () => {
    const files = ['kubernetes/nidaa.yaml', 'kubernetes/service-monitor.yaml'];
    const { status, stdout, stderr } = runHere('kubeconform', '-strict', '-ignore-missing-schemas', ...files);
    expect(status, stdout + stderr).toBe(0);
  });

  it('have the settings of the contact centre', () => {
    expect(parse(inMap)).toEqual(parse(read('contact-centre/nidaa.yaml')));
  });

  it('let the longest call end, after which the hook gives up and before which nothing is killed', () => {
    const waits = Number(/--wait (\d+)/.exec(container.lifecycle.preStop.exec.command.join(' '))?.[1]);
    const { conversation, shutdown } = settingsOf('contact-centre/nidaa.yaml');
    expect(waits).toBeGreaterThanOrEqual(conversation.maxCallSeconds + shutdown.leadSeconds);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(waits + shutdown.leadSeconds + 20);
  });

  it('ask whether it lives, and apart from that whether it takes calls', () => {
    expect(container.livenessProbe.httpGet.path).toBe('/healthz');
    expect(container.startupProbe.httpGet.path).toBe('/healthz');
    expect(container.readinessProbe.httpGet.path).toBe('/readyz');
  });

  it('name ports and variables that there are', () => {
    const { sip, http, metrics } = loadConfig({ env: {} });
    const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]));
    expect(ports).toEqual({ sip: sip.port, 'sip-tcp': sip.port, http: http.port, metrics: metrics.port });
    const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
    const { warnings } = settingsOf('contact-centre/nidaa.yaml', env);
    expect(warnings.filter((warning) => warning.startsWith('environment'))).toEqual([]);
  });
});

describe('the host', () => {
  const { sip, http, metrics, media } = loadConfig({ env: {} });
  const rtpPorts = `${media.rtpPorts.min}-${media.rtpPorts.max}`;

  it('keeps the ports of gateways for them', () => {
    const kept = /ip_local_reserved_ports = (.+)/.exec(read('host/sysctl.conf'))?.[1]?.split(',');
    expect(kept).toEqual([sip.port, sip.port + 1, http.port, metrics.port, rtpPorts].map(String));
  });

  it('opens those ports and no others', () => {
    const rules = read('host/nftables.conf');
    const opened = [...rules.matchAll(/(?:udp|tcp) dport (\{[^}]+\}|\S+) accept/g)].flatMap(
      ([, ports = '']) => ports.match(/[\d-]+/g) ?? [],
    );
    expect(new Set(opened)).toEqual(
      new Set(['22', `${sip.port}`, `${sip.port + 1}`, rtpPorts, `${http.port}`, `${metrics.port}`]),
    );
    expect(rules.match(new RegExp(`${rtpPorts} notrack`, 'g'))).toHaveLength(2);
  });
});
