import { Command, Option } from 'commander';
import { processEnvironment } from '../config/load.ts';
import { createAccount, showBalance, topupAccount } from './accounts.ts';
import { addDocumentCommands } from './agent-document-commands.ts';
import type { AgentTestOptions } from './agents-test.ts';
import { addApiCommands } from './api-commands.ts';
import { addCallCommand } from './call-command.ts';
import { type CommandContext, type ContextFlags, commandContext } from './context.ts';
import { addDataLifeCommands } from './data-life-commands.ts';
import { addOrderList } from './dial-commands.ts';
import { addJobCommands } from './job-commands.ts';
import { addManagementCommands } from './management-commands.ts';
import { addModelCommands } from './models-commands.ts';
import type { NewAgentOptions } from './new-agent.ts';
import { addNodeCommands } from './node-commands.ts';
import { numberBetween, wholeNumber } from './numbers.ts';
import { onlyHere } from './only-here.ts';
import { standardOutput } from './output.ts';
import { ownVersion } from './own-version.ts';
import { createToken, listTokens, revokeToken } from './tokens.ts';
import { addTrunkCommands } from './trunk-commands.ts';
import { addWebhookCommands } from './webhook-commands.ts';

const EXIT_CODES = `
Exit codes: 0 done; 1 a mistake in the command, or it was refused; 3 the gateway of --url takes no such key, or asks for patience;
4 it could not be reached, or its certificate is not believed.
`;
const CENTS_MAX = 100_000_000;
const CALLS_MAX = 1_000;

const globals = (command: Command): ContextFlags => command.optsWithGlobals<ContextFlags>();
const contextOf = (command: Command): CommandContext => commandContext(globals(command));
const example = (...lines: string[]): string =>
  `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map((line) => `  $ ./scripts/nidaa ${line}\n`).join('')}`;

/** The command line as commander knows it. Usage errors are thrown (`CommanderError`), never printed here. */
export function buildProgram(): Command {
  const program = new Command('nidaa')
    .description(
      'Looks after the Nidaa voice gateway: accounts, tokens, agents and calls. Works while it runs, and while not; or with one ' +
        'on another machine, by --url and a management key. The public API is at hand too, here or anywhere else.',
    )
    .version(ownVersion(), '-V, --version', 'print the version')
    .option('--json', 'print one JSON value on standard output, and errors as JSON')
    .option('-v, --verbose', 'log what happens, on standard error')
    .option(
      '--url <address>',
      'the gateway to work with, https://host:port; else NIDAA_URL, else the one of this machine',
    )
    .option('--key-file <file>', 'has the management key for it; else NIDAA_KEY has the key')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: () => undefined })
    .exitOverride()
    .addHelpText(
      'after',
      example(
        'doctor',
        'account create --name "Acme Clinic" --credit 5000',
        'call sip:1000@127.0.0.1:5060 --say "Where is my order?"',
        'say "Your order arrives tomorrow." --voice emma --out order.mp3',
        'calls list --url https://gateway.example.com --key-file ~/nidaa.key',
      ),
    )
    .addHelpText('after', EXIT_CODES);
  addDoctor(program);
  addAccounts(program);
  addTokens(program);
  addManagementCommands(program, { example, contextOf });
  addAgents(program);
  addChat(program);
  addCalls(program);
  addTrunkCommands(program, { example, contextOf });
  addWebhookCommands(program, { example, contextOf });
  addJobCommands(program, { example, contextOf });
  addNodeCommands(program, { example, contextOf });
  addDataLifeCommands(program, { example, contextOf });
  addCallCommand(program, { example, contextOf });
  addModelCommands(program, { example, contextOf });
  addApiCommands(program, example);
  return program;
}

interface DoctorFlags {
  readonly provider?: string;
  readonly live?: boolean;
  readonly yes?: boolean;
  readonly keep?: string;
}

