import { type Language, type Localized, localize } from '../../core/agent.ts';
import { sentence } from '../../core/notice.ts';
import { languageOfText } from '../../language/detect-language.ts';
import { SentenceStream } from '../../language/sentence-pieces.ts';
import { sentencesOf } from '../../language/sentences.ts';
import { spokenIn } from '../../language/spoken-language.ts';
import { type AgentBrief, AgentBriefs } from '../openai/agent-briefs.ts';
import { actionOf, callTools } from '../openai/call-tools.ts';
import type { ChatClient, ChatMessage, ChatRequest, ChatTool, ChatToolCall } from '../openai/chat-client.ts';
import { asServiceError, ChatFailure } from '../openai/chat-failure.ts';
import { proposalPrompt } from '../openai/proposal-prompt.ts';
import { spoken, ThoughtFilter } from '../openai/spoken-text.ts';
import { type SystemPrompt, systemPrompt } from '../openai/system-prompt.ts';
import { authored, type Outbound } from '../privacy/outbound.ts';
import type { RemoteProposer, RemoteReplyEngine, RemoteReplyRequest } from '../privacy/protected-reply.ts';
import type { RemoteTools } from '../privacy/turn-tools.ts';
import type { CallAction, ReplyEvent, TurnClaim } from './contract.ts';
import { PROPOSAL_LIMITS, type Proposal, readProposal, type Scene } from './proposal/proposal.ts';
import { STOCK } from './stock-phrases.ts';
import { withFiller } from './tool-turn.ts';

const MAX_TOKENS = 400;
const PROPOSAL_TOKENS = 300;
const PROBE_TOKENS = 8;
/** Low: the same question gets the same answer. */
const TEMPERATURE = 0.3;
const MAX_REPLY_CHARS = 1_200;
/** Of one turn: a model that asks for what the agent does not have is told so, and answers again. */
const ROUNDS_MAX = 3;
const SPEAKS: TurnClaim = { understood: true, acts: false, byModel: true };
const CALLS: TurnClaim = { ...SPEAKS, acts: true };
/** What one answer of the model came to. */
interface Round {
  readonly action: CallAction | undefined;
  readonly calls: readonly ChatToolCall[];
  readonly said: string;
}
/** Stand-ins are no words of any language. */
const STAND_IN = /\[[^\]]{1,40}\]/g;

const ASK_FOR_DIGITS: Localized = {
  en: 'Please enter it with the keys of your telephone, then press hash.',
  ar: 'أدخله من لوحة الأرقام لو سمحت، ثم اضغط مربع.',
};

/**
 * A chat model. For an agent with flows it only proposes how a sentence is read; agents without flows it answers itself.
 * What the model may know of the agent is in the prompt; what it may do is checked against the agent; what people said
 * arrives redacted and leaves with its placeholders (see `privacy/`).
 */
export class OpenaiReply implements RemoteReplyEngine, RemoteProposer {
  readonly name = 'openai';
  readonly remote = true;
  /** Tool calls that the agent does not allow. */
  readonly counters = { refusedActions: 0 };
  readonly #agents = new AgentBriefs();
  #closed = false;

  /** @param proposalMs - longest wait for a whole proposal. */
  constructor(
    private readonly client: ChatClient,
    private readonly proposalMs: number,
  ) {}

