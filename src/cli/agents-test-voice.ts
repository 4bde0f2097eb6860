import { join } from 'node:path';
import { chosen, openTester } from '../agent-tests/text-run.ts';
import { type HeldCall, judgeCall } from '../agent-tests/voice-dialogue.ts';
import { TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import { type Agent, languageOf } from '../core/agent.ts';
import type { AgentTests, CallerDoing, DialogueResult, TestDialogue } from '../core/agent-tests.ts';
import { delay, systemClock } from '../core/clock.ts';
import { errorText, OperatorError } from '../core/errors.ts';
import { createMetrics } from '../core/metrics.ts';
import { sentence } from '../core/notice.ts';
import { SpeechSet } from '../engines/speech-set.ts';
import { EspeakTts } from '../engines/tts/espeak.ts';
import type { CallWithTurns } from '../store/call-rows.ts';
import { callerVoice, synthesize } from './caller-speech.ts';
import type { CommandContext } from './context.ts';
import { ownRecord } from './own-record.ts';
import { Phone, type PhoneReport } from './phone.ts';
import { sourceAddressToHost } from './source-address.ts';
import type { CallerStep } from './synthetic-caller.ts';
import { textRunDeps } from './text-run-deps.ts';

/** Where and as whom the agent is called. */
export interface VoiceRun {
  readonly agent: Agent;
  readonly number: string;
  /** `host:port` of the gateway; as it is configured without it. */
  readonly sipAddress?: string;
  /** Of every INVITE. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly only?: readonly string[];
  readonly signal?: AbortSignal;
  readonly told?: (result: DialogueResult) => void;
}

/** Quiet of the agent before the next step: longer than its pauses between sentences. */
const PATIENCE_MS = 1_200;
/** The same after a word or two: on a machine that does much else the agent says that it takes a moment. */
const BRIEF_PATIENCE_MS = 5_000;
/** Longest call of one dialogue. */
const CALL_MS_MAX = 300_000;
/** How loud a noise is: as a voice on most lines. */
const NOISE_PEAK = 6_000;
const ONLY_BY_API = 'A gateway that takes no calls of strangers takes those of its management API: run the tests there';
/** Between two calls, so that what the first one took is free again. */
const BETWEEN_MS = 100;

/**
 * Holds the dialogues by telephone, one call each: with the gateway that runs here, whose record tells what was understood and
 * said. A dialogue that no line can hold is skipped, with the reason.
 *
 * @throws OperatorError where no gateway answers, or nothing can be said.
 */
export async function runByVoice(
  context: CommandContext,
  tests: AgentTests,
  run: VoiceRun,
): Promise<readonly DialogueResult[]> {
  const dialogues = chosen(tests, run.only);
  const unheard = await whyUnheard(context, run.agent);
  const results: DialogueResult[] = [];
  const tell = (result: DialogueResult): void => {
    results.push(result);
    run.told?.(result);
  };
  const skip = ({ name, line }: TestDialogue, why: string): void =>
    tell({ name, line, outcome: 'skipped', why, durationMs: 0, turns: [] });
  if (unheard !== undefined || dialogues.every((one) => whyNotHeld(one) !== undefined)) {
    for (const dialogue of dialogues) skip(dialogue, unheard ?? whyNotHeld(dialogue)!);
    return results;
  }
  const caller = await Caller.open(context, run);
  try {
    for (const dialogue of dialogues) {
      const why = run.signal?.aborted ? sentence('run.stopped') : whyNotHeld(dialogue);
      if (why !== undefined) skip(dialogue, why);
      else tell(await caller.hold(dialogue));
    }
    return results;
  } finally {
    await caller.close();
  }
}

/** What a line cannot do. */
function whyNotHeld({ now, tools, variables, steps }: TestDialogue): string | undefined {
  if (now !== undefined) return sentence('run.fixed-day');
  if (tools.length > 0) return sentence('run.fixed-tools');
  if (steps.some(({ doing }) => doing?.type === 'mishears')) return sentence('run.misheard');
  const odd = Object.keys(variables).find((name) => !/^[a-z0-9_-]{1,64}$/.test(name));
  return odd === undefined ? undefined : sentence('run.variable', { name: odd });
}

/** Whether speech in the agent's language can be recognised by the engines that are configured. */
async function whyUnheard({ config, logger }: CommandContext, agent: Agent): Promise<string | undefined> {
  const deps = { clock: systemClock, logger, metrics: createMetrics(), cacheDir: join(config.dataDir, 'cache') };
  const speech = new SpeechSet(config.engines, deps);
  try {
    const language = languageOf(agent.definition.language);
    const state = speech.for(agent).hearing.available(language);
    if (state.ok) return undefined;
    return sentence(`run.unheard-${language}`, { error: state.why });
  } finally {
    await speech.close();
  }
}

class Caller {
  private constructor(
    private readonly context: CommandContext,
    private readonly run: VoiceRun,
    private readonly phone: Phone,
    private readonly tts: EspeakTts,
    private readonly opened: ReturnType<typeof openTester>,
    private readonly sipAddress: string,
  ) {}

  static async open(context: CommandContext, run: VoiceRun): Promise<Caller> {
    const { config, logger } = context;
    const sipAddress = (run.sipAddress ?? configuredAddress(config.sip)).replace(/^0\.0\.0\.0:/, '127.0.0.1:');
    const host = sipAddress.slice(0, sipAddress.lastIndexOf(':'));
    const address = await sourceAddressToHost(host);
    if (address === undefined) throw new OperatorError(`There is no way from this machine to ${host}.`);
    const phone = await Phone.open({ address, logger, avoid: config.media.rtpPorts });
    const opened = openTester(textRunDeps(context));
    await opened.prepare(run.agent);
    return new Caller(context, run, phone, new EspeakTts({ clock: systemClock }), opened, sipAddress);
  }

  async close(): Promise<void> {
    await Promise.all([this.phone.close(), this.tts.close(), this.opened.close()]);
  }

  async hold(dialogue: TestDialogue): Promise<DialogueResult> {
    const { number, agent, headers, signal } = this.run;
    const { name, line, variables } = dialogue;
    const steps = await this.#stepsOf(dialogue);
    const startMs = systemClock.nowMs();
    const uri = `sip:${number}@${this.sipAddress}`;
    const failed = (why: string): DialogueResult => {
      const durationMs = Math.round(systemClock.nowMs() - startMs);
      return { name, line, outcome: 'failed', why, durationMs, turns: [] };
    };
    const report = await this.phone.call({
      ...{ uri, from: 'tests', steps, maxMs: CALL_MS_MAX },
      ...{ patienceMs: PATIENCE_MS, briefPatienceMs: BRIEF_PATIENCE_MS },
      headers: { ...headersOf(variables), ...headers },
      ...(signal && { signal }),
    });
    await delay(systemClock, BETWEEN_MS);
    if (!report.answered) {
      const { status, end } = report;
      if (status === undefined || end.reason === 'signalling-lost')
        throw new OperatorError(`No gateway answers at ${uri}: ${end.detail ?? end.reason}.`);
      const detail = end.detail ? ` (${end.detail})` : '';
      const mend = end.reason === 'not-allowed' && !headers ? `. ${ONLY_BY_API}` : '';
      return failed(`the call was refused: SIP ${status}, ${end.reason}${detail}${mend}`);
    }
    const record = report.sipCallId === undefined ? undefined : await ownRecord(this.context, report.sipCallId);
    if (!record) return failed('the gateway has no record of the call');
    if (record.call.agentName !== agent.definition.name) return failed(`${record.call.agentName} answers ${number}`);
    try {
      const durationMs = Math.round(systemClock.nowMs() - startMs);
      return await judgeCall(agent, dialogue, { ...heldCall(report, record), durationMs }, this.opened.tester);
    } catch (error) {
      return failed(errorText(error));
    }
  }

  async #stepsOf({ language, steps }: TestDialogue): Promise<CallerStep[]> {
    const spoken = language ?? languageOf(this.run.agent.definition.language);
    const voice = callerVoice(this.context, { language: spoken });
    const made: CallerStep[] = [];
    for (const { doing } of steps) if (doing) made.push(await this.#stepOf(doing, voice));
    return made;
  }

  async #stepOf(doing: CallerDoing, voice: ReturnType<typeof callerVoice>): Promise<CallerStep> {
    switch (doing.type) {
      case 'keys':
        return doing;
      case 'silence':
        return { type: 'quiet', ms: doing.ms };
      case 'noise':
        return { type: 'speak', samples: noise(doing.ms), label: 'noise' };
      case 'interrupt': {
        const samples = await synthesize(this.tts, doing.says, voice);
        return { type: 'speak', samples, label: doing.says, interrupt: { afterMs: doing.afterMs } };
      }
      default:
        return { type: 'speak', samples: await synthesize(this.tts, doing.says, voice), label: doing.says };
    }
  }
}

const headersOf = (variables: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [`X-${name}`, value]));