function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description(
      'check everything the gateway needs and say how to mend what is missing; exit code 1 when something fails',
    )
    .option(
      '--provider <name>',
      'look at one speech service only: its settings, key, what it gets, and whether it answers',
    )
    .option(
      '--live',
      'with --provider: have it say and hear a sentence of our own, and measure it; the service charges for that',
    )
    .option('--keep <file>', 'with --live: write down what went over the wire, without the key, a line of JSON each')
    .option('--yes', 'with --live: yes, write engines.speechPrivacy: remote where it is not written')
    .addHelpText('after', example('doctor', 'doctor --json', 'doctor --provider deepgram --live'))
    .action(async (options: DoctorFlags, command: Command) => {
      const { json = false, verbose = false } = globals(command);
      onlyHere(globals(command), 'doctor looks at the machine that it runs on');
      if (options.provider !== undefined || options.live || options.yes || options.keep !== undefined) {
        const { providerDoctor } = await import('./provider-doctor.ts');
        const asked = { ...options, name: options.provider ?? '' };
        if (!(await providerDoctor(standardOutput(json), processEnvironment(), asked))) process.exitCode = 1;
        return;
      }
      const { doctor } = await import('./doctor.ts'); // Engines and all: other commands start without them.
      if (!(await doctor(standardOutput(json), processEnvironment(), verbose))) process.exitCode = 1;
    });
}

// The reader of agent files and the tables of calls take half of the start: other commands do without.
const agentCommands = () => import('./agents.ts');
const callCommands = () => import('./calls.ts');

function addAccounts(program: Command): void {
  const account = program.command('account').description('accounts and their credit');
  account
    .command('create')
    .description('make an account with credit and a first token; the token is shown this once')
    .requiredOption('--name <name>', 'what it is called')
    .option('--credit <cents>', 'credit to begin with, in cents', wholeNumber(0, CENTS_MAX), 0)
    .addHelpText('after', example('account create --name "Acme Clinic" --credit 5000'))
    .action((options: { name: string; credit: number }, command: Command) =>
      createAccount(contextOf(command), options),
    );
  account
    .command('list')
    .description('list the accounts with their credit, in cents')
    .addHelpText('after', example('account list', 'account list --json'))
    .action((_options: object, command: Command) => showBalance(contextOf(command), undefined));
  account
    .command('topup')
    .description('add credit')
    .argument('<account>', 'id or name')
    .argument('<cents>', 'how much, in cents', wholeNumber(1, CENTS_MAX))
    .addHelpText('after', example('account topup "Acme Clinic" 2500'))
    .action((name: string, cents: number, _options: object, command: Command) =>
      topupAccount(contextOf(command), name, cents),
    );
  account
    .command('balance')
    .description('show the credit of one account, or of all')
    .argument('[account]', 'id or name')
    .addHelpText('after', example('account balance', 'account balance Demo --json'))
    .action((name: string | undefined, _options: object, command: Command) => showBalance(contextOf(command), name));
}

function addTokens(program: Command): void {
  const token = program.command('token').description('API tokens');
  token
    .command('create')
    .description('make a token; it is shown this once')
    .option('--account <account>', 'id or name; not needed where there is one account only')
    .option('--name <name>', 'what it is for', 'token')
    .addHelpText('after', example('token create --account Demo --name dashboard'))
    .action((options: { account?: string; name: string }, command: Command) =>
      createToken(contextOf(command), options),
    );
  token
    .command('list')
    .description('list tokens, without their secrets')
    .option('--account <account>', 'id or name; all accounts without it')
    .addHelpText('after', example('token list'))
    .action((options: { account?: string }, command: Command) => listTokens(contextOf(command), options));
  token
    .command('revoke')
    .description('make a token worthless, at once and for good')
    .argument('<token-id>', 'as `token list` shows it')
    .addHelpText('after', example('token revoke tok_abcdefghijklmnopqrst'))
    .action((id: string, _options: object, command: Command) => revokeToken(contextOf(command), id));
}