  available(): ReturnType<RemoteReplyEngine['available']> {
    if (this.#closed) return { ok: false, why: sentence('engine.reply-closed') };
    return this.client.available();
  }

  async *reply(request: RemoteReplyRequest, signal: AbortSignal): AsyncGenerator<ReplyEvent> {
    const agent = this.#agents.get(request.agent);
    const own = callTools(agent.definition);
    const prompt = systemPrompt(agent, request, own[0]?.name === 'transfer_call');
    const answer = new SpokenAnswer(agent, request, prompt);
    let asked = chatRequest(prompt, request, [...own, ...(request.tools?.list ?? [])]);
    let round: Round | undefined;
    for (let count = 1; !answer.full; count += 1) {
      try {
        round = yield* this.#round(asked, agent, answer, request.claim, signal);
      } catch (error) {
        if (count > 1 && answer.spoke) break; // What was said stands.
        throw asServiceError(error);
      }
      if (signal.aborted || !round) return;
      if (round.action || round.calls.length === 0) break;
      yield* answer.rest();
      if (count === ROUNDS_MAX) break;
      const results = yield* this.#results(round, request.tools, answer, signal);
      if (signal.aborted || !results) return; // The caller is asked to agree; what that is, is known beyond the boundary.
      asked = { ...asked, messages: [...asked.messages, ...results] };
      answer.again();
    }
    const { action, calls = [] } = round ?? {};
    yield* answer.end(action, calls.length > 0);
    if (!answer.spoke && !action) throw new ChatFailure('broken', 'an answer without words');
    if (action) yield { type: 'action', action };
  }

  /** One answer of the model; undefined where another engine answers. @throws ChatFailure */
  async *#round(
    asked: ChatRequest,
    agent: AgentBrief,
    answer: SpokenAnswer,
    claim: RemoteReplyRequest['claim'],
    signal: AbortSignal,
  ): AsyncGenerator<ReplyEvent, Round | undefined> {
    const calls: ChatToolCall[] = [];
    let action: CallAction | undefined;
    let said = '';
    for await (const event of this.client.chat(asked, signal)) {
      const begun = event.type === 'tool' ? CALLS : event.type === 'text' ? SPEAKS : undefined;
      if (begun && claim?.(begun) === false) return undefined;
      if (event.type === 'text') {
        said += event.text;
        yield* answer.take(event.text);
      }
      if (event.type === 'tool') {
        action ??= this.#action(agent, event.name, event.arguments);
        calls.push({ id: event.id, name: event.name, arguments: authored(event.arguments) });
      }
      if (answer.full) break;
    }
    return { action, calls, said };
  }

  /**
   * What came of the calls of a round, for the next one: the model's own words, which hold no more than it was given, and an
   * answer to each. Undefined where the caller is asked to agree to one of them.
   */
  async *#results(
    { calls, said }: Round,
    tools: RemoteTools | undefined,
    answer: SpokenAnswer,
    signal: AbortSignal,
  ): AsyncGenerator<ReplyEvent, readonly ChatMessage[] | undefined> {
    const messages: ChatMessage[] = [{ role: 'assistant', content: authored(said), toolCalls: calls }];
    const { clock } = this.client.deps;
    for (const { id, name, arguments: args } of calls) {
      const running = tools?.call(name, args, signal) ?? Promise.resolve({ type: 'unknown' } as const);
      const filler = (): ReplyEvent | undefined => answer.filler((language) => tools!.filler(name, language));
      const wait = { clock, afterMs: tools?.fillerAfterMs ?? Infinity, said: answer.saidThisRound, signal };
      const result = yield* withFiller(running, filler, wait);
      if (signal.aborted) return undefined;
      if (result.type === 'asked') return undefined;
      messages.push({
        ...{ role: 'tool', toolCallId: id },
        content: result.type === 'answer' ? result.content : REFUSED,
      });
    }
    return messages;
  }

  async probe(signal: AbortSignal): Promise<void> {
    const messages = [{ role: 'user', content: authored('Say yes.') }] as const;
    try {
      const asked = { messages, maxTokens: PROBE_TOKENS, temperature: 0 };
      for await (const { type } of this.client.chat(asked, signal)) if (type === 'text') return;
    } catch (error) {
      throw asServiceError(error);
    }
    throw new ChatFailure('broken', 'an answer without words');
  }

  /** @throws ServiceError, ChatFailure: also for an answer that is no proposal. */
  async propose(request: RemoteReplyRequest, scene: Scene, signal: AbortSignal): Promise<Proposal> {
    const prompt = proposalPrompt(this.#agents.get(request.agent), request, scene);
    const thoughts = new ThoughtFilter();
    let answer = '';
    try {
      const asked = { ...chatRequest(prompt, request, []), maxTokens: PROPOSAL_TOKENS, temperature: 0, json: true };
      for await (const event of this.client.chat({ ...asked, totalMs: this.proposalMs }, signal)) {
        if (event.type === 'text') answer += thoughts.push(event.text);
        if (answer.length > PROPOSAL_LIMITS.textChars) break;
      }
    } catch (error) {
      throw asServiceError(error);
    }
    const proposal = readProposal(answer + thoughts.end());
    if (!proposal) throw new ChatFailure('garbage', 'an answer that is no proposal');
    const say = sentencesOf(proposal.say).map(spoken);
    const recited = say.filter((sentence) => prompt.recites(sentence)).length;
    return {
      acts: proposal.acts,
      say: say.filter((sentence) => !prompt.recites(sentence)).join(' '),
      leftOut: [...(proposal.leftOut ?? []), ...(recited > 0 ? ['a sentence: recites its orders'] : [])],
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#agents.clear();
  }

  #action(agent: AgentBrief, name: string, args: string): CallAction | undefined {
    const action = actionOf(agent.definition, name, args);
    if (!action) this.counters.refusedActions += 1;
    return action;
  }
}

