import { type Agent, type Language, languageOf } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type { ReplyEngine, ReplyExpectation, ReplyRequest } from '../engines/reply/contract.ts';
import type { SttHints, SttStream } from '../engines/stt/contract.ts';
import type { VadDetector } from '../engines/vad/contract.ts';
import type { MediaPort } from '../media/media-port.ts';
import { AgentTurn } from './agent-turn.ts';
import { BargeInPolicy } from './barge-in.ts';
import { type CallEnd, callEnd } from './call-end.ts';
import { CallerTurn, type CallerTurnRecord } from './caller-turn.ts';
import type { ConversationSettings } from './conversation-settings.ts';
import { DtmfCollector } from './dtmf-collector.ts';
import { PHRASES, type Phrase } from './phrases.ts';
import { SpeechInput } from './speech-input.ts';
import type { Synthesize } from './speech-output.ts';
import { TurnLog, type TurnSink } from './turn-log.ts';
import { nextTurnState, type TurnEvent, type TurnState } from './turn-state.ts';

/** A recogniser that failed is opened again this often in one call; after that the call goes on by keypad. */
const RECOGNISER_RESTARTS_MAX = 3;

export interface ConversationDeps {
  readonly agent: Agent;
  readonly variables: Readonly<Record<string, string>>;
  readonly settings: ConversationSettings;
  readonly port: MediaPort;
  readonly vad: VadDetector;
  /** Opens a recogniser for the agent's language, or says there is none: then the keypad serves. */
  readonly openStt: (hints: SttHints) => SttStream | undefined;
  readonly reply: ReplyEngine;
  readonly synthesize: Synthesize;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly sink: TurnSink;
  /** Transfer to a person; @returns false when it failed and the agent goes on. */
  readonly transfer: (target: string) => Promise<boolean>;
  readonly end: (end: CallEnd) => void;
}

/** Turn taking of one call: who speaks, when a turn is over, what an interruption cuts. */
export class Conversation {
  #state: TurnState = 'listening';
  #mode: ReplyRequest['mode'];
  readonly #input: SpeechInput;
  readonly #keys: DtmfCollector;
  readonly #policy: BargeInPolicy;
  readonly #log: TurnLog;
  readonly #turn = new CallerTurn();
  #speech: AgentTurn | undefined; // what the agent is saying or about to say
  #expectation: ReplyExpectation;
  #overlapSinceMs: number | undefined; // the caller speaks over the agent since
  #cut: { text: string; language: Language } | undefined; // what an interruption left unsaid
  #quietSinceMs: number;
  #noInputs = 0;
  #failures = 0;
  #restarts = 0;
  #held = false;
  #language: Language;

