import { type Command, InvalidArgumentError, Option } from 'commander';
import type { SpeechBody, VoicesQuery } from '../client/api-client.ts';
import { processEnvironment } from '../config/load.ts';
import { numberBetween, wholeNumber } from './numbers.ts';
import { type ServiceContext, type ServiceFlags, serviceContext, textOf } from './service.ts';

type Example = (...lines: string[]) => string;
interface SayFlags extends Omit<SpeechBody, 'text' | 'sample_rate'> {
  readonly rate?: number;
  readonly out: string;
  readonly stream: boolean;
}

const GROUP = 'Over the public API:';
const HOW = `
Address and token come from --url and --token, else NIDAA_URL and NIDAA_TOKEN, else the address is that of the gateway
configured here. Exit codes: 0 done, 1 a mistake in the command, 3 the service refused, 4 it could not be reached.
`;

/** The operations of the public API as commands, with the typed client. */
export function addApiCommands(program: Command, example: Example): void {
  addSay(program, example);
  addTranscribe(program, example);
  addReply(program, example);
  addVoices(program, example);
  addTexts(program, example);
  addAsk(program, example);
}

function serviceCommand(program: Command, name: string, description: string, paid: boolean): Command {
  const command = program
    .command(name)
    .helpGroup(GROUP)
    .description(description)
    .option('--token <token>', 'API token; better in NIDAA_TOKEN, where no process list shows it')
    .option('--timeout <seconds>', 'longest wait for an answer', wholeNumber(1, 600));
  return paid ? command.option('--key <key>', 'idempotency key: repeated with it, a request is charged once') : command;
}

/** Runs `work` with the client and the options of the command. */
const withService =
  <A extends unknown[]>(work: (context: ServiceContext, ...args: A) => Promise<void>) =>
  (...args: [...A, Command]): Promise<void> => {
    const command = args.at(-1) as Command;
    const flags = command.optsWithGlobals<ServiceFlags>();
    return work(serviceContext(flags, processEnvironment()), ...(args.slice(0, -1) as unknown as A));
  };
/** Loaded when one of these commands runs: others start without it. */
const actions = () => import('./api-actions.ts');

function addSay(program: Command, example: Example): void {
  serviceCommand(program, 'say', 'synthesise speech into a file', true)
    .argument('<text>', 'what to say; - reads standard input')
    .requiredOption('--out <file>', 'where the audio goes; - for standard output')
    .option('--voice <id>', 'as `voices` lists them; default that of the language of the text')
    .addOption(new Option('--model <name>', 'speech model').choices(['sada-1', 'nabra-1']))
    .addOption(new Option('--format <name>', 'audio format').choices(['mp3', 'wav', 'opus', 'mulaw', 'pcm']))
    .option('--rate <hz>', 'sample rate', wholeNumber(8_000, 48_000))
    .option('--speed <factor>', 'speaking rate, 0.5..2', numberBetween(0.5, 2))
    .option('--pitch <semitones>', '-12..12, nabra-1 only', numberBetween(-12, 12))
    .option('--stream', 'write the audio as it is produced (sada-1; wav, opus, mulaw or pcm)', false)
    .addHelpText('after', HOW)
    .addHelpText(
      'after',
      example(
        'say "Your order arrives tomorrow." --voice emma --out order.mp3',
        'say "مرحبا" --stream --out - | aplay',
      ),
    )
    .action(
      withService(async (context, text: string, flags: SayFlags) => {
        const { voice, model, format, rate, speed, pitch, out, stream } = flags;
        const wished = { voice, model, format, sample_rate: rate, speed, pitch };
        const given = Object.fromEntries(Object.entries(wished).filter(([, value]) => value !== undefined));
        await (await actions()).say(context, { body: { text: textOf(text), ...given }, out, stream });
      }),
    );
}

interface TranscribeFlags {
  readonly language?: string;
  readonly live: boolean;
  readonly rate: number;
  readonly encoding: 'pcm' | 'mulaw';
}