function chatRequest(prompt: SystemPrompt, request: RemoteReplyRequest, tools: readonly ChatTool[]): ChatRequest {
  const history = request.history.map(
    ({ role, text }): ChatMessage => ({ role: role === 'caller' ? 'user' : 'assistant', content: text }),
  );
  return {
    messages: [{ role: 'system', content: prompt.text }, ...history, { role: 'user', content: said(request) }],
    maxTokens: MAX_TOKENS,
    temperature: TEMPERATURE,
    tools,
    ...(request.used && { used: request.used }),
  };
}

const REFUSED = authored(
  'Not done: this agent has no such tool, or not with these arguments. Answer the caller in words.',
);

function said({ input, text }: RemoteReplyRequest): Outbound {
  if (input === 'keypad') return authored(`(keys pressed) ${text}`);
  return text.trim() === '' ? authored('(something that was not understood)') : text;
}

/** The model's text on its way to the voice: whole sentences, clean, in their language, no more than the agent may say. */
class SpokenAnswer {
  readonly #thoughts = new ThoughtFilter();
  readonly #sentences = new SentenceStream();
  readonly #maxChars: number;
  #language: Language;
  #chars = 0;
  #recited = false;
  #filled = false; // once a turn
  readonly #said = new Set<string>(); // in this round
  #before: ReadonlySet<string> = new Set();

  constructor(
    private readonly agent: AgentBrief,
    { text, language }: RemoteReplyRequest,
    private readonly prompt: SystemPrompt,
  ) {
    this.#maxChars = agent.definition.maxReplyChars ?? MAX_REPLY_CHARS;
    this.#language = spokenIn(text.replace(STAND_IN, ' '))?.language ?? language ?? agent.language;
  }

  /** As much was said as may be. */
  full = false;

  get spoke(): boolean {
    return this.#chars > 0;
  }

  /** What the caller hears while tools of this round are called. */
  get saidThisRound(): string {
    return [...this.#said].filter((text) => !this.#before.has(text)).join(' ');
  }

  /** Something to say while it takes long, once; it is no answer. */
  filler(words: (language: Language) => string): ReplyEvent | undefined {
    if (this.#filled) return undefined;
    this.#filled = true;
    return { type: 'text', text: words(this.#language), language: this.#language };
  }

  /** The model answers once more: what it says again was heard. */
  again(): void {
    this.#before = new Set(this.#said);
  }

  /** What the model has written to the end, whether it looks like a sentence or not. */
  *rest(): Generator<ReplyEvent> {
    const rest = [...this.#sentences.push(this.#thoughts.end()), ...this.#sentences.end()];
    for (const sentence of rest) yield* this.#say(sentence);
  }

  *take(piece: string): Generator<ReplyEvent> {
    for (const sentence of this.#sentences.push(this.#thoughts.push(piece))) yield* this.#say(sentence);
  }

  /** The rest; an action without a word gets one. @param isLost - it called tools to the last, and came to no answer. */
  *end(action: CallAction | undefined, isLost: boolean): Generator<ReplyEvent> {
    yield* this.rest();
    if (this.spoke && !(isLost && this.saidThisRound === '')) return;
    if (action) yield* this.#say(this.#wordFor(action));
    else if (this.#recited) yield* this.#say(STOCK.dontKnow[this.#language][0]!);
    else if (isLost) yield* this.#say(STOCK.toolTrouble[this.#language][0]!);
  }

  *#say(sentence: string): Generator<ReplyEvent> {
    const text = spoken(sentence);
    if (text === '' || this.full || this.#before.has(text)) return;
    if (this.prompt.recites(text)) {
      this.#recited = true;
      return;
    }
    // One sentence is always said: the sentence stream bounds it.
    this.full = this.#chars > 0 && this.#chars + text.length > this.#maxChars;
    if (this.full) return;
    this.#chars += text.length;
    this.#said.add(text);
    this.#language = this.#languageOf(text) ?? this.#language;
    yield { type: 'text', text, language: this.#language };
  }

  #languageOf(text: string): Language | undefined {
    return languageOfText(text.replace(STAND_IN, ' '));
  }

  #wordFor(action: CallAction): string {
    const language = this.#language;
    if (action.type === 'transfer') return STOCK.transfer[language][0]!;
    if (action.type === 'collect') return localize(ASK_FOR_DIGITS, language);
    return (
      localize(this.agent.definition.goodbye, language).replace(/\{\{[^}]*\}\}/g, '') || STOCK.goodbye[language][0]!
    );
  }
}
