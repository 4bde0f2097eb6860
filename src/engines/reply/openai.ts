import { type Language, type Localized, localize } from '../../core/agent.ts';
import { type AgentBrief, AgentBriefs } from '../openai/agent-briefs.ts';
import { actionOf, callTools } from '../openai/call-tools.ts';
import type { ChatClient, ChatMessage, ChatRequest, ChatTool, ChatToolCall } from '../openai/chat-client.ts';
import { asServiceError, ChatFailure } from '../openai/chat-failure.ts';
import { proposalPrompt } from '../openai/proposal-prompt.ts';
import { spoken, ThoughtFilter } from '../openai/spoken-text.ts';
import { type SystemPrompt, systemPrompt } from '../openai/system-prompt.ts';
import { authored, type Outbound } from '../privacy/outbound.ts';
import type { RemoteProposer, RemoteReplyEngine, RemoteReplyRequest } from '../privacy/protected-reply.ts';
import { SentenceStream } from '../text/sentences.ts';
import type { CallAction, ReplyEvent } from './contract.ts';
import { languageOfText } from './fold.ts';
import { PROPOSAL_LIMITS, type Proposal, readProposal, type Scene } from './proposal/proposal.ts';
import { sentencesOf } from './sentences.ts';
import { STOCK } from './stock-phrases.ts';

const MAX_TOKENS = 400;
const PROPOSAL_TOKENS = 300;
/** Low: the same question gets the same answer. */
const TEMPERATURE = 0.3;
const MAX_REPLY_CHARS = 1_200;
/** Of one turn: a model that asks for what the agent does not have is told so, and answers again. */
const ROUNDS_MAX = 3;
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
    if (this.#closed) return { ok: false, why: 'the reply engine was closed' };
    const { busyForMs } = this.client;
    if (busyForMs === 0) return { ok: true };
    return { ok: false, why: `the chat server asked to be left alone for ${Math.ceil(busyForMs / 1000)} s` };
  }

  async *reply(request: RemoteReplyRequest, signal: AbortSignal): AsyncGenerator<ReplyEvent> {
    const agent = this.#agents.get(request.agent);
    const tools = callTools(agent.definition);
    const prompt = systemPrompt(agent, request, tools[0]?.name === 'transfer_call');
    const answer = new SpokenAnswer(agent, request, prompt);
    let action: CallAction | undefined;
    let asked = chatRequest(prompt, request, tools);
    for (let round = 1; !answer.full; round += 1) {
      const calls: ChatToolCall[] = [];
      let said = '';
      try {
        for await (const event of this.client.chat(asked, signal)) {
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
      } catch (error) {
        if (round > 1 && answer.spoke) break; // What was said stands.
        throw asServiceError(error);
      }
      if (signal.aborted) return;
      if (action || calls.length === 0 || round === ROUNDS_MAX) break;
      yield* answer.again();
      asked = { ...asked, messages: [...asked.messages, ...refusals(said, calls)] };
    }
    yield* answer.end(action);
    if (!answer.spoke && !action) throw new ChatFailure('broken', 'an answer without words');
    if (action) yield { type: 'action', action };
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
  };
}

const REFUSED = authored(
  'Not done: this agent has no such tool, or not with these arguments. Answer the caller in words.',
);

/** The model's own words and calls, which hold no more than it was given, and that nothing came of them. */
function refusals(said: string, toolCalls: readonly ChatToolCall[]): readonly ChatMessage[] {
  const asked: ChatMessage = { role: 'assistant', content: authored(said), toolCalls };
  return [asked, ...toolCalls.map(({ id }): ChatMessage => ({ role: 'tool', toolCallId: id, content: REFUSED }))];
}

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
  readonly #said = new Set<string>(); // in this round
  #before: ReadonlySet<string> = new Set();

  constructor(
    private readonly agent: AgentBrief,
    { text, language }: RemoteReplyRequest,
    private readonly prompt: SystemPrompt,
  ) {
    this.#maxChars = agent.definition.maxReplyChars ?? MAX_REPLY_CHARS;
    this.#language = this.#languageOf(text) ?? language ?? agent.language;
  }

  /** As much was said as may be. */
  full = false;

  get spoke(): boolean {
    return this.#chars > 0;
  }

  /** The model answers once more: what it says again was heard. */
  *again(): Generator<ReplyEvent> {
    yield* this.#rest();
    this.#before = new Set(this.#said);
  }

  *#rest(): Generator<ReplyEvent> {
    const rest = [...this.#sentences.push(this.#thoughts.end()), ...this.#sentences.end()];
    for (const sentence of rest) yield* this.#say(sentence);
  }

  *take(piece: string): Generator<ReplyEvent> {
    for (const sentence of this.#sentences.push(this.#thoughts.push(piece))) yield* this.#say(sentence);
  }

  /** The rest; an action without a word gets one. */
  *end(action: CallAction | undefined): Generator<ReplyEvent> {
    yield* this.#rest();
    if (this.spoke) return;
    if (action) yield* this.#say(this.#wordFor(action));
    else if (this.#recited) yield* this.#say(STOCK.dontKnow[this.#language][0]!);
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
