import { CommanderError } from 'commander';
import { ServiceError } from '../client/service-error.ts';
import { errorText, OperatorError } from '../core/errors.ts';
import { buildProgram } from './program.ts';
import { endOf } from './service.ts';

/** What went wrong as one sentence, or nothing where help or the version was asked for. */
function sentenceOf(error: unknown, verbose: boolean): string | undefined {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0 || error.code === 'commander.help') return undefined;
    return error.message.replace(/^error: /, '');
  }
  if (error instanceof ServiceError) return endOf(error).text;
  const surprising = verbose && !(error instanceof OperatorError);
  return surprising ? ((error as Error)?.stack ?? String(error)) : errorText(error);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof ServiceError) return endOf(error).exitCode;
  return error instanceof CommanderError ? error.exitCode : 1;
}

/** Runs one command of the shell; `argv` as `process.argv` has it. Never rejects: what failed is in the exit code and on standard error. */
export async function runCommand(argv: readonly string[]): Promise<void> {
  try {
    await buildProgram().parseAsync(argv);
  } catch (error) {
    const text = sentenceOf(error, argv.includes('--verbose') || argv.includes('-v'));
    process.exitCode = exitCodeOf(error);
    if (text === undefined) return;
    const code = error instanceof ServiceError ? { code: error.code } : {};
    const line = argv.includes('--json') ? JSON.stringify({ error: text, ...code }) : `error: ${text}`;
    process.stderr.write(`${line}\n`);
  }
}
