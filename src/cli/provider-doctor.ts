import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { type Config, type LoadOptions, loadConfig } from '../config/load.ts';
import { withRemoteSpeech } from '../config/write-setting.ts';
import { systemClock } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import { type Logger, silentLogger } from '../core/logger.ts';
import type { Provider } from '../engines/providers/provider.ts';
import { PROVIDERS } from '../engines/providers/providers.ts';
import { type Finding, fail, ok } from './checks/finding.ts';
import { KeptSession } from './checks/kept-session.ts';
import { checkProvider, settingsOf } from './checks/provider.ts';
import { checkProviderLive } from './checks/provider-live.ts';
import { print } from './doctor.ts';
import { emit, type Output } from './output.ts';

export interface ProviderQuestion {
  readonly name: string;
  /** Have it say and hear something. */
  readonly live?: boolean;
  /** The question whether services may be used is answered. */
  readonly yes?: boolean;
  /** File for what goes over the wire meanwhile. */
  readonly keep?: string;
}

/** Asks whoever sits there; undefined where nobody does. */
export type Ask = (question: string) => Promise<string | undefined>;

/** Looks at one speech service, and says what it finds. @returns whether nothing fails. */
export async function providerDoctor(
  out: Output,
  env: LoadOptions['env'],
  question: ProviderQuestion,
  ask: Ask = askTerminal,
): Promise<boolean> {
  const provider = PROVIDERS.find(({ name }) => name === question.name);
  if (!provider) throw new OperatorError(`--provider: expected one of ${PROVIDERS.map(({ name }) => name).join(', ')}`);
  const config = loadConfig({ env });
  if (question.keep !== undefined && !question.live) throw new OperatorError('--keep: of a session with --live');
  const findings = await checkProvider(config, provider, silentLogger);
  const reachable = findings.every(({ state }) => state !== 'fail');
  if (question.live && reachable) findings.push(...(await live(config, provider, question, ask, silentLogger)));
  emit(out, findings, () => print(out, findings, `${provider.name} can be used`));
  return findings.every(({ state }) => state !== 'fail');
}

async function live(
  config: Config,
  provider: Provider,
  question: ProviderQuestion,
  ask: Ask,
  logger: Logger,
): Promise<Finding[]> {
  if (config.engines.speechPrivacy !== 'remote' && !(await allowed(config, provider, question, ask))) {
    const mend = `Write engines.speechPrivacy: remote into ${config.paths.configFile}, or say --yes.`;
    return [fail('live', 'nothing was sent: speechPrivacy is local', mend)];
  }
  const settings = settingsOf(config, provider.name)!;
  if (question.keep === undefined) return checkProviderLive(config, provider, settings, logger);
  const kept = new KeptSession(systemClock, settings.apiKey === undefined ? [] : [settings.apiKey]);
  try {
    const findings = await checkProviderLive(config, provider, settings, logger);
    const count = kept.writeTo(question.keep);
    return [...findings, ok('session', `${count} messages are written to ${question.keep}`)];
  } finally {
    kept.close();
  }
}

/** Asked once, and written: from then on services that engines name are used. */
async function allowed(config: Config, { name }: Provider, question: ProviderQuestion, ask: Ask): Promise<boolean> {
  const { configFile } = config.paths;
  const answer = question.yes ? 'yes' : await ask(consent(name, configFile));
  if (answer?.trim().toLowerCase() !== 'yes') return false;
  writeFileSync(configFile, withRemoteSpeech(readFileSync(configFile, 'utf8')));
  return true;
}

function consent(name: string, file: string): string {
  return [
    `${name} is a service outside this machine. Where engines.stt names it, it gets the audio of callers; where engines.tts names it,`,
    'what agents say, with the names and numbers in it. Whether that may be, and that callers are told of it, is yours to decide.',
    `"yes" writes engines.speechPrivacy: remote into ${file}, for every service that is named there. Now only a sentence of our own is sent.`,
    'May services hear and speak? [yes/no] ',
  ].join('\n');
}

async function askTerminal(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(question);
  } finally {
    terminal.close();
  }
}
