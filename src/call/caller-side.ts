import { type Language, languageOf } from '../core/agent.ts';
import { errorText } from '../core/errors.ts';
import type { ReplyExpectation, ReplyRequest } from '../engines/reply/contract.ts';
import type { SttHints } from '../engines/stt/contract.ts';
import { BargeInPolicy, type BargeInVerdict, backchannelsOf, withBackchannels } from './barge-in.ts';
import { CallerOverlap } from './caller-overlap.ts';
import type { CallerSideDeps, CallerSideHandlers } from './caller-side-parts.ts';
import { CallerTurn, type CallerTurnRecord } from './caller-turn.ts';
import { type CollectRule, collectRule, DtmfCollector } from './dtmf-collector.ts';
import type { Heard } from './due-finals.ts';
import { earsOf } from './ears.ts';
import { Endpointing } from './endpointing.ts';
import { FaintCaller } from './faint-caller.ts';
import { type Floor, hears, speaks } from './floor.ts';
import { ForegroundVad } from './foreground-vad.ts';
import type { Line } from './line.ts';
import { Silence, type Unsaid } from './silence.ts';
import { SpeechInput } from './speech-input.ts';
import { TurnEndWatch } from './turn-end-watch.ts';

/** Words of a short sound over the agent's voice are waited for so long, at the lower level. */
const YIELDING_WAIT_MS = 700;

/** A sound so short in which nothing was recognised is no turn. */
const BRIEF_MS = 500;
/** Whoever goes on after a pause is noticed so late. */
const NOTICED_MS = 240;
/** Of a turn, for who judges its sound: 8 s are what such models hear. */
const JUDGED_FRAMES = 400;

/**
 * The caller's half of the turn taking: what is heard, by voice and keys, and what silence means. Moves the floor where
 * only the caller is concerned (`speechStart`, `speechEnd`, `discard`); the agent's half is `Conversation`.
 */
export class CallerSide {
  readonly turn = new CallerTurn();
  readonly silence: Silence;
  readonly #input: SpeechInput;
  readonly #keys: DtmfCollector;
  readonly #overlap: CallerOverlap;
  readonly #backchannels: readonly string[];
  readonly #bargeIn: BargeInPolicy;
  #endpointing: Endpointing;
  #agentDoneMs = 0;
  readonly #faint = new FaintCaller();
  /** Judges pauses by their sound, where a model does. */
  readonly #turnEnd: TurnEndWatch | undefined;