function addTranscribe(program: Command, example: Example): void {
  serviceCommand(program, 'transcribe', 'write down what is said in a recording, or live on standard input', true)
    .argument('<file>', 'WAV, MP3, Ogg, WebM or FLAC of at most 60 seconds; with --live a WAV file of any length, or -')
    .option('--language <tag>', 'ar-SA, en-US, ...; default ar-SA')
    .option('--live', 'send it over the live socket and print finals as they settle', false)
    .option('--rate <hz>', 'with --live -: sample rate of the raw audio', wholeNumber(8_000, 48_000), 16_000)
    .addOption(
      new Option('--encoding <name>', 'with --live -: of the raw audio').choices(['pcm', 'mulaw']).default('pcm'),
    )
    .addHelpText('after', HOW)
    .addHelpText(
      'after',
      example(
        'transcribe call.wav --language en-US',
        'transcribe - --live --language en-US < <(arecord -q -f S16_LE -r 16000 -t raw)',
      ),
    )
    .action(
      withService(async (context, path: string, { live, language, rate, encoding }: TranscribeFlags) => {
        const { transcribe, transcribeLive } = await actions();
        if (!live) return transcribe(context, path, language);
        return transcribeLive(context, { path, rate, encoding, ...(language !== undefined && { language }) });
      }),
    );
}

function addReply(program: Command, example: Example): void {
  const variables: Record<string, string> = {};
  serviceCommand(program, 'reply', 'say something to an agent and get what it says next', true)
    .argument('<agent>', 'id or name')
    .argument('<text>', 'what the caller said; - reads standard input')
    .option('--var <name=value>', 'a variable of this call (repeatable)', (text) => readVariable(text, variables))
    .option('--audio <file>', 'have it spoken too, as MP3 into this file')
    .addHelpText('after', HOW)
    .addHelpText('after', example('reply "Swift Delivery" "Where is my order?" --var name=Sara'))
    .action(
      withService(async (context, agent: string, text: string, flags: { readonly audio?: string }) => {
        const body = { text: textOf(text), ...(Object.keys(variables).length > 0 && { variables }) };
        await (await actions()).reply(context, agent, body, flags.audio);
      }),
    );
}

function readVariable(text: string, into: Record<string, string>): Record<string, string> {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]{0,63})=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Expected name=value.');
  into[name] = value;
  return into;
}

function addVoices(program: Command, example: Example): void {
  serviceCommand(program, 'voices', 'list voices, or show one', false)
    .argument('[id]', 'voice id')
    .option('--language <tag>', 'ar, ar-SA, en-US, ...')
    .option('--dialect <name>', 'najdi, hijazi, gulf, egyptian, msa, none')
    .option('--gender <name>', 'female or male')
    .option('--model <name>', 'voices that this speech model works with')
    .addHelpText('after', HOW)
    .addHelpText('after', example('voices --language ar', 'voices noura'))
    .action(
      withService(async (context, id: string | undefined, flags: VoicesQuery) => {
        const { showVoice, showVoices } = await actions();
        if (id !== undefined) return showVoice(context, id);
        const { language, dialect, gender, model } = flags;
        const query = Object.entries({ language, dialect, gender, model }).filter(([, value]) => value !== undefined);
        return showVoices(context, Object.fromEntries(query));
      }),
    );
}

function addTexts(program: Command, example: Example): void {
  serviceCommand(program, 'redact', 'find what may not leave the organisation, and show the text without it', true)
    .argument('<text>', '- reads standard input')
    .addHelpText('after', HOW)
    .addHelpText('after', example('redact - < letter.txt'))
    .action(
      withService(async (context, text: string, _flags: object) => (await actions()).redact(context, textOf(text))),
    );
  serviceCommand(program, 'normalize', 'show a text as it will be spoken', false)
    .argument('<text>', '- reads standard input')
    .option('--language <name>', 'ar or en; detected without it')
    .addHelpText('after', HOW)
    .addHelpText('after', example('normalize "المبلغ 250 ريال"'))
    .action(
      withService(async (context, text: string, { language }: { readonly language?: string }) =>
        (await actions()).normalize(context, { text: textOf(text), ...(language !== undefined && { language }) }),
      ),
    );
  serviceCommand(program, 'coverage', 'find words that are likely to be mispronounced', false)
    .argument('<text>', '- reads standard input')
    .addHelpText('after', HOW)
    .addHelpText('after', example('coverage "افحص المضخة P-101A"'))
    .action(
      withService(async (context, text: string, _flags: object) => (await actions()).coverage(context, textOf(text))),
    );
}

function addAsk(program: Command, example: Example): void {
  serviceCommand(program, 'ask', 'ask a question about a document', true)
    .argument('<file>', 'PDF, DOCX, text, Markdown, CSV, HTML or JSON of at most 8 MB')
    .argument('<question>', 'what to ask')
    .addHelpText('after', HOW)
    .addHelpText('after', example('ask policy.pdf "How many days of leave are there?"'))
    .action(
      withService(async (context, path: string, question: string, _flags: object) =>
        (await actions()).ask(context, path, question),
      ),
    );
}
