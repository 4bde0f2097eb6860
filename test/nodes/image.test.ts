import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasCommand } from '../support/caller-voice.ts';
import { ImageBuild } from '../support/image-build.ts';
import { freeSipPort, freeTcpPort, freeUdpRange } from '../support/ports.ts';
import { processesOf, type SeenProcess } from '../support/processes-of.ts';
import { LONG } from '../support/property-runs.ts';
import { stillHeard, TONE_HZ } from '../support/several-gateways.ts';
import { until } from '../support/until.ts';
import { VoicePhone } from '../support/voice-phone.ts';

const missing = ImageBuild.programs.filter((name) => !hasCommand(name));
const isRoot = process.getuid?.() === 0;
if (LONG && (missing.length > 0 || !isRoot))
  console.warn(`\n!!! NO IMAGE IS BUILT: ${[...missing, ...(isRoot ? [] : ['not root'])].join(', ')} !!!\n`);

const BUILD_MS_MAX = 1_800_000;
const READY_MS_MAX = 300_000;
const RTP_PORTS = 400;
/** Programs of the build and of the tests, and what they are made of. */
const FOREIGN = ['typescript', 'vitest', 'vite', '@biomejs', 'react', 'fast-check'];

/** Of an image that the quick tests read only: `compose/image`. */
describe.runIf(LONG && isRoot && missing.length === 0)('the image', () => {
  const image = new ImageBuild();
  beforeAll(() => image.make(), BUILD_MS_MAX);
  afterAll(() => image.dispose(), READY_MS_MAX);

  it('runs as a user who is not root, and says how it is looked at and ended', async () => {
    const config = await image.config();
    expect(config).toMatchObject({
      ...{ User: '1000:1000', WorkingDir: '/opt/nidaa', StopSignal: 'SIGTERM', Volumes: { '/data': {} } },
      Cmd: ['node', '--enable-source-maps', 'scripts/run.mjs', 'main'],
      Healthcheck: { Test: ['CMD', 'node', 'docker/healthy.mjs'] },
    });
    expect(config.Env).toContain('NIDAA_DATA_DIR=/data');
  });

  it('has what runs and nothing of what builds or tests', () => {
    const files = join(image.files, 'opt/nidaa');
    const modules = join(files, 'node_modules');
    expect(FOREIGN.filter((name) => existsSync(join(modules, name)))).toEqual([]);
    expect(readdirSync(files).includes('test')).toBe(false);
    const written = readdirSync(files, { recursive: true, encoding: 'utf8' });
    const types = written.filter((path) => /^(src|dist|scripts)\/.*\.ts$/.test(path));
    expect(types).toEqual([]);
    expect(execFileSync('getcap', [join(image.files, 'usr/bin/chrt')], { encoding: 'utf8' })).toMatch('cap_sys_nice');
    const [all, own] = [image.files, modules].map((path) => execFileSync('du', ['-sm', path], { encoding: 'utf8' }));
    console.log(`image: ${Number.parseInt(all!, 10)} MB, packages ${Number.parseInt(own!, 10)} MB`);
  });

  it('starts with nothing given, is alive, takes a call, and ends when it is told to', async () => {
    const [sipPort, httpPort, rtpPort] = [await freeSipPort(), await freeTcpPort(), await freeUdpRange(RTP_PORTS)];
    const env = {
      ...{ NIDAA_HOST: '127.0.0.1', NIDAA_SIP_PORT: String(sipPort), NIDAA_HTTP_PORT: String(httpPort) },
      ...{ NIDAA_METRICS_PORT: '0', NIDAA_RTP_PORTS: `${rtpPort}-${rtpPort + RTP_PORTS - 1}` },
    };
    const gateway = image.start(env, ...(await image.config()).Cmd);
    let said = '';
    for (const stream of [gateway.stdout, gateway.stderr])
      stream?.on('data', (text) => {
        said += String(text);
      });
    const ended = new Promise<number | null>((resolve) => gateway.once('exit', resolve));
    try {
      await until(
        () => said.includes('READY'),
        () => said,
        READY_MS_MAX,
      );
      const look = image.start(env, 'node', 'docker/healthy.mjs');
      expect(await new Promise((resolve) => look.once('exit', resolve))).toBe(0);
      const phone = await VoicePhone.open(sipPort);
      try {
        await phone.call(`sip:1000@127.0.0.1:${sipPort}`, TONE_HZ);
        await stillHeard(phone);
        await phone.hangUp();
      } finally {
        phone.close();
      }
    } finally {
      // As an engine does it: the program itself, beside which its builder runs.
      const isProgram = ({ command }: SeenProcess): boolean => command.startsWith('/usr/local/bin/node ');
      const own = processesOf(`NIDAA_SIP_PORT=${sipPort}`).filter(isProgram);
      for (const { pid } of own) process.kill(pid, 'SIGTERM');
    }
    expect([await ended, said.includes('EACCES')]).toEqual([0, false]);
  }, 600_000);
});