  constructor(
    private readonly deps: CallerSideDeps,
    line: Line,
    private readonly floor: Floor,
    private expectation: ReplyExpectation, // of the next turn
    private readonly handlers: CallerSideHandlers,
  ) {
    const { clock, settings } = deps;
    this.silence = new Silence(settings, clock.nowMs());
    this.#backchannels = backchannelsOf(deps.agent, settings);
    this.#bargeIn = new BargeInPolicy(settings, this.#backchannels);
    this.#endpointing = new Endpointing(expectation, settings);
    this.#keys = new DtmfCollector(clock, expectation.collect, (digits) => this.#onKeys(digits));
    const { turnEnd } = deps;
    this.#turnEnd = turnEnd && new TurnEndWatch(turnEnd, clock, () => this.#language);
    const ears = earsOf(deps, () => this.#hints, turnEnd ? JUDGED_FRAMES : 0);
    this.#input = new SpeechInput(line, new ForegroundVad(deps.vad), clock, ears, {
      speechStart: (atMs, resumed) => this.#onSpeechStart(atMs, resumed),
      speechEnd: (atMs) => this.#onSpeechEnd(atMs),
      resumed: () => this.turn.speechStarted(clock.nowMs(), true),
      interim: (text) => this.#onInterim(text),
      early: (heard) => this.#onEarly(heard),
      final: (heard) => this.#onFinal(heard),
      recogniserFailed: (error, lost) => {
        line.rest.wake();
        this.#onRecogniserFailed(error, lost);
      },
    });
    this.#overlap = new CallerOverlap(this.#bargeIn, this.#input, clock);
    this.#keys.setRule(collectRule(expectation, this.mode));
    line.onEchoFound = () => this.#onEchoFound();
  }

  /** Without a recogniser the keypad serves. */
  get mode(): ReplyRequest['mode'] {
    return this.#input.recognising ? 'voice' : 'keypad';
  }

  /** Takes what arrived since the last tick. */
  hear(): void {
    this.#input.tick();
  }

  /** Until when `hear` and `watch` have nothing to do, as things stand: what moves the floor, and another recogniser, wake the call. */
  get restsUntilMs(): number {
    const { state } = this.floor;
    if (state === 'speaking') return this.#input.restsUntilMs('speaking');
    if (state !== 'listening' || this.#keys.collecting) return 0;
    return Math.min(this.silence.dueMs, this.#input.restsUntilMs('silent'));
  }

  /** What passing time means in this state; called every 20 ms. */
  watch(nowMs: number): void {
    switch (this.floor.state) {
      case 'yielding':
        this.#watchOverlap(nowMs);
        break;
      case 'speaking':
        // What was nothing so far may still become words.
        if (this.#input.speaking && this.turn.interim !== '') this.#judgeOverlap(this.turn.interim, false);
        break;
      case 'endpointing':
        this.#watchPause(nowMs);
        break;
      case 'listening':
        this.#watchSilence(nowMs);
        break;
    }
  }

  /** One key. It interrupts whatever is being said. */
  onKey(key: string): void {
    if (!hears(this.floor.state) || this.#keys.isHabit(key)) return;
    if (speaks(this.floor.state)) this.handlers.interrupt();
    this.#keys.push(key);
  }

  /** The caller has the floor: `expectation` says what may come, `rule` how keys are gathered if the agent asked for them. */
  expect(expectation: ReplyExpectation, rule?: CollectRule): void {
    this.expectation = expectation;
    this.#endpointing = new Endpointing(expectation, this.deps.settings);
    this.#overlap.end();
    this.#agentDoneMs = this.deps.clock.nowMs();
    this.silence.restart(this.#agentDoneMs);
    this.#input.hint(this.#hints);
    this.#keys.setRule(rule ?? collectRule(expectation, this.mode));
    // An answer given over the agent's last words ("yes" to a question) counts, though it did not interrupt.
    const early = this.turn.takeAside(this.deps.clock.nowMs());
    if (early && this.#asksYesNo) {
      this.turn.heard(early.text, early.confidence, early.atMs);
      if (!this.#input.speaking) this.floor.go('speechEnd');
    }
  }

  /** The agent was interrupted before it was through: keys belong to what it was asking for. */
  interrupted(unsaid: Unsaid, expectation: ReplyExpectation, rule?: CollectRule): void {
    this.#overlap.end();
    this.turn.overAgent = false;
    this.silence.interrupt(unsaid);
    this.#keys.setRule(rule ?? collectRule(expectation, this.mode));
  }

  /** What is heard while nobody may listen reaches nobody. Words said before are settled; keys pressed before are kept. */
  listen(listened: boolean): void {
    this.#overlap.end();
    if (listened) {
      this.#input.unmute();
      this.#keys.resume();
      return;
    }
    if (this.#input.speaking) this.turn.speechEnded(this.deps.clock.nowMs());
    this.#input.mute();
    this.#keys.pause();
  }

  /** The turn as it is answered now, with how its pauses and its sound were judged. */
  taken(input: ReplyRequest['input'], nowMs: number): CallerTurnRecord {
    const voice = this.deps.voice?.settle(this.#language, this.turn.text !== '');
    return {
      ...{ ...this.turn.snapshot(input, nowMs), ...(input === 'speech' && this.#turnEnd?.ofTurn()) },
      ...(voice && { voice }),
    };
  }

  /** Back from hold: @returns whether words from before it wait for an answer. */
  hasWords(): boolean {
    return this.turn.text !== '' || this.#input.pendingFinals > 0;
  }

  /** The turn is past; a final of it that is still to come begins another. */
  resetTurn(): void {
    this.#overlap.end();
    this.turn.reset();
  }
  /** What was said is not known so far. */
  missTurn(): void {
    this.#overlap.end();
    this.turn.miss();
  }
  /** What was said counts no more, nor does a final of it that is still to come. */
  forgetTurn(): void {
    this.resetTurn();
    this.#input.forgetPending();
  }
  forgetKeys(): void {
    this.#keys.close();
  }

  close(): void {
    this.#keys.close();
    this.#input.close();
    this.#turnEnd?.close();
  }

  #onSpeechStart(atMs: number, resumed: boolean): void {
    const { state } = this.floor;
    this.silence.restart(this.deps.clock.nowMs());
    const beforeMs = this.turn.endMs;
    this.#turnEnd?.voice(state, atMs);
    this.turn.speechStarted(atMs, resumed);
    if (state === 'endpointing') this.floor.go('speechStart');
    else if (state === 'thinking' || state === 'excusing') this.handlers.takeBack();
    else if (speaks(state)) this.#onOverlap(atMs, beforeMs);
  }

  #onSpeechEnd(atMs: number): void {
    this.silence.restart(this.deps.clock.nowMs());
    this.turn.speechEnded(atMs);
    this.#overlap.stretchEnded();
    if (this.floor.state === 'listening') this.floor.go('speechEnd');
    else if (speaks(this.floor.state) && !this.#input.settle()) this.#keep();
  }

  /** A voice over the agent's, which becomes softer until it is known what that is. */
  #onOverlap(atMs: number, beforeMs: number): void {
    this.turn.overAgent = true;
    const near = this.#overlap.begin(atMs, beforeMs);
    if (near && this.#mayInterrupt) this.floor.go('speechStart');
  }
  /** It was nothing: the agent goes on as before. */
  #keep(): void {
    this.#overlap.end();
    this.floor.go('keep');
  }

  /** What seemed to be the caller's voice was the agent's own. If it goes on beside that, it was not. */
  #onEchoFound(): void {
    if (!this.#input.retract()) return;
    if (speaks(this.floor.state)) {
      this.turn.speechEnded(this.deps.clock.nowMs());
      this.#overlap.pause();
      this.floor.go('keep');
    }
    if (this.turn.text !== '') return;
    this.turn.reset();
    this.floor.go('discard');
  }

  #onInterim(text: string): void {
    this.deps.observer?.({ type: 'heard', text, final: false });
    this.turn.interim = text;
    if (speaks(this.floor.state)) this.#judgeOverlap(text, false);
  }

  /** What was said over the agent's voice until it paused. @returns whether it interrupts. */
  #onEarly({ text, confidence }: Heard): boolean {
    if (this.floor.state !== 'yielding' || !this.#mayInterrupt) return false;
    const interrupts = this.#overlap.interruptsEarly(text, true, confidence);
    if (interrupts) this.#interrupt();
    return interrupts;
  }

  #onFinal({ text, confidence, language }: Heard): void {
    const nowMs = this.deps.clock.nowMs();
    const { state } = this.floor;
    if (text !== '') this.deps.observer?.({ type: 'heard', text, final: true });
    if (speaks(state)) {
      if (this.#judgeOverlap(text, true, confidence) === 'ignore') return this.turn.setAside(text, confidence, nowMs);
    } else if (state === 'thinking' && text !== '') {
      this.handlers.takeBack();
    } else if (!hears(state) && state !== 'held') {
      return; // On hold it can only be of what was said before: the turn goes on with it.
    }
    this.turn.heard(text, confidence, nowMs, language);
    if (this.#input.speaking) return;
    if (this.floor.state === 'listening') this.floor.go('speechEnd');
    if (this.floor.state === 'endpointing') this.#watchPause(nowMs);
  }

  #onKeys(digits: string): void {
    const nowMs = this.deps.clock.nowMs();
    this.turn.reset();
    this.turn.speechStarted(nowMs);
    this.turn.speechEnded(nowMs);
    this.turn.heard(digits, 1, nowMs);
    this.handlers.answer('keypad');
  }

  #onRecogniserFailed(error: unknown, lost: boolean): void {
    const { state } = this.floor;
    this.deps.logger.warn({ error: errorText(error), mode: this.mode, lost }, 'recogniser failed');
    if (this.mode === 'keypad' && (state === 'listening' || state === 'endpointing')) this.handlers.answer('silence');
    else if (lost && state === 'endpointing' && this.turn.text === '') this.handlers.missed();
  }

  #interrupt(): void {
    this.#turnEnd?.interrupts();
    this.handlers.interrupt();
  }

  #judgeOverlap(text: string, final: boolean, confidence = 0): BargeInVerdict {
    const verdict = this.#mayInterrupt ? this.#overlap.judge(text, final, confidence) : 'ignore';
    if (verdict === 'interrupt') this.#interrupt();
    else if (verdict === 'ignore') this.floor.go('keep');
    return verdict;
  }

  /** Without a recogniser a noise cannot be told from a word, so only keys interrupt. */
  get #mayInterrupt(): boolean {
    return this.deps.agent.definition.bargeIn !== 'off' && this.mode === 'voice';
  }

  /** Yes or no was asked for; where anything may be said they are only possible. */
  get #asksYesNo(): boolean {
    const { expect } = this.expectation.hints;
    return expect.includes('yesno') && !expect.includes('free');
  }

  /** Of the caller where the recogniser knows it, else of the agent. */
  get #language(): Language {
    return languageOf(this.turn.language ?? this.deps.agent.definition.language);
  }

  get #hints(): SttHints {
    return withBackchannels(this.expectation.hints, this.#backchannels);
  }

  #watchOverlap(nowMs: number): void {
    if (this.#input.speaking) {
      this.#judgeOverlap(this.turn.interim, false);
      // Where nothing was recognised yet: words that come while they are spoken are not disturbed.
      if (this.floor.state === 'yielding' && this.turn.interim === '') this.#input.speculateEarly();
    } else if (nowMs - this.turn.endMs > YIELDING_WAIT_MS) this.#keep();
    else if (this.turn.interim !== '' && this.#overlap.interruptsEarly(this.turn.interim, false)) this.#interrupt();
  }

  /** The pause after speech: long enough for what was said, then the final, then the turn is over. */
  #watchPause(nowMs: number): void {
    this.#turnEnd?.paused(this.turn.endMs, () => this.#input.sound());
    this.#input.speculate();
    // Of the pause only what was listened to counts: words may be under way.
    const { textSoFar, guess } = this.turn;
    const dueMs =
      this.turn.endMs + this.#endpointing.delayMs(textSoFar, guess, this.#turnEnd?.says) + this.#input.lagMs;
    if (nowMs < dueMs || (nowMs < dueMs + NOTICED_MS && this.#input.beginning)) return;
    this.#turnEnd?.over();
    this.#input.settle();
    const verdict = this.turn.waitForFinal(nowMs);
    if (this.#input.pendingFinals === 0) return this.#completeTurn(nowMs);
    if (verdict === 'wait') return;
    if (verdict === 'late' && this.turn.text !== '') return this.#completeTurn(nowMs);
    // Said over the agent's words without interrupting them, it was hardly a turn: nobody waits for an answer.
    if (this.turn.overAgent && this.turn.endMs <= this.#agentDoneMs)
      return verdict === 'late' ? this.#discard(nowMs) : undefined;
    if (verdict === 'excuse') this.handlers.excuse();
    else this.handlers.missed();
  }

  #completeTurn(nowMs: number): void {
    const { text, overAgent, speechMs } = this.turn;
    const brief = this.mode === 'keypad' || this.silence.interrupted || speechMs < BRIEF_MS;
    if (!this.#overlap.turnEnded(text !== '', this.silence.interrupted)) return this.#discard(nowMs);
    if (this.#isTooFaint(text, brief)) return this.handlers.tooQuiet();
    // Begun while the agent still spoke, a listening noise answers nothing but a question of yes or no.
    const over = overAgent || this.silence.interrupted;
    const aside = over && this.#bargeIn.isBackchannel(text) && !this.#asksYesNo;
    if ((text !== '' || !brief) && !aside) return this.handlers.answer('speech');
    this.#discard(nowMs);
  }

  /** It was nothing. */
  #discard(nowMs: number): void {
    this.#turnEnd?.drop();
    this.deps.voice?.settle(this.#language, false);
    this.turn.reset();
    this.floor.go('discard');
    this.silence.restart(nowMs);
  }

  /** Where nothing of a sound was understood, and it was faint. */
  #isTooFaint(text: string, brief: boolean): boolean {
    if (text !== '') this.#faint.understood();
    else if (this.mode === 'voice' && this.#faint.missed(this.#input.loudestDb, brief)) {
      this.turn.reset();
      return true;
    }
    return false;
  }

  #watchSilence(nowMs: number): void {
    if (this.#input.speaking || this.#keys.collecting) return this.silence.restart(nowMs);
    const verdict = this.silence.judge(nowMs);
    if (verdict.do === 'go-on') this.handlers.goOn(verdict.unsaid);
    else if (verdict.do === 'ask') this.handlers.answer('silence');
    else if (verdict.do === 'give-up') this.handlers.gone();
  }
}