function addAgents(program: Command): void {
  const agents = program.command('agents').description('agents and the numbers they answer');
  agents
    .command('list')
    .description('list the agents of an account')
    .option('--account <account>', 'id or name; not needed where there is one account only')
    .addHelpText('after', example('agents list'))
    .action(async (options: { account?: string }, command: Command) => {
      const { listAgents } = await agentCommands();
      return listAgents(contextOf(command), options);
    });
  agents
    .command('new')
    .description('write a small agent file that works as it stands, to be changed')
    .argument('<name>', 'what the agent is called; the file is named after it')
    .addOption(new Option('--language <language>', 'what it speaks').choices(['ar', 'en']).makeOptionMandatory())
    .option('--number <number>', 'the number it answers; default the first free one from 3000 on')
    .option('--folder <folder>', 'where the file goes; default the configured folder of agents')
    .addHelpText('after', example('agents new "Corner Bakery" --language en'))
    .action(async (name: string, options: NewAgentOptions, command: Command) => {
      onlyHere(globals(command), 'agents new writes a file, and asks no gateway');
      const { newAgent } = await import('./new-agent.ts');
      newAgent(contextOf(command), name, options);
    });
  agents
    .command('import')
    .description(
      'publish every agent file of a folder; a running gateway answers with the new version from the next call on',
    )
    .argument('[folder]', 'folder of *.yaml files; default the configured one')
    .option('--account <account>', 'id or name; not needed where there is one account only')
    .option('--take', 'take the numbers of the files from whichever account has them')
    .addHelpText('after', example('agents import config/agents'))
    .action(async (folder: string | undefined, options: { account?: string; take?: boolean }, command: Command) => {
      const { importAgents } = await agentCommands();
      return importAgents(contextOf(command), folder, options);
    });
  agents
    .command('export')
    .description('print an agent as a file that can be imported, with the comments and order that it was saved with')
    .argument('<agent>', 'id or name')
    .option('--account <account>', 'id or name; not needed where there is one account only')
    .addHelpText('after', example('agents export "Corner Bakery" > bakery.yaml'))
    .action(async (agent: string, options: { account?: string }, command: Command) => {
      const { exportAgent } = await import('./agents-export.ts');
      return exportAgent(contextOf(command), agent, options);
    });
  agents
    .command('publish')
    .description(
      'let an agent answer calls, a draft or one that was paused; where its tests are required, they pass first',
    )
    .argument('<agent>', 'id or name')
    .option('--account <account>', 'id or name; not needed where there is one account only')
    .addHelpText('after', example('agents publish "Corner Bakery"'))
    .action(async (agent: string, options: { account?: string }, command: Command) => {
      const { publishAgent } = await import('./agents-publish.ts');
      return publishAgent(contextOf(command), agent, options);
    });
  addDocumentCommands(agents, { contextOf, example });
  agents
    .command('validate')
    .description('check agent files and name every mistake; changes nothing; exit code 1 when something is wrong')
    .argument('[place]', 'folder of *.yaml files, or one file; default the configured folder')
    .addHelpText('after', example('agents validate config/agents', 'agents validate my-agent.yaml'))
    .action(async (place: string | undefined, _options: object, command: Command) => {
      onlyHere(globals(command), 'agents validate reads files, and asks no gateway');
      const { validateAgents } = await agentCommands();
      if (!validateAgents(contextOf(command), place)) process.exitCode = 1;
    });
  agents
    .command('test')
    .description(
      'hold the dialogues of NAME.tests.yaml with the agent of NAME.yaml, and tell the first turn that differs; exit code 1 ' +
        'when one does',
    )
    .argument('<agent>', 'number or name of an agent of the agent files, its file, or the file of its tests')
    .option('--voice', 'by telephone, with the gateway that runs here: spoken, heard, and timed on the wire')
    .option('--only <name>', 'this dialogue alone (repeatable)', (name: string, all: string[] = []) => [...all, name])
    .addHelpText(
      'after',
      example('agents test 1000', 'agents test config/agents/clinic-ar.yaml --only "a new booking"'),
    )
    .action(async (agent: string, options: AgentTestOptions, command: Command) => {
      const { testAgent } = await import('./agents-test.ts');
      if (!(await testAgent(commandContext(globals(command), ['engines']), agent, options))) process.exitCode = 1;
    });
}

