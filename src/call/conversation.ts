import { type Language, languageOf } from '../core/agent.ts';
import type { Timer } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Metrics } from '../core/metrics.ts';
import type { ReplyEngine, ReplyExpectation, ReplyRequest } from '../engines/reply/contract.ts';
import { languageOfText } from '../language/detect-language.ts';
import type { MediaPort } from '../media/media-port.ts';
import type { AgentTurn } from './agent-turn.ts';
import { AgentVoice } from './agent-voice.ts';
import { type CallEnd, callEnd } from './call-end.ts';
import type { CallTrace } from './call-trace.ts';
import type { TransferOrder } from './call-transfer.ts';
import { CallerSide } from './caller-side.ts';
import type { CallerSideDeps } from './caller-side-parts.ts';
import { awaitsTransfer, Floor, type FloorState, hears, onHold } from './floor.ts';
import { Line, skipHeard } from './line.ts';
import { Notes } from './notes.ts';
import type { Overheard } from './overheard.ts';
import { PHRASES, type Phrase } from './phrases.ts';
import type { Rest } from './rest.ts';
import type { Synthesize } from './speech-output.ts';
import { PHRASE_OF_CAUSE, type TransferCause, type TransferResult } from './transfer-outcome.ts';
import { type SpokenTurn, TurnLog, type TurnSink } from './turn-log.ts';

/** From the gateway's decision to end the call to the end, however long its last sentence takes to be made and played. */
export const GOODBYE_MAX_MS = 15_000;
/** For an answering machine: it stops to record by itself. */
const MESSAGE_MAX_MS = 60_000;

/** While the caller speaks over the agent and it is not known yet what that means. */
const YIELDING_GAIN_DB = -12;

export interface ConversationDeps extends CallerSideDeps {
  readonly port: MediaPort;
  readonly variables: Readonly<Record<string, string>>;
  readonly reply: ReplyEngine;
  readonly synthesize: Synthesize;
  readonly metrics: Metrics;
  readonly trace?: CallTrace;
  readonly sink: TurnSink;
  /** Transfer to a person; @returns what came of it, once the agent has to do with the call again or never will. */
  readonly transfer: (order: TransferOrder) => Promise<TransferResult>;
  readonly end: (end: CallEnd) => void;
  /** When the call was answered, monotonic: times of turns are counted from it. From now on without it. */
  readonly answeredMs?: number;
}

/**
 * Turn taking of one call: who speaks, when a turn is over, what an interruption cuts. The states are in `floor.ts`; what
 * they mean is here for the agent, and in `caller-side.ts` for the caller.
 */
export class Conversation {
  readonly notes: Notes;
  readonly rest: Rest;
  #language: Language; // of the agent's last answer
  readonly #log: TurnLog;
  readonly #floor: Floor;
  readonly #caller: CallerSide;
  readonly #voice: AgentVoice;
  #failures = 0; // of engines, in a row
  #end: CallEnd | undefined; // what follows the last word; set with `closing`
  #endLimit: Timer | undefined;
  #isAside = false; // the caller talks to somebody else
  #greeting: Timer | undefined; // about to be said

