import { runCommand } from './command.ts';

/** A part that does not let go must not keep a finished command from ending. */
const LINGER_MS_MAX = 3_000;
/** Neither a pause nor a connection that is kept holds the process: a command that waits by them would end before it is done. */
const busy = setInterval(() => undefined, 60_000);

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(); // Whoever read our output has seen enough: `nidaa calls list | head`.
});
void runCommand(process.argv).then(() => {
  clearInterval(busy);
  setTimeout(() => process.exit(), LINGER_MS_MAX).unref();
});