function addChat(program: Command): void {
  program
    .command('chat')
    .description(
      'talk to an agent of the agent files by typing, one turn a line; an empty line is silence, digits are keys',
    )
    .argument('<agent>', "the agent's number or name")
    .option('--trace', 'show what was understood, the rule that decided and the values held')
    .addHelpText('after', example('chat 1000 --trace', 'chat 2000'))
    .action(async (agent: string, options: { trace?: boolean }, command: Command) => {
      onlyHere(globals(command), 'chat talks to the agent of a file, on this machine');
      const { chat } = await import('./chat.ts');
      return chat(commandContext(globals(command), ['engines']), agent, options);
    });
}

function addCalls(program: Command): void {
  const calls = program.command('calls').description('calls that were made');
  calls
    .command('list')
    .description('list the latest calls; --json with what was said')
    .option('--limit <count>', `how many, 1..${CALLS_MAX}`, wholeNumber(1, CALLS_MAX), 20)
    .addHelpText('after', example('calls list --limit 50'))
    .action(async (options: { limit: number }, command: Command) => {
      const { listCalls } = await callCommands();
      return listCalls(contextOf(command), options);
    });
  calls
    .command('show')
    .description('show one call: who said what and when, quality, cost')
    .argument('<id>', 'our call id, or the SIP Call-ID')
    .addHelpText('after', example('calls show call_abcdefghijklmnopqrst --json'))
    .action(async (id: string, _options: object, command: Command) => {
      const { showCall } = await callCommands();
      return showCall(contextOf(command), id);
    });
  addOrderList(calls, { example, contextOf });
  calls
    .command('ladder')
    .description('show the SIP messages of a call')
    .argument('<id>', 'our call id, or a SIP Call-ID')
    .option('--full', 'with headers and bodies, without secrets')
    .addHelpText('after', example('calls ladder call_abcdefghijklmnopqrst --full'))
    .action(async (id: string, options: { full?: boolean }, command: Command) => {
      const { showLadder } = await import('./ladder.ts');
      return showLadder(contextOf(command), id, options);
    });
  calls
    .command('refused')
    .description('list the latest calls that were refused, and what would let them in')
    .option('--limit <count>', `how many, 1..${CALLS_MAX}`, wholeNumber(1, CALLS_MAX), 20)
    .addHelpText('after', example('calls refused --limit 50'))
    .action(async (options: { limit: number }, command: Command) => {
      const { listRefused } = await callCommands();
      return listRefused(contextOf(command), options);
    });
  calls
    .command('voices')
    .description(
      'compare the model that judges whether there is a voice with the detector, and with what was understood, by language',
    )
    .option('--limit <count>', `of how many calls, the latest, 1..${CALLS_MAX}`, wholeNumber(1, CALLS_MAX), 200)
    .addHelpText('after', example('calls voices', 'calls voices --json'))
    .action(async (options: { limit: number }, command: Command) => {
      const { showVoices } = await import('./voices.ts');
      return showVoices(contextOf(command), options);
    });
  calls
    .command('turn-ends')
    .description('compare the model that judges the end of turns with what callers did, by language')
    .option('--limit <count>', `of how many calls, the latest, 1..${CALLS_MAX}`, wholeNumber(1, CALLS_MAX), 200)
    .option(
      '--complete <limit>',
      'how likely a turn has to be complete, 0.01..0.99; default as set',
      numberBetween(0.01, 0.99),
    )
    .addHelpText('after', example('calls turn-ends', 'calls turn-ends --complete 0.7 --json'))
    .action(async (options: { limit: number; complete?: number }, command: Command) => {
      const { showTurnEnds } = await import('./turn-ends.ts');
      return showTurnEnds(contextOf(command), options);
    });
}