  constructor(private readonly deps: ConversationDeps) {
    const { clock, settings, agent } = deps;
    this.#language = languageOf(agent.definition.language);
    this.#quietSinceMs = clock.nowMs();
    this.#policy = new BargeInPolicy(settings);
    this.#log = new TurnLog(deps.sink, deps.metrics, clock.nowMs(), agent.definition.model);
    this.#keys = new DtmfCollector(clock, { maxDigits: 1, terminator: '#', timeoutMs: 3000 }, (digits) =>
      this.#onKeys(digits),
    );
    this.#input = new SpeechInput(deps.port, deps.vad, clock, {
      speechStart: (atMs, resumed) => this.#onSpeechStart(atMs, resumed),
      speechEnd: (atMs) => this.#onSpeechEnd(atMs),
      interim: (text) => this.#onInterim(text),
      final: (text, confidence) => this.#onFinal(text, confidence),
      recogniserFailed: (error) => this.#onRecogniserFailed(error),
    });
    this.#expectation = this.#whatIsExpected();
    const stt = deps.openStt(this.#expectation.hints);
    if (stt) this.#input.attach(stt);
    this.#mode = stt ? 'voice' : 'keypad';
  }

  get state(): TurnState {
    return this.#state;
  }
  get mode(): ReplyRequest['mode'] {
    return this.#mode;
  }

  /** Says the greeting; the caller may interrupt it like anything else. */
  greet(): void {
    const { reply, agent, variables } = this.deps;
    this.#prompt(reply.greeting(agent, variables, this.#mode), this.#language);
  }

  /** Called every 20 ms, on hold too. */
  tick(): void {
    if (this.#state === 'finished') return;
    this.#input.tick();
    this.#speech?.pump();
    const nowMs = this.deps.clock.nowMs();
    switch (this.#state) {
      case 'speaking':
        if (this.#overlapSinceMs !== undefined && this.#input.speaking) this.#judgeOverlap(this.#turn.interim, false);
        break;
      case 'endpointing':
        this.#watchPause(nowMs);
        break;
      case 'thinking':
        this.#watchThinking(nowMs);
        break;
      case 'listening':
        this.#watchSilence(nowMs);
        break;
    }
  }

  /** One key, from RTP or INFO. A key interrupts whatever is being said. */
  onDigit(key: string): void {
    if (this.#state === 'finished' || this.#speech?.decisive) return;
    if (this.#keys.isHabit(key)) return;
    this.#quietSinceMs = this.deps.clock.nowMs();
    if (this.#state === 'speaking') this.#interrupt();
    this.#keys.push(key);
  }

  setHeld(held: boolean): void {
    this.#held = held;
    this.#quietSinceMs = this.deps.clock.nowMs();
  }

  /** Says a sentence of the gateway's own, then ends the call. What was being said is cut. */
  endWith(phrase: Phrase, end: CallEnd): void {
    if (this.#state === 'finished') return;
    this.#stopSpeaking();
    this.#prompt(PHRASES[phrase][this.#language], this.#language, () => this.deps.end(end));
  }

  /** Stops everything; records what was heard of an unfinished sentence. Idempotent. */
  close(): void {
    if (this.#state === 'finished') return;
    this.#stopSpeaking();
    if (this.#turn.text !== '') this.#log.caller(this.#turn.snapshot('speech', this.deps.clock.nowMs()));
    this.#go('finish');
    this.#keys.close();
    this.#input.close();
  }

  // --- what the caller does -------------------------------------------------------------------------------------

  #onSpeechStart(atMs: number, resumed: boolean): void {
    this.#quietSinceMs = this.deps.clock.nowMs();
    this.#turn.speechStarted(atMs, resumed);
    if (this.#state === 'endpointing') this.#go('speechStart');
    else if (this.#state === 'thinking' && !this.#speech?.decisive) this.#takeTurnBack();
    else if (this.#state === 'speaking') this.#overlapSinceMs = atMs;
  }

  #onSpeechEnd(atMs: number): void {
    this.#quietSinceMs = this.deps.clock.nowMs();
    this.#turn.speechEnded(atMs);
    if (this.#state === 'listening') this.#go('speechEnd');
    else if (this.#state === 'speaking' && !this.#input.settle()) this.#overlapSinceMs = undefined;
  }

  #onInterim(text: string): void {
    this.#turn.interim = text;
    if (this.#state === 'speaking' && this.#overlapSinceMs !== undefined) this.#judgeOverlap(text, false);
  }

  #onFinal(text: string, confidence: number): void {
    this.#turn.interim = '';
    const nowMs = this.deps.clock.nowMs();
    if (this.#state === 'speaking') {
      if (this.#judgeOverlap(text, true) === 'ignore') return this.#turn.setAside(text, confidence, nowMs);
    } else if (this.#state === 'thinking' && text !== '' && !this.#speech?.decisive) {
      this.#takeTurnBack();
    }
    this.#turn.heard(text, confidence, nowMs);
    if (this.#input.speaking) return;
    if (this.#state === 'listening') this.#go('speechEnd');
    if (this.#state === 'endpointing') this.#watchPause(nowMs);
  }

  #onKeys(digits: string): void {
    if (this.#state === 'finished') return;
    this.#stopSpeaking();
    this.#turn.reset();
    const nowMs = this.deps.clock.nowMs();
    this.#turn.speechStarted(nowMs);
    this.#turn.speechEnded(nowMs);
    this.#turn.heard(digits, 1, nowMs);
    this.#answer('keypad', 'input');
  }

  #onRecogniserFailed(error: unknown): void {
    this.deps.logger.warn({ error: errorText(error), restarts: this.#restarts }, 'recogniser failed');
    if (this.#restarts < RECOGNISER_RESTARTS_MAX) {
      this.#restarts += 1;
      const stt = this.deps.openStt(this.#expectation.hints);
      if (stt) return this.#input.attach(stt);
    }
    this.#mode = 'keypad';
    if (this.#state === 'listening' || this.#state === 'endpointing') this.#answer('silence', 'input');
  }

  /** The caller went on before any answer was heard: the turn is theirs again, with what they already said. */
  #takeTurnBack(): void {
    this.#stopSpeaking();
    this.#turn.reopen();
    this.#go('interrupt');
  }

  #judgeOverlap(text: string, final: boolean): 'interrupt' | 'wait' | 'ignore' {
    if (this.#speech?.decisive || this.deps.agent.definition.bargeIn === 'off') return 'ignore';
    const speechMs = this.#overlapSinceMs === undefined ? 0 : this.deps.clock.nowMs() - this.#overlapSinceMs;
    // Without a recogniser a noise cannot be told from a word, so only keys interrupt.
    const verdict = this.#mode === 'keypad' ? 'ignore' : this.#policy.judge({ speechMs, text, final });
    if (verdict === 'interrupt') this.#interrupt();
    if (verdict === 'ignore') this.#overlapSinceMs = undefined;
    return verdict;
  }

  #interrupt(): void {
    this.deps.metrics.bargeIns.inc();
    const language = this.#speech?.language ?? this.#language;
    const action = this.#speech?.action;
    const unheard = this.#stopSpeaking();
    this.#keys.setRule(action?.type === 'collect' ? action : this.#whatIsExpected().collect);
    this.#cut = unheard === '' ? undefined : { text: unheard, language };
    this.#go('interrupt');
  }

  // --- what the agent does --------------------------------------------------------------------------------------

  #completeTurn(): void {
    const { settings, clock } = this.deps;
    if (this.#turn.text === '' && (this.#mode === 'keypad' || this.#cut || this.#turn.speechMs < settings.bargeInMs)) {
      this.#turn.reset();
      this.#go('discard');
      this.#quietSinceMs = clock.nowMs();
      return;
    }
    this.#answer('speech', 'complete');
  }

  /** Asks the reply engine and speaks what it streams. */
  #answer(input: ReplyRequest['input'], event: TurnEvent): void {
    const { agent, variables, clock, reply } = this.deps;
    if (input !== 'silence') this.#noInputs = 0;
    this.#cut = undefined;
    this.#go(event);
    const caller = this.#turn.snapshot(input, clock.nowMs());
    const turn = this.#speak((spoken) => this.#afterAnswer(spoken, input), caller);
    const request: ReplyRequest = {
      ...{ agent, variables, input, text: caller.text, history: this.#log.transcript.history },
      ...{ mode: this.#mode, confidence: this.#turn.confidence },
    };
    void turn.ask(reply, request);
  }

  /** The gateway's own words: greeting, apology, a sentence resumed. */
  #prompt(text: string, language: Language, after: () => void = () => this.#listen()): void {
    const turn = this.#speak(after);
    this.#go('prompt');
    turn.say(text, language);
  }

  #speak(after: (turn: AgentTurn) => void, caller?: CallerTurnRecord): AgentTurn {
    const { port, synthesize, clock } = this.deps;
    const handlers = {
      audio: (): void => {
        if (caller) this.#turn.reset();
        if (this.#state === 'thinking') this.#go('audio');
      },
      done: (turn: AgentTurn): void => {
        this.#speech = undefined;
        if (caller) this.#failures = 0; // An apology that was heard is no success.
        if (caller && this.#state === 'thinking') this.#turn.reset(); // A reply without words.
        after(turn);
      },
      failed: (error: unknown): void => this.#fail(error),
    };
    this.#speech = new AgentTurn({ port, synthesize, clock, log: this.#log }, handlers, caller);
    return this.#speech;
  }

  #afterAnswer(turn: AgentTurn, input: ReplyRequest['input']): void {
    const action = turn.action;
    if (action?.type === 'transfer') return void this.#transfer(action.target);
    if (action?.type === 'hangup') {
      return this.deps.end(callEnd('agent', input === 'silence' ? 'no-input' : 'agent-hangup'));
    }
    this.#listen();
    if (action) this.#keys.setRule(action); // the agent's own wish goes before what is expected in general
  }

  async #transfer(target: string): Promise<void> {
    const moved = await this.deps.transfer(target);
    if (this.#state === 'finished' || moved) return;
    this.#prompt(PHRASES.transferFailed[this.#language], this.#language);
  }

  /** Cuts what is being said. @returns what the caller did not hear. */
  #stopSpeaking(): string {
    const unheard = this.#speech?.stop() ?? '';
    this.#overlapSinceMs = undefined;
    this.#speech = undefined;
    return unheard;
  }

  #fail(error: unknown): void {
    if (this.#state === 'finished') return;
    this.#failures += 1;
    this.deps.logger.warn({ error: errorText(error), failures: this.#failures }, 'engine failed during a turn');
    this.#speech?.logCaller();
    this.#stopSpeaking();
    this.#turn.reset();
    const { maxFailures } = this.deps.settings;
    const end = callEnd('gateway', 'engine-failed');
    if (this.#failures > maxFailures) return this.deps.end(end); // Not even the goodbye could be spoken.
    if (this.#failures === maxFailures) return this.endWith('giveUp', end);
    this.#prompt(PHRASES.trouble[this.#language], this.#language);
  }

  // --- waiting --------------------------------------------------------------------------------------------------

  #listen(): void {
    this.#go(this.#state === 'thinking' ? 'nothing' : 'done');
    this.#quietSinceMs = this.deps.clock.nowMs();
    this.#expectation = this.#whatIsExpected();
    const { hints, collect } = this.#expectation;
    this.#input.hint(hints);
    this.#keys.setRule(collect);
    // An answer given over the agent's last words ("yes" to a question) counts, though it did not interrupt.
    const early = this.#turn.takeAside(this.deps.clock.nowMs());
    if (early && hints.expect.includes('yesno')) {
      this.#turn.heard(early.text, early.confidence, early.atMs);
      if (!this.#input.speaking) this.#go('speechEnd');
    }
  }

  /** The pause after speech: long enough for what was said, then the final, then the turn is over. */
  #watchPause(nowMs: number): void {
    this.#input.speculate();
    if (nowMs < this.#turn.endpointAtMs(this.deps.settings, this.#expectation.hints.expect)) return;
    this.#input.settle();
    if (this.#turn.waitedForFinal(nowMs) || this.#input.pendingFinals === 0) this.#completeTurn();
  }

  #watchThinking(nowMs: number): void {
    const { replyTimeoutMs, synthesisTimeoutMs } = this.deps.settings;
    const sinceMs = this.#speech?.times.endpointMs ?? nowMs;
    if (nowMs - sinceMs > replyTimeoutMs + synthesisTimeoutMs) this.#fail(new Error('no answer in time'));
  }

  #watchSilence(nowMs: number): void {
    if (this.#held || this.#input.speaking || this.#keys.collecting) {
      this.#quietSinceMs = nowMs;
      return;
    }
    const { settings } = this.deps;
    const quietMs = nowMs - this.#quietSinceMs;
    if (this.#cut && quietMs >= settings.resumeAfterMs) {
      const { text, language } = this.#cut;
      this.#cut = undefined;
      this.#prompt(text, language);
    } else if (quietMs >= settings.noInputMs) {
      this.#noInputs += 1;
      if (this.#noInputs > settings.maxNoInputs) return this.endWith('nobodyThere', callEnd('gateway', 'no-input'));
      this.#answer('silence', 'input');
    }
  }

  #whatIsExpected(): ReplyExpectation {
    const { reply, agent, variables } = this.deps;
    return reply.expects(agent, this.#log.transcript.history, variables);
  }

  #go(event: TurnEvent): void {
    this.#state = nextTurnState(this.#state, event) ?? this.#state;
  }
}
