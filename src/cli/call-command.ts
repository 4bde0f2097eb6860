import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { MediaEncryption } from '../core/trunk.ts';
import type { CallStepWish } from './call.ts';
import type { CommandContext } from './context.ts';
import { addOrderCommands, addOrderOptions, dialByFlags, type OrderFlags } from './dial-commands.ts';
import { wholeNumber } from './numbers.ts';
import { onlyHere } from './only-here.ts';
import type { FarFlags } from './remote/far-gateway.ts';

interface ProgramParts {
  readonly contextOf: (command: Command) => CommandContext;
  readonly example: (...lines: string[]) => string;
}

interface CallFlags extends OrderFlags, FarFlags {
  readonly user?: string;
  readonly password?: string;
  readonly transport?: 'udp' | 'tcp';
  readonly encryption?: MediaEncryption;
  readonly bind?: string;
  readonly proxy?: string;
  readonly language: string;
  readonly voice?: string;
  readonly seconds: number;
  readonly patience: number;
  readonly record?: string;
}

const STEPS_MAX = 200;
const MS_MAX = 600_000;

const HOW = `
The caller waits until the other side has been quiet for --patience, then does the next thing it was given, in the
order of the command line; after the last it waits once more and hangs up. --interrupt does not wait. The exit code is
0 only when the call was answered.

A gateway of this machine wrote the call down: its words are printed. Words of any other side are recognised, and only show
that speech came through, not what was said.
The file of --record is stereo: left what was heard, right what was said.
`;

/** `nidaa call URI`: places a real call and tells what happened. */
export function addCallCommand(program: Command, { contextOf, example }: ProgramParts): void {
  const steps: CallStepWish[] = [];
  const step =
    <T>(make: (value: T) => CallStepWish, read: (text: string) => T) =>
    (text: string): CallStepWish[] => {
      if (steps.length >= STEPS_MAX) throw new InvalidArgumentError(`At most ${STEPS_MAX} steps.`);
      steps.push(make(read(text)));
      return steps;
    };
  const itself = (text: string): string => text;
  const callCommand = program
    .command('call')
    .description(
      'place a call and report what was heard, to prove a trunk or an agent; with --agent: have the running gateway call somebody',
    )
    .argument('[uri]', 'whom to call, such as sip:1000@192.0.2.10:5060')
    .option(
      '--say <text>',
      'say this (repeatable)',
      step((text) => ({ type: 'say', text }), itself),
    )
    .option(
      '--interrupt <text>',
      'say this at once, over whatever is being said (repeatable)',
      step((text) => ({ type: 'interrupt', text }), itself),
    )
    .option(
      '--wav <file>',
      'play this file (repeatable)',
      step((file) => ({ type: 'wav', file }), itself),
    )
    .option(
      '--keys <digits>',
      'press these keys: 0-9 * # A-D (repeatable)',
      step((keys) => ({ type: 'keys', keys }), readKeys),
    )
    .option(
      '--pause <ms>',
      'wait so long (repeatable)',
      step((ms) => ({ type: 'pause', ms }), wholeNumber(0, MS_MAX)),
    )
    .option('--voice <name>', 'espeak-ng voice of the caller, such as en-us+m3 or ar+f2')
    .option('--language <tag>', 'language spoken on this call: decides voice and recognition', 'en-US')
    .option('--patience <ms>', 'quiet of the other side before the next step', wholeNumber(0, 60_000), 1200)
    .option('--seconds <count>', 'hang up after so long', wholeNumber(1, 3600), 120)
    .option('--user <name>', 'user name for digest authentication')
    .option(
      '--password <secret>',
      'its password; - reads it from standard input, so that no process list shows it',
      readPassword,
    )
    .option('--from <user>', "user part of From; with --agent a number of the account, default the agent's")
    .option('--transport <name>', 'udp or tcp; default as the URI says', readTransport)
    .option('--encryption <policy>', 'SRTP: none, allow or require; default none', readEncryption)
    .option('--proxy <uri>', 'send to this SIP URI instead, the called one stays')
    .option('--bind <address>', 'own address to call from; default the one that reaches the target')
    .option('--record <file>', 'write a stereo WAV: left what was heard, right what was said')
    .addHelpText('after', HOW)
    .addHelpText(
      'after',
      example(
        'call sip:1000@127.0.0.1:5060 --say "Where is my order?" --keys 4521 --record call.wav',
        'call sip:+966112345678@trunk.example.com --user acme --password secret --transport tcp --pause 5000',
        'call --agent "Swift Delivery" --to +966501234567 --variable name=Ahmed --on-machine leave-message',
      ),
    )
    .action(async (uri: string | undefined, flags: CallFlags, command: Command) => {
      const context = contextOf(command);
      const isHappy =
        uri === undefined
          ? await dialByFlags(context, flags)
          : await callAsTest(context, uri, command.optsWithGlobals<CallFlags>(), steps);
      if (!isHappy) process.exitCode = 1;
    });
  addOrderOptions(callCommand);
  addOrderCommands(callCommand, { contextOf, example });
}

/** @returns whether it was answered. */
async function callAsTest(
  context: CommandContext,
  uri: string,
  flags: CallFlags,
  steps: readonly CallStepWish[],
): Promise<boolean> {
  const { user, password, from = 'nidaa', language, voice, seconds, patience, record } = flags;
  const { transport, encryption, bind, proxy } = flags;
  if (flags.agent !== undefined) throw new InvalidArgumentError('An agent calls whom --to names.');
  onlyHere(flags, 'A call to a SIP URI is made from this machine');
  const { call } = await import('./call.ts');
  return call(context, {
    ...{ uri, steps, from, language, seconds, patience },
    ...(transport && { transport }),
    ...(encryption && { encryption }),
    ...(bind !== undefined && { bind }),
    ...(proxy !== undefined && { proxy }),
    ...(voice !== undefined && { voice }),
    ...(record !== undefined && { record }),
    ...(user !== undefined && { credentials: { username: user, password: password ?? '' } }),
  });
}

function readPassword(text: string): string {
  return text === '-' ? readFileSync(0, 'utf8').trimEnd() : text;
}

function readKeys(text: string): string {
  if (/^[0-9*#A-D]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError('Expected keys out of 0-9, *, # and A-D.');
}

function readEncryption(text: string): MediaEncryption {
  if (text === 'none' || text === 'allow' || text === 'require') return text;
  throw new InvalidArgumentError('Expected none, allow or require.');
}

function readTransport(text: string): 'udp' | 'tcp' {
  if (text === 'udp' || text === 'tcp') return text;
  throw new InvalidArgumentError('Expected udp or tcp.');
}
