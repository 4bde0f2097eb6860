import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { transcribeClip } from '../api/clip-transcriber.ts';
import { WIDEBAND_RATE_HZ } from '../audio/pcm.ts';
import type { Agent, AgentDefinition, Language } from '../core/agent.ts';
import { type Clock, timeoutSignal } from '../core/clock.ts';
import { errorText, ServiceError } from '../core/errors.ts';
import { sentence } from '../core/notice.ts';
import type { Voice } from '../core/voice.ts';
import type { EngineMember } from '../engines/engine-member.ts';
import { hearingRate } from '../engines/stt/hearing-rate.ts';

interface SpokenQuestion {
  readonly tag: string;
  readonly sentence: string;
  readonly spoken: readonly string[];
}
interface Questions extends Readonly<Record<Language, SpokenQuestion>> {
  readonly reply: { readonly agent: AgentDefinition; readonly question: string };
  readonly document: { readonly text: string; readonly question: string };
}
const FILE = new URL('../../src/manage/data/engine-checks.yaml', import.meta.url);
const questions = parse(readFileSync(FILE, 'utf8')) as Questions;

const CHECK_AGENT: Agent = {
  ...{ id: 'agt_check', accountId: 'acc_check', version: 1, status: 'live', updatedAt: new Date(0) },
  definition: questions.reply.agent,
};
const CHECK_MS_MAX = 20_000;
const ANSWER_CHARS_MAX = 300;

export interface EngineCheck {
  readonly at: Date;
  readonly ok: boolean;
  /** Why not, for who looks after the gateway. */
  readonly detail: string | undefined;
  readonly firstMs: number | undefined;
  readonly totalMs: number;
  /** What was heard or answered. */
  readonly answer: string | undefined;
  readonly audioMs: number | undefined;
}

export interface EngineFacts {
  readonly name: string;
  readonly member: EngineMember;
  /** `unused`: nobody has needed it since the start. */
  readonly state: 'ok' | 'down' | 'unused';
  readonly detail: string | undefined;
  readonly lastCheck: EngineCheck | undefined;
}

export interface EngineDeskDeps {
  readonly clock: Clock;
  readonly members: readonly EngineMember[];
  readonly voiceOf: (language: Language) => Voice | undefined;
  /** Makes an agent ready in steps, so that no call waits for it. Never rejects. */
  readonly compile: (agent: Agent) => Promise<void>;
  /** A sentence for recognisers, in a voice of this gateway. @throws ServiceError of the voice. */
  readonly say: (language: Language, text: string, rateHz: number, signal: AbortSignal) => Promise<Int16Array>;
}

type Found = Pick<EngineCheck, 'answer' | 'audioMs' | 'firstMs'>;
type Of<C extends EngineMember['capability']> = Extract<EngineMember, { capability: C }>;

/** The engines one by one, and whether each does its work now: asked what callers ask, with sentences of our own. */
export class EngineDesk {
  readonly #members: ReadonlyMap<string, EngineMember>;
  readonly #last = new Map<string, EngineCheck>(); // bounded by the engines there are

  constructor(private readonly deps: EngineDeskDeps) {
    this.#members = new Map(deps.members.map((member) => [nameOf(member), member]));
  }

