import { type Command, Option } from 'commander';
import { MODEL_KIND_NAMES } from '../engines/providers/sherpa/model-kinds.ts';
import type { CommandContext, ContextFlags } from './context.ts';
import type { InstallOptions } from './models/models.ts';
import { numberBetween } from './numbers.ts';
import { onlyHere } from './only-here.ts';

interface ProgramParts {
  readonly contextOf: (command: Command) => CommandContext;
  readonly example: (...lines: string[]) => string;
}

/** A large language-model recogniser and its archive have room. */
const GB_BY_DEFAULT = 8;
const GB_MAX = 100;
const commands = () => import('./models/models.ts');
const several = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** `nidaa models`: what ears and voices on this machine's disk are made of. */
export function addModelCommands(program: Command, { contextOf, example }: ProgramParts): void {
  const models = program.command('models').description('models on disk, for ears and voices of this machine');
  const here = (command: Command): CommandContext => {
    onlyHere(command.optsWithGlobals<ContextFlags>(), 'models are on the disk of this machine');
    return contextOf(command);
  };
  models
    .command('list')
    .description('list models that are known to fit, with licence and size, and those that are installed')
    .addHelpText('after', example('models list', 'models list --json'))
    .action(async (_options: object, command: Command) => (await commands()).listModels(here(command)));
  models
    .command('check')
    .description('say which files of the configured models are missing; exit code 1 when some are')
    .option('--load', 'load each, and tell what it takes')
    .addHelpText('after', example('models check', 'models check --load'))
    .action(async (options: { load?: boolean }, command: Command) => {
      if (!(await (await commands()).check(here(command), options))) process.exitCode = 1;
    });
  models
    .command('install')
    .description('install a model from an archive or folder that you brought, or from an https address that you name')
    .argument('<file>', '.tar, .tar.gz, .tar.bz2, .onnx, a folder, or https://...')
    .option('--name <name>', 'what it is called; default as `models list` has it, or as the file')
    .addOption(
      new Option('--kind <kind>', 'what it is, where it is no model of `models list`').choices(MODEL_KIND_NAMES),
    )
    .option('--language <language>', 'that it knows, as ar (repeatable)', several)
    .option('--sha256 <sum>', 'which the file must have')
    .option('--replace', 'put it in the place of the one that is there')
    .option('--max-gb <size>', 'the most that it may take', numberBetween(0.01, GB_MAX), GB_BY_DEFAULT)
    .addHelpText(
      'after',
      example(
        'models install ~/sherpa-onnx-whisper-small.tar.bz2',
        'models install ./my-model --kind nemo-ctc --language ar',
      ),
    )
    .action(async (place: string, options: InstallOptions, command: Command) =>
      (await commands()).install(here(command), place, options),
    );
  models
    .command('verify')
    .description(
      'compare installed models with what they were when they were installed; exit code 1 when a file changed',
    )
    .argument('[model]', 'this one only')
    .addHelpText('after', example('models verify', 'models verify whisper-small'))
    .action(async (name: string | undefined, _options: object, command: Command) => {
      if (!(await (await commands()).verify(here(command), name))) process.exitCode = 1;
    });
}