  constructor(private readonly deps: ConversationDeps) {
    const { clock, agent } = deps;
    this.#language = languageOf(agent.definition.language);
    this.notes = new Notes(deps.reply, agent);
    const sinceMs = deps.answeredMs ?? clock.nowMs();
    this.#log = new TurnLog(deps.sink, deps.metrics, sinceMs, agent.definition.model, deps.trace);
    const line = new Line(deps.port);
    this.rest = line.rest;
    this.#floor = new Floor({
      hearing: (listened) => this.#caller.listen(listened),
      yielding: (softer) => line.setGain(softer ? YIELDING_GAIN_DB : 0),
      moved: () => line.rest.wake(),
    });
    this.#caller = new CallerSide(deps, line, this.#floor, this.#expectation(), {
      answer: this.#guarded((input) => this.#answer(input)),
      interrupt: this.#guarded(() => this.#interrupt()),
      takeBack: this.#guarded(() => this.#takeBack()),
      goOn: this.#guarded(({ text, language }) => this.#prompt(text, language)),
      excuse: this.#guarded(() => this.#excuse()),
      tooQuiet: this.#guarded(() => this.#prompt(PHRASES.tooQuiet[this.#language])),
      missed: this.#guarded(() => this.#onMissed()),
      gone: this.#guarded(() => this.endWith('nobodyThere', callEnd('gateway', 'no-input'))),
    });
    this.#voice = new AgentVoice(
      { ...deps, port: line, log: this.#log },
      {
        audio: this.#guarded((turn) => this.#onAudio(turn)),
        decided: this.#guarded((turn) => this.#onDecided(turn)),
        done: this.#guarded((turn) => this.#onSaid(turn)),
        failed: this.#guarded((error) => this.#onFailed(error)),
      },
    );
  }

  get state(): FloorState {
    return this.#floor.state;
  }
  get mode(): ReplyRequest['mode'] {
    return this.#caller.mode;
  }

  /** In the voice of the agent. */
  get synthesize(): Synthesize {
    return this.deps.synthesize;
  }

  /** Says the greeting, in a moment; the caller may interrupt it like anything else. */
  greet(delayMs = this.deps.settings.greetingDelayMs): void {
    const { reply, agent, variables, clock } = this.deps;
    const say = this.#guarded(() => {
      this.#hear();
      if (this.#voice.turn === undefined && !this.#end) this.#prompt(reply.greeting(agent, variables, this.mode));
    });
    if (delayMs === 0) say();
    else this.#greeting = clock.setTimer(delayMs, say);
  }

  /** Says a message to whoever records it, the greeting where there is none, then ends the call. */
  leaveMessage(message: string | undefined, end: CallEnd): void {
    const { reply, agent, variables, clock } = this.deps;
    this.#closeWith(end);
    this.#endLimit ??= clock.setTimer(MESSAGE_MAX_MS, () => this.deps.end(end));
    const text = message ?? reply.greeting(agent, variables, this.mode);
    this.#voice.say(text, this.#language, { type: 'hangup' });
  }

  /** Called every 20 ms, on hold too. */
  tick(): void {
    const nowMs = this.deps.clock.nowMs();
    if (!this.rest.isOver(nowMs)) return;
    this.#hear();
    if (this.#isAside || onHold(this.state)) return;
    this.#voice.tick(nowMs);
    this.#caller.watch(nowMs);
    this.rest.untilMs = Math.min(this.#caller.restsUntilMs, this.#voice.restsUntilMs);
  }

  /** What came since the last tick comes before whatever happens now. Others may listen to the port. */
  #hear(): void {
    if (!this.#isAside) this.#caller.hear();
  }

  /** One key, from RTP or INFO. */
  onDigit(key: string): void {
    this.#hear();
    this.#caller.onKey(key);
  }

  /** The caller put us on hold, or took us back. What the agent was saying waits in the media port and goes on from there. */
  setHeld(held: boolean): void {
    if (!held) return this.#onResume();
    if (this.state === 'closing') return this.deps.end(this.#end!); // Nobody hears the last words any more.
    // A voice over the agent's that was not yet judged is past.
    const { turn } = this.#voice;
    if (this.#floor.go('hold') && turn?.audible && !turn.aside) this.#caller.forgetTurn();
  }

  /**
   * Says a sentence of the gateway's own, then ends the call: within `GOODBYE_MAX_MS`, whatever the caller does meanwhile
   * and whether it can be spoken or not. What was being said is cut, but for words after which the agent ends the call.
   */
  endWith(phrase: Phrase, end: CallEnd): void {
    this.#hear();
    const before = this.state;
    if (before === 'finished') return;
    if (before !== 'closing') {
      this.#voice.stop();
      this.#logUnanswered();
      this.#closeWith(end);
      if (onHold(before)) return this.deps.end(end); // Nobody would hear it.
      this.#voice.say(PHRASES[phrase][this.#language], this.#language, { type: 'hangup' });
    }
    this.#endLimit ??= this.deps.clock.setTimer(GOODBYE_MAX_MS, () => this.deps.end(end));
  }

  /** Says what somebody who looks on wants said, in the place of what is being said. @returns false where nobody listens. */
  sayNow(text: string): boolean {
    if (!this.#takeFloor()) return false;
    this.#prompt(text, languageOfText(text) ?? this.#language);
    return true;
  }

  /** Puts the caller through, at the wish of somebody who looks on. @returns false where the agent has no floor to leave. */
  sendTo(target: string): boolean {
    if (!this.#takeFloor()) return false;
    this.#caller.forgetKeys();
    this.#floor.go('prompt');
    this.#floor.go('transfer');
    this.#voice.say(PHRASES.oneMoment[this.#language], this.#language, { type: 'transfer', target });
    return true;
  }

  /** What is being said ends, and what the caller said so far is on record. */
  #takeFloor(): boolean {
    this.#hear();
    if (!hears(this.state)) return false;
    this.deps.clock.clearTimer(this.#greeting);
    this.#voice.stop();
    this.#logUnanswered();
    return true;
  }

  /** Something the caller is to know while a person is being looked for. It is no part of the dialogue. */
  tell(text: string): void {
    if (this.state === 'transferring') this.#voice.aside(text, languageOfText(text) ?? this.#language);
  }

  /** The caller talks to somebody else for a while. */
  standAside(): void {
    this.#voice.stop();
    this.#isAside = true;
  }
  /** What was said meanwhile, for the record. */
  overheard(said: Overheard): void {
    this.#log.overheard(said);
  }

  /** What was said to the person, for the record. */
  told(turn: SpokenTurn): void {
    this.#log.agent(turn);
  }

  /** Stops everything; records what was heard of an unfinished sentence. Idempotent. */
  close(): void {
    this.#floor.go('finish');
    this.deps.clock.clearTimer(this.#endLimit);
    this.deps.clock.clearTimer(this.#greeting);
    try {
      this.#voice.stop();
      this.#logUnanswered();
    } finally {
      this.#caller.close();
    }
  }

  // --- the agent's turn -----------------------------------------------------------------------------------------

  /** Asks the reply engine and speaks what it streams. */
  #answer(input: ReplyRequest['input']): void {
    const { agent, variables, clock } = this.deps;
    const { turn, silence } = this.#caller;
    this.#voice.stop();
    silence.answered(input !== 'silence');
    this.#floor.go('input');
    const caller = this.#caller.taken(input, clock.nowMs());
    const request: ReplyRequest = {
      ...{ agent, variables, input, text: caller.text, history: this.#log.transcript.history },
      ...{ mode: this.mode, confidence: turn.confidence, ...this.notes.asked },
      ...(turn.language !== undefined && { language: languageOf(turn.language) }),
    };
    this.#voice.ask(request, caller);
  }

  /** The gateway's own words: greeting, apology, a sentence resumed. */
  #prompt(text: string, language = this.#language): void {
    this.#floor.go('prompt');
    this.#voice.say(text, language);
  }

  /** Says that it takes a moment. It is no part of the dialogue. */
  #excuse(): void {
    if (this.#floor.go('excuse')) this.#voice.aside(PHRASES.oneMoment[this.#language], this.#language);
  }

  /** What was said is not known, by no fault of the caller's. Words that come after all are a turn. */
  #onMissed(): void {
    this.#caller.missTurn();
    this.#prompt(PHRASES.trouble[this.#language]);
  }

  #onAudio({ input, language }: AgentTurn): void {
    if (input) this.#caller.turn.reset();
    this.#language = (input && language) ?? this.#language;
    this.#floor.go('audio');
  }

  /** What the agent decided stands, whatever the caller does from now on. On hold it waits for the words before it. */
  #onDecided({ action, input }: AgentTurn): void {
    if (onHold(this.state)) return;
    if (action?.type === 'hangup') {
      return this.#closeWith(callEnd('agent', input === 'silence' ? 'no-input' : 'agent-hangup'));
    }
    this.#caller.forgetKeys();
    this.#floor.go('transfer');
  }

  /** The last word was played: what the agent decided follows. */
  #onSaid({ action, input, audible, aside }: AgentTurn): void {
    if (aside) return void this.#floor.go('done');
    if (input) this.#failures = 0; // An apology that was heard is no success.
    if (input && !audible) this.#caller.turn.reset(); // A reply without words.
    if (action?.type === 'transfer') return void this.#transfer(action.target);
    if (action?.type === 'hangup') return this.deps.end(this.#end!);
    this.#floor.go('done');
    this.#caller.expect(this.#expectation(), action); // the agent's own wish goes before what is expected in general
  }

  #onFailed(error: unknown): void {
    const { turn } = this.#voice;
    if (turn?.aside && awaitsTransfer(this.state)) return void this.#voice.stop(); // Nobody waits for it.
    this.deps.logger.warn({ error: errorText(error), failures: this.#failures }, 'engine failed during a turn');
    if (turn?.decisive) return turn.leaveOff(); // What it decided follows, said or not.
    this.#failures += 1;
    turn?.logCaller();
    this.#voice.stop();
    this.#caller.resetTurn();
    if (this.#failures < this.deps.settings.maxFailures) return this.#prompt(PHRASES.trouble[this.#language]);
    this.endWith('giveUp', callEnd('gateway', 'engine-failed'));
  }

  // --- the caller's doing ---------------------------------------------------------------------------------------

  #interrupt(): void {
    this.deps.metrics.bargeIns.inc();
    const { language = this.#language, action } = this.#voice.turn ?? {};
    const text = this.#voice.stop('interrupted');
    const rule = action?.type === 'collect' ? action : undefined;
    this.#caller.interrupted({ text, language }, this.#expectation(), rule);
    this.#floor.go('interrupt');
  }

  /** The turn is the caller's again, with what they already said. */
  #takeBack(): void {
    this.#voice.stop();
    this.#caller.turn.reopen();
    this.#floor.go('interrupt');
  }

  #onResume(): void {
    if (!this.#floor.go('resume')) return;
    this.#caller.silence.restart(this.deps.clock.nowMs());
    const { turn } = this.#voice;
    if (turn && !turn.aside) {
      this.#floor.go(turn.audible ? 'prompt' : 'input');
      if (turn.decisive) this.#onDecided(turn);
    } else if (this.#caller.hasWords()) {
      this.#floor.go('speechEnd');
    }
  }

  // --- leaving --------------------------------------------------------------------------------------------------

  async #transfer(target: string): Promise<void> {
    const { agent } = this.deps;
    let result: TransferResult = { moved: false, cause: 'failed' };
    try {
      const { handover } = this.#expectation();
      result = await this.deps.transfer({ target, language: languageOf(agent.definition.language), handover });
    } catch (error) {
      this.deps.logger.error({ error: errorText(error) }, 'a transfer failed');
    }
    if (!result.moved) this.#guarded(this.#onNotTransferred.bind(this))(result.cause);
  }

  #onNotTransferred(cause: TransferCause | 'person-left'): void {
    if (!this.#floor.go('transferFailed')) return;
    this.#voice.stop();
    this.#isAside = false;
    skipHeard(this.deps.port);
    this.#caller.forgetTurn();
    const { resume } = this.#expectation();
    const why = PHRASES[cause === 'person-left' ? 'personLeft' : PHRASE_OF_CAUSE[cause]][this.#language];
    const on = resume ? `${PHRASES.backToTalk[this.#language]} ${resume}` : PHRASES.anythingElse[this.#language];
    this.#prompt(`${why} ${on}`);
  }

  #closeWith(end: CallEnd): void {
    this.#end = end;
    this.#floor.go('close');
  }

  /** Words that were heard and not answered are on record all the same. */
  #logUnanswered(): void {
    const { turn } = this.#caller;
    this.#log.caller(turn.snapshot('speech', this.deps.clock.nowMs()));
    turn.reset();
  }

  /** These come from engines and timers: what one of them throws would be nobody's. It ends this call, and no other. */
  #guarded<A extends unknown[]>(act: (...args: A) => void): (...args: A) => void {
    return (...args) => {
      try {
        act(...args);
      } catch (error) {
        this.deps.logger.error({ error: errorText(error) }, 'a conversation failed');
        this.deps.end(callEnd('gateway', 'internal', errorText(error)));
      }
    };
  }

  #expectation(): ReplyExpectation {
    const { reply, agent, variables } = this.deps;
    return reply.expects(agent, this.#log.transcript.history, variables);
  }
}
