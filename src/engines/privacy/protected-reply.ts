import { type Agent, type Language, languageOf, type PrivacyMode } from '../../core/agent.ts';
import { ServiceError } from '../../core/errors.ts';
import { sentencesOf } from '../../language/sentences.ts';
import { spokenIn } from '../../language/spoken-language.ts';
import type { Passage } from '../document/contract.ts';
import { answering } from '../reply/answering.ts';
import type { CallAction, ReplyEngine, ReplyEvent, ReplyExpectation, ReplyRequest, Turn } from '../reply/contract.ts';
import type { Proposal, Scene } from '../reply/proposal/proposal.ts';
import type { Proposer } from '../reply/proposal/proposer.ts';
import { STOCK } from '../reply/stock-phrases.ts';
import type { Restorer } from '../text/redact/placeholders.ts';
import { cross, hasStandIn, type OutboundTexts, standInsOf } from './crossing.ts';
import type { Outbound } from './outbound.ts';
import { type RemoteTools, TurnTools, type TurnToolsParts } from './turn-tools.ts';

/** What an engine outside the gateway is given of a conversation: no word of it was said by anybody without crossing. */
export interface RemoteReplyRequest extends OutboundTexts {
  /** Without `tables` and `variables`: they hold customers' data. */
  readonly agent: Agent;
  readonly input: Exclude<ReplyRequest['input'], 'silence'>;
  readonly mode: ReplyRequest['mode'];
  readonly language?: Language;
  /** What it may call; absent where there is nothing. */
  readonly tools?: RemoteTools;
  /** As in `ReplyRequest`. */
  readonly claim?: ReplyRequest['claim'];
  readonly used?: ReplyRequest['used'];
}

/**
 * A reply engine that sends texts to a service. `remote` keeps it out of every place where a `ReplyEngine` is wanted:
 * `protectReply` is the only way in.
 */
