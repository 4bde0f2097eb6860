import { CommanderError } from 'commander';
import { errorText, OperatorError } from '../core/errors.ts';
import { buildProgram } from './program.ts';

/** A part that does not let go must not keep a finished command from ending. */
const LINGER_MS_MAX = 3_000;

/** What went wrong as one sentence, or nothing where help or the version was asked for. */
function sentenceOf(error: unknown, verbose: boolean): string | undefined {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0 || error.code === 'commander.help') return undefined;
    return error.message.replace(/^error: /, '');
  }
  const surprising = verbose && !(error instanceof OperatorError);
  return surprising ? ((error as Error)?.stack ?? String(error)) : errorText(error);
}

async function main(argv: readonly string[]): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(); // Whoever read our output has seen enough: `nidaa calls list | head`.
  });
  try {
    await buildProgram().parseAsync(argv);
  } catch (error) {
    const text = sentenceOf(error, argv.includes('--verbose') || argv.includes('-v'));
    process.exitCode = error instanceof CommanderError ? error.exitCode : 1;
    if (text !== undefined) {
      const line = argv.includes('--json') ? JSON.stringify({ error: text }) : `error: ${text}`;
      process.stderr.write(`${line}\n`);
    }
  }
  setTimeout(() => process.exit(), LINGER_MS_MAX).unref();
}

void main(process.argv);
