import { certificatePaths } from '../config/certificate-paths.ts';
import type { Config, LoadOptions } from '../config/load.ts';
import { errorText } from '../core/errors.ts';
import { createLogger, type Logger, silentLogger } from '../core/logger.ts';
import { checkCallers, checkSecretKey } from './checks/callers.ts';
import { checkCertificate } from './checks/certificate.ts';
import { checkConfiguration } from './checks/configuration.ts';
import { checkDatabase } from './checks/database.ts';
import { checkEngines } from './checks/engines.ts';
import { type CheckState, type Finding, fail } from './checks/finding.ts';
import { checkMachine, checkProgram } from './checks/machine.ts';
import { checkMediaEdge } from './checks/media-edge.ts';
import { checkNetwork } from './checks/network.ts';
import { checkRecordings } from './checks/recordings.ts';
import { checkRedis } from './checks/redis.ts';
import { findRunningGateway } from './checks/running-gateway.ts';
import { type Color, emit, type Output, paint } from './output.ts';

const MARKS: Readonly<Record<CheckState, { readonly text: string; readonly color: Color }>> = {
  ok: { text: 'ok', color: 'green' },
  info: { text: 'info', color: 'dim' },
  warn: { text: 'warn', color: 'yellow' },
  fail: { text: 'FAIL', color: 'red' },
};

/** Looks at everything the gateway needs. A check that itself breaks is a finding, never an exception. */
export async function examine(env: LoadOptions['env'], logger: Logger = silentLogger): Promise<readonly Finding[]> {
  const { findings, config } = checkConfiguration(env);
  const early = [...checkProgram(), ...findings];
  if (!config) return early;
  const running = await findRunningGateway(config);
  const checks: readonly [string, (config: Config) => Finding[] | Promise<Finding[]>][] = [
    ['network', (c) => checkNetwork(c, running)],
    ['callers', checkCallers],
    ['secret key', checkSecretKey],
    [
      'certificate',
      (c) =>
        checkCertificate({ config: c, now: new Date(), isRunning: running.pids.size > 0, paths: certificatePaths(c) }),
    ],
    ['engines', (c) => checkEngines(c, logger)],
    ['database', (c) => checkDatabase(c, logger)],
    ['Redis', checkRedis],
    ['media edge', checkMediaEdge],
    ['recordings', checkRecordings],
    ['machine', checkMachine],
  ];
  const late: Finding[] = [...running.findings];
  for (const [name, check] of checks) late.push(...(await attempt(name, () => check(config))));
  return [...early, ...late];
}

async function attempt(name: string, check: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    return [fail(name, `the check itself failed: ${errorText(error)}`, 'Run it again with --verbose.')];
  }
}

/** Prints what `examine` finds. @returns whether nothing fails. */
export async function doctor(out: Output, env: LoadOptions['env'], verbose: boolean): Promise<boolean> {
  const logger = verbose ? createLogger({ level: 'debug', redactPersonal: true }) : silentLogger;
  const findings = await examine(env, logger);
  emit(out, findings, () => print(out, findings));
  return findings.every(({ state }) => state !== 'fail');
}

/** @param wellDone - said where nothing fails. */
export function print(out: Output, findings: readonly Finding[], wellDone = 'The gateway can run'): void {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const indent = ' '.repeat(width + 8);
  for (const { check, state, detail, fix } of findings) {
    const { text, color } = MARKS[state];
    const lines = detail.replaceAll('\n', `\n${indent}`);
    out.write(`${paint(out, color, text.padEnd(4))}  ${check.padEnd(width)}  ${lines}\n`);
    if (fix !== null) out.write(`${indent}${paint(out, 'dim', `-> ${fix}`)}\n`);
  }
  const count = (wanted: CheckState): number => findings.filter(({ state }) => state === wanted).length;
  const [failed, warned] = [count('fail'), count('warn')];
  const verdict = failed > 0 ? `${failed} failed` : wellDone;
  out.write(`\n${paint(out, failed > 0 ? 'red' : 'green', verdict)}${warned > 0 ? `, ${warned} to consider` : ''}.\n`);
}
