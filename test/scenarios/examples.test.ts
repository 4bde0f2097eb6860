import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { hasCommand } from '../support/caller-voice.ts';
import { ROOT, type RunningGateway } from '../support/gateway.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const ready = hasCommand('espeak-ng') && hasCommand('curl') && hasCommand('python3');
if (!ready) console.warn('\n!!! NOT EVERY SAMPLE IS RUN: espeak-ng, curl or python3 not installed !!!\n');

/** Five dozen programs one after the other, on a machine that may have other things to do. */
const MS_MAX = 300_000;
const EVERY_OPERATION = [
  ...['listAgents', 'createAgentReply', 'createSpeech', 'streamSpeech', 'createTranscribeToken', 'createTalkToken'],
  ...[
    'transcribe',
    'askDocument',
    'normalizeText',
    'checkCoverage',
    'redactText',
    'listVoices',
    'getVoice',
    'listModels',
  ],
];
/** Where the run is short: sound that is written, and a socket. */
const OPERATIONS = EVERY_TEST ? EVERY_OPERATION : ['createSpeech'];
const WISHED = EVERY_TEST ? [] : [...OPERATIONS, 'transcribeLive'];

interface Ran {
  readonly code: number | null;
  readonly lines: string[];
  readonly stderr: string;
}

/** Against `gateway`, or one that the script starts for itself. */
function runExamples(args: readonly string[], gateway?: RunningGateway): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const { NIDAA_URL: _url, NIDAA_TOKEN: _token, ...env } = process.env;
    const running = gateway && { NIDAA_URL: gateway.api, NIDAA_TOKEN: gateway.token };
    const child = spawn(join(ROOT, 'scripts/examples'), args, { cwd: ROOT, env: { ...env, ...running } });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, lines: stdout.trimEnd().split('\n'), stderr }));
  });
}

describe.skipIf(!ready)('the samples of the reference', () => {
  it(
    'run as they are published',
    async () => {
      const { code, lines, stderr } = await runExamples(WISHED, await sharedGateway(inject('gatewayDesk')));
      const failed = lines.filter((line) => /^(?:FAILED|skipped)/.test(line));
      // An assertion would show the first words only.
      if (failed.length > 0 || code !== 0) throw new Error([`exit code ${code}`, ...failed, stderr].join('\n'));
      const ran = lines.map((line) => line.split(/\s+/).slice(0, 3).join(' '));
      for (const operation of OPERATIONS) {
        for (const label of ['curl', 'TypeScript', 'Python', 'Client'])
          expect(ran).toContain(`ok ${operation} ${label}`);
      }
      for (const label of ['nidaa', 'TypeScript', 'Python', 'Client'])
        expect(ran).toContain(`ok transcribeLive ${label}`);
      if (EVERY_TEST) expect(ran).toContain('ok talk TypeScript');
    },
    MS_MAX,
  );

  it('fail loudly for an operation that is not there', async () => {
    const { code, stderr } = await runExamples(['nonsense'], await sharedGateway(inject('gatewayDesk')));
    expect([code, stderr]).toEqual([1, expect.stringContaining('error: no operation is called nonsense')]);
  }, 60_000);
});