export interface RemoteReplyEngine {
  readonly name: string;
  readonly remote: true;
  available(): ReturnType<ReplyEngine['available']>;
  /** As `ReplyEngine.reply`; the placeholders of the request come back in its texts. */
  reply(request: RemoteReplyRequest, signal: AbortSignal): AsyncIterable<ReplyEvent>;
  /** A short question of the gateway's own; nothing of callers or agents is in it. Rejects where it is not answered. */
  probe?(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** A proposer that sends texts to a service; `protectProposals` is the only way in. */
export interface RemoteProposer {
  propose(request: RemoteReplyRequest, scene: Scene, signal: AbortSignal): Promise<Proposal>;
}

/** The text may not leave the gateway: another engine, or `askForKeys`, has to answer. */
export class TextWithheld extends ServiceError {
  constructor() {
    super('unavailable', '', { cause: new Error('the text may not leave, not even redacted') });
  }
}

const HISTORY_TURNS = 20;
const HISTORY_CHARS = 4_000;
const PASSAGE_CHARS = 800; // of each that a model reads
const KEYS = { type: 'collect', maxDigits: 32, terminator: '#', timeoutMs: 5_000 } as const satisfies CallAction;
/** After the last key, when no number was asked for: somebody who chooses from a menu waits so long. */
const KEYS_GATHERED_MS = 1_500;

/** What a model may call in the answer to a request; undefined for an agent without tools. */
export type ToolsOfTurn = (
  request: ReplyRequest,
) => Omit<TurnToolsParts, 'further' | 'createRestorer' | 'isChecked'> | undefined;

/**
 * A remote engine behind the privacy boundary of the agent it speaks for (`privacy`, `redact` where it says nothing). What
 * needs no model stays in the process and is `local`'s: the greeting, what is expected, the answer to silence.
 */
export function protectReply(remote: RemoteReplyEngine, local: ReplyEngine, toolsOf?: ToolsOfTurn): ReplyEngine {
  return {
    name: remote.name,
    available: () => remote.available(),
    greeting: (agent, variables, mode) => local.greeting(agent, variables, mode),
    expects: (...asked) => withWholeNumbers(local.expects(...asked)),
    takesNote: ({ definition }, note) => (mayLeave(note, definition.privacy) ? 'taken' : 'withheld'),
    reply: (request, signal) =>
      request.input === 'silence' ? local.reply(request, signal) : protectedAnswer(remote, request, signal, toolsOf),
    close: () => remote.close(),
  };
}

const mayLeave = (text: string, privacy: PrivacyMode = 'redact'): boolean =>
  cross({ text, history: [], variables: {}, defaults: {}, menus: false }, privacy).type === 'crossed';

/** Keys are gathered into one turn: digit by digit nobody could tell that they are an identifier. */
function withWholeNumbers(expectation: ReplyExpectation): ReplyExpectation {
  const { collect } = expectation;
  const { maxDigits, timeoutMs } = collect;
  return {
    ...expectation,
    collect: {
      ...collect,
      maxDigits: Math.max(maxDigits, KEYS.maxDigits),
      timeoutMs: Math.max(timeoutMs, KEYS_GATHERED_MS),
    },
  };
}

/** A request on the other side of the boundary, and the way back. */
interface CrossedRequest {
  readonly asked: RemoteReplyRequest;
  readonly isChecked: boolean; // placeholders that come back and were never given out are looked for
  createRestorer(): Restorer;
  further(text: string): Outbound | undefined;
}

const passageText = ({ name, text }: Passage): string => `${name}: ${text.slice(0, PASSAGE_CHARS)}`;

/** @throws TextWithheld */
function crossed(request: ReplyRequest, input: RemoteReplyRequest['input'], numbersHeld = false): CrossedRequest {
  const { agent, mode, text, variables, language, used, notes = [] } = request;
  const { privacy = 'redact', variables: defaults = {} } = agent.definition;
  const history = recent(request.history);
  const menus = mode === 'keypad';
  const passages = (request.passages ?? []).map(passageText);
  const crossing = cross({ text, history, notes, variables, defaults, menus, numbersHeld, passages }, privacy);
  if (crossing.type === 'withheld') {
    request.note?.({ withheld: { 'Whole Text': 1 } });
    throw new TextWithheld();
  }
  const withheld = standInsOf(crossing.texts.text);
  if (privacy !== 'off' && Object.keys(withheld).length > 0) request.note?.({ withheld });
  return {
    asked: {
      ...{ ...crossing.texts, agent: withoutData(agent), input, mode },
      ...{ ...(language && { language }), ...(used && { used }) },
    },
    isChecked: privacy !== 'off',
    createRestorer: () => crossing.createRestorer(),
    further: (text) => crossing.further(text),
  };
}

/**
 * A remote proposer behind the same boundary: it is asked with placeholders, here for every longer number too, and what it
 * quotes of the caller comes back as the caller said it. Where a text may not leave, nobody is asked.
 */
export function protectProposals(remote: RemoteProposer): Proposer {
  return {
    propose: async (request, scene, signal) => {
      if (request.input === 'silence') return undefined;
      const { asked, isChecked, createRestorer } = crossed(request, request.input, true);
      const { acts, say, leftOut = [] } = await remote.propose(asked, scene, signal);
      const restored = (text: string): string => {
        const restorer = createRestorer();
        return restorer.push(text) + restorer.end();
      };
      const sentences = sentencesOf(restored(say));
      const kept = sentences.filter((sentence) => !isChecked || !hasStandIn(sentence));
      const invented = sentences.length > kept.length ? ['a sentence: a value that nobody gave'] : [];
      return {
        acts: acts.map((act) => ({ ...act, words: restored(act.words) })),
        say: kept.join(' '),
        leftOut: [...leftOut, ...invented],
      };
    },
  };
}

async function* protectedAnswer(
  remote: RemoteReplyEngine,
  request: ReplyRequest,
  signal: AbortSignal,
  toolsOf: ToolsOfTurn | undefined,
): AsyncGenerator<ReplyEvent> {
  const { agent, input } = request;
  if (signal.aborted || input === 'silence') return;
  const { asked, ...boundary } = crossed(request, input);
  const parts = toolsOf?.(request);
  const tools = parts && new TurnTools({ ...parts, ...boundary, traceparent: request.used?.traceparent });
  const sentences = new RestoredSentences(boundary.createRestorer(), boundary.isChecked);
  let action: CallAction | undefined;
  const { claim } = request;
  for await (const event of remote.reply({ ...asked, ...(tools && { tools }), ...(claim && { claim }) }, signal)) {
    if (signal.aborted) return;
    if (event.type === 'action') action = event.action;
    else yield* sentences.take(event.text, event.language);
  }
  if (signal.aborted) return;
  yield* sentences.end(tools?.question ? undefined : languageOf(agent.definition.language));
  for (const line of tools?.question ?? []) yield { type: 'text', ...line };
  if (action && !tools?.question) yield { type: 'action', action };
}

/** Whole turns from the last one backwards, as many as are sent. */
function recent(history: readonly Turn[]): readonly Turn[] {
  const kept: Turn[] = [];
  let chars = 0;
  for (const turn of history.slice(-HISTORY_TURNS).reverse()) {
    chars += turn.text.length;
    if (chars > HISTORY_CHARS) break;
    kept.unshift(turn);
  }
  return kept;
}

function withoutData(agent: Agent): Agent {
  const { tables: _, variables: __, ...definition } = agent.definition;
  return { ...agent, definition };
}

/**
 * Sentences of a remote engine on their way to the caller: values come back, and one that names a value which was never
 * given is left out. A placeholder that was cut in two by a sentence's end waits for the next one.
 */
class RestoredSentences {
  #language: Language | undefined;
  #said = false;
  #dropped = false;

  constructor(
    private readonly restorer: Restorer,
    private readonly checked: boolean,
  ) {}

  *take(text: string, language: Language): Generator<ReplyEvent> {
    this.#language = language;
    yield* this.#sentence(this.restorer.push(`${text} `), language);
  }

  /** @param agentLanguage - of what is said where nothing could be; absent where something follows. */
  *end(agentLanguage: Language | undefined): Generator<ReplyEvent> {
    const language = this.#language ?? agentLanguage ?? 'en';
    yield* this.#sentence(this.restorer.end(), language);
    if (this.#said || !this.#dropped || !agentLanguage) return;
    yield { type: 'text', text: STOCK.dontKnow[language][0]!, language };
  }

  *#sentence(restored: string, language: Language): Generator<ReplyEvent> {
    const text = restored.trim();
    if (text === '') return;
    if (this.checked && hasStandIn(text)) {
      this.#dropped = true;
      return;
    }
    this.#said = true;
    yield { type: 'text', text, language };
  }
}

const ASK_FOR_KEYS = {
  en: 'To protect your privacy, please do not say that aloud. Enter it with the keys of your telephone, then press hash.',
  ar: 'حفاظًا على خصوصيتك، لا تذكر هذه البيانات بصوتك. أدخلها من لوحة الأرقام ثم اضغط مربع.',
} as const;

/** The same engine; where a text was withheld and nobody else could answer it, the caller is asked to use the keys. */
export function askForKeys(engine: ReplyEngine): ReplyEngine {
  return answering(engine, async function* (request, signal) {
    try {
      yield* engine.reply(request, signal);
    } catch (error) {
      if (!(error instanceof TextWithheld)) throw error;
      const { text, agent } = request;
      const language = spokenIn(text)?.language ?? request.language ?? languageOf(agent.definition.language);
      yield { type: 'text', text: ASK_FOR_KEYS[language], language };
      yield { type: 'action', action: KEYS };
    }
  });
}