/** Where callers of this machine reach the gateway. */
function configuredAddress({ host, port, server }: CommandContext['config']['sip']): string {
  if (server !== 'embedded' || port === 0) {
    throw new OperatorError(
      'Where the gateway is called is not in its configuration: run the tests by its management API.',
    );
  }
  return `${host}:${port}`;
}

function heldCall(report: PhoneReport, { call, turns }: CallWithTurns): Omit<HeldCall, 'durationMs'> {
  const { said, heard, end } = report;
  return {
    ...{ said, heard, turns, transfersMs: (call.transfers ?? []).map(({ startedMs }) => startedMs) },
    // Its gateway knows best who ended it: an agent that hangs up because nobody speaks says so there alone.
    ...{ byAgent: (call.endParty ?? end.party) === 'agent', end: `${end.reason} (${end.party})` },
  };
}

/** The same hiss each time: a generator of Park and Miller, softened. */
function noise(ms: number): Int16Array {
  let state = 1;
  let last = 0;
  return Int16Array.from({ length: Math.round((ms * TELEPHONE_RATE_HZ) / 1_000) }, () => {
    state = (state * 48_271) % 2_147_483_647;
    last += 0.4 * ((state / 1_073_741_824 - 1) * NOISE_PEAK - last);
    return last;
  });
}
