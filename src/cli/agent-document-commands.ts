import type { Command } from 'commander';
import type { AddOptions, OfAgent } from './agent-documents.ts';
import type { CommandContext } from './context.ts';
import { wholeNumber } from './numbers.ts';

interface ProgramParts {
  readonly contextOf: (command: Command) => CommandContext;
  readonly example: (...lines: string[]) => string;
}

const commands = () => import('./agent-documents.ts');
const ACCOUNT = 'id or name; not needed where there is one account only';
/** Documents of 8 MB are read in seconds; a gateway may have others to read first. */
const WAIT_SECONDS = 60;
const WAIT_SECONDS_MAX = 3_600;

/** `agents documents`: files that an agent answers from. */
export function addDocumentCommands(agents: Command, { contextOf, example }: ProgramParts): void {
  const documents = agents.command('documents').description('files that an agent answers from, such as price lists');
  documents
    .command('list')
    .description('list the documents of an agent, and how far the reading of each is')
    .argument('<agent>', 'id or name')
    .option('--account <account>', ACCOUNT)
    .addHelpText('after', example('agents documents list "Corner Bakery"'))
    .action(async (agent: string, options: OfAgent, command: Command) =>
      (await commands()).listDocuments(contextOf(command), agent, options),
    );
  documents
    .command('add')
    .description(
      'give an agent a file (PDF, DOCX, text, Markdown, CSV, HTML, JSON; 8 MB at most) and wait until it was read; exit code 1 where ' +
        'it cannot be asked then',
    )
    .argument('<agent>', 'id or name')
    .argument('<file>', 'whose name answers are quoted by')
    .option('--account <account>', ACCOUNT)
    .option(
      '--wait <seconds>',
      'how long to wait at most; 0 leaves it to the gateway',
      wholeNumber(0, WAIT_SECONDS_MAX),
      WAIT_SECONDS,
    )
    .addHelpText('after', example('agents documents add "Corner Bakery" prices.pdf'))
    .action(async (agent: string, file: string, options: AddOptions, command: Command) => {
      if (!(await (await commands()).addDocument(contextOf(command), agent, file, options))) process.exitCode = 1;
    });
  documents
    .command('remove')
    .description('take a document from an agent: it is deleted')
    .argument('<agent>', 'id or name')
    .argument('<document>', 'id or name of its file')
    .option('--account <account>', ACCOUNT)
    .addHelpText('after', example('agents documents remove "Corner Bakery" prices.pdf'))
    .action(async (agent: string, document: string, options: OfAgent, command: Command) =>
      (await commands()).removeDocument(contextOf(command), agent, document, options),
    );
}