  list(): readonly EngineFacts[] {
    return [...this.#members].map(([name, member]) => ({
      ...{ name, member, lastCheck: this.#last.get(name) },
      ...stateOf(member),
    }));
  }

  /**
   * One that is paused is tried first, and is in use again where it does its work. Undefined: there is no such engine. Never rejects: what goes
   * wrong is what was found.
   */
  async check(name: string): Promise<EngineCheck | undefined> {
    const member = this.#members.get(name);
    if (!member) return undefined;
    const { clock } = this.deps;
    const { signal, cancel } = timeoutSignal(clock, CHECK_MS_MAX);
    const startMs = clock.nowMs();
    const at = clock.utc();
    const told = await this.#found(member, signal)
      .then((found) => ({ ok: true, detail: undefined, ...found }))
      .catch((error: unknown) => ({ ...FAILED, detail: signal.aborted ? LATE : reason(error) }))
      .finally(cancel);
    const check = { at, ...told, totalMs: clock.nowMs() - startMs };
    this.#last.set(name, check);
    return check;
  }

  #found(member: EngineMember, signal: AbortSignal): Promise<Found> {
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error(LATE)), { once: true });
    });
    return Promise.race([this.#ask(member, signal), late]);
  }

  async #ask(member: EngineMember, signal: AbortSignal): Promise<Found> {
    await member.retry();
    switch (member.capability) {
      case 'tts':
        return this.#speak(member, signal);
      case 'stt':
        return this.#hear(member, signal);
      case 'reply':
        return this.#reply(member, signal);
      case 'document':
        return this.#read(member, signal);
    }
  }

  async #speak(member: Of<'tts'>, signal: AbortSignal): Promise<Found> {
    const voice = this.deps.voiceOf('en');
    if (!voice) throw new Error(sentence('engine.no-voice'));
    const request = { text: questions.en.sentence, voice, speed: 1, pitchSemitones: 0 };
    const engine = usable(member.get(), (one) => one.available());
    const first = this.#watch();
    let samples = 0;
    for await (const chunk of engine.synthesize({ ...request, sampleRateHz: WIDEBAND_RATE_HZ }, signal)) {
      first.seen();
      samples += chunk.length;
    }
    if (samples === 0) throw new Error(sentence('engine.no-sound'));
    return { answer: undefined, audioMs: (samples * 1000) / WIDEBAND_RATE_HZ, firstMs: first.ms };
  }

  /** The time is that of the recogniser: from the words being there to their text. */
  async #hear({ get, language }: Of<'stt'>, signal: AbortSignal): Promise<Found> {
    const { say } = this.deps;
    const { sentence: question, spoken, tag } = questions[language];
    const engine = usable(get(), (one) => one.available(tag));
    const sampleRateHz = hearingRate(engine, WIDEBAND_RATE_HZ);
    const samples = await say(language, question, sampleRateHz, signal).catch((error: unknown) => {
      throw new Error(`there was no voice to ask it with: ${reason(error)}`);
    });
    const first = this.#watch();
    const hints = { phrases: spoken, expect: [] };
    const { text } = await transcribeClip(engine, { samples, sampleRateHz, language: tag, hints }, signal);
    first.seen();
    if (text === '') throw new Error(sentence('engine.understood-nothing'));
    return { answer: shown(text), audioMs: (samples.length * 1000) / sampleRateHz, firstMs: first.ms };
  }

  async #reply(member: Of<'reply'>, signal: AbortSignal): Promise<Found> {
    const { question } = questions.reply;
    await this.deps.compile(CHECK_AGENT);
    const engine = usable(member.get(), (one) => one.available(CHECK_AGENT));
    const first = this.#watch();
    const asked = { input: 'speech', mode: 'voice', confidence: 1, history: [], variables: {} } as const;
    const texts: string[] = [];
    for await (const event of engine.reply({ ...asked, agent: CHECK_AGENT, text: question }, signal)) {
      first.seen();
      if (event.type === 'text') texts.push(event.text);
    }
    if (texts.length === 0) throw new Error(sentence('engine.answered-nothing'));
    return { answer: shown(texts.join(' ')), audioMs: undefined, firstMs: first.ms };
  }

  async #read(member: Of<'document'>, signal: AbortSignal): Promise<Found> {
    const { text, question } = questions.document;
    const file = Buffer.from(text);
    const first = this.#watch();
    const answer = await member.get().ask({ file, mimeType: 'text/markdown', question }, signal);
    first.seen();
    if (!answer.answered) throw new Error(sentence('engine.not-found'));
    return { answer: shown(answer.answer), audioMs: undefined, firstMs: first.ms };
  }

  #watch(): { seen(): void; readonly ms: number | undefined } {
    const { clock } = this.deps;
    const startMs = clock.nowMs();
    let ms: number | undefined;
    return {
      seen: () => {
        ms ??= clock.nowMs() - startMs;
      },
      get ms() {
        return ms;
      },
    };
  }
}

const LATE = sentence('engine.late', { seconds: CHECK_MS_MAX / 1000 });
const FAILED = { ok: false, firstMs: undefined, answer: undefined, audioMs: undefined };

const nameOf = (member: EngineMember): string =>
  [member.capability, ...(member.capability === 'stt' ? [member.language] : []), member.engine].join('-');

function stateOf(member: EngineMember): Pick<EngineFacts, 'state' | 'detail'> {
  const made = availability(member);
  if (made === 'unused') return { state: 'unused', detail: undefined };
  return made.ok ? { state: 'ok', detail: undefined } : { state: 'down', detail: made.why };
}

/** @throws Error with why it cannot be asked. */
function usable<E>(engine: E, ask: (engine: E) => Availability): E {
  const own = ask(engine);
  if (!own.ok) throw new Error(own.why);
  return engine;
}

type Availability = { readonly ok: true } | { readonly ok: false; readonly why: string };

function availability(member: EngineMember): Availability | 'unused' {
  if (member.capability === 'document') return { ok: true };
  if (member.capability === 'stt') return member.made()?.available(questions[member.language].tag) ?? 'unused';
  return member.made()?.available() ?? 'unused';
}

/** What an operator reads: the cause, where there is one. */
function reason(error: unknown): string {
  const cause = error instanceof ServiceError ? (error.cause ?? error) : error;
  return shown(errorText(cause));
}

const shown = (text: string): string => text.slice(0, ANSWER_CHARS_MAX);
