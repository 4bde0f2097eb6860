import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { countCharacters, replyCents } from '../../billing/prices.ts';
import type { Agent, Language } from '../../core/agent.ts';
import { agentVoice } from '../../core/agent-voice.ts';
import { ServiceError } from '../../core/errors.ts';
import type { CallAction } from '../../engines/reply/contract.ts';
import { firstCharacters, shown } from '../characters.ts';
import type { ServiceDeps } from '../deps.ts';
import { acceptedFormat, formatOf, SAMPLE_RATES_HZ, SPEECH_FORMATS } from '../formats.ts';
import { fromStore } from '../from-store.ts';
import { readHistory } from '../history.ts';
import { operation } from '../operation.ts';
import type { Payments } from '../payments.ts';
import { withinTime } from '../request-signal.ts';
import { jsonSamples } from '../samples.ts';
import { IdParamsSchema, LIMITS, type Reply, type ReplyBody, ReplyBodySchema, ReplySchema } from '../schemas.ts';
import { ServerTiming } from '../server-timing.ts';
import { encoderFor } from '../speech-headers.ts';
import { collect, speak } from '../speech-maker.ts';
import { honoursPitch } from '../speech-request.ts';

const LIMIT_MS = 60_000;

type Deps = ServiceDeps & { readonly payments: Payments };
interface Said {
  readonly text: string;
  readonly pieces: readonly { readonly text: string; readonly language: Language }[];
  readonly action: CallAction | undefined;
}
interface Spoken {
  readonly audio: string;
  readonly contentType: string;
}

/** `POST /v1/agents/{id}/reply`: what the agent says next, as text and as audio. */
export function agentsReplyRoute(app: FastifyInstance, deps: Deps): void {
  const { agents, payments, prices, reply: engine } = deps;
  const options = operation({
    id: 'createAgentReply',
    tag: 'Agents',
    summary: "Get an agent's reply",
    description:
      'What a live agent says next. `X-Service-Action` names what it wants to happen after the words: `hangup`, ' +
      "`transfer` or `collect`. Charged per turn, plus the speech of the reply at the agent's model rate.",
    paid: true,
    negotiated: (accept, body) =>
      (body as ReplyBody).audio === false ? '' : formatOf(accept, undefined, SPEECH_FORMATS, 'mp3'),
    params: IdParamsSchema,
    body: ReplyBodySchema,
    answer: ReplySchema,
    errors: ['empty_text', 'unknown_agent', 'agent_not_live', 'reply_failed', 'synthesis_failed', 'timeout'],
    samples: jsonSamples(
      'POST',
      '/v1/agents/<AGENT_ID>/reply',
      { text: 'أبغى أحجز موعد', audio: false },
      'createAgentReply',
      "'<AGENT_ID>'",
    ),
  });
  type Route = { Params: { id: string }; Body: ReplyBody };
  app.post<Route>('/v1/agents/:id/reply', options, async (request, reply): Promise<Reply> => {
    const { body, params } = request;
    const said = firstCharacters(body.text, LIMITS.replyTextChars);
    if (said.text.trim() === '') throw new ServiceError('empty_text');
    const history = readHistory(body.history ?? []);
    if (said.truncated || history.truncated) reply.header('x-service-truncated', 'true');
    const agent = await fromStore(() => agents.get(request.caller.accountId, params.id));
    if (!agent) throw new ServiceError('unknown_agent', shown(params.id));
    if (agent.status !== 'live') throw new ServiceError('agent_not_live', shown(params.id));
    // Without a prototype: `constructor` is no variable unless somebody sends one.
    const variables: Record<string, string> = Object.assign(
      Object.create(null),
      agent.definition.variables,
      body.variables,
    );
    const timing = new ServerTiming(deps.clock);
    const price = { kind: 'reply', cents: replyCents(prices) } as const;
    const turn = { agent, text: said.text, history: history.turns, variables };
    const paid = await payments.pay<Said & { readonly spoken?: Spoken }>(request, reply, price, (hold) =>
      withinTime(request, reply, deps.clock, LIMIT_MS, async (signal) => {
        const answer = await timing.measure('llm', () => ask(deps, turn, signal));
        if (body.audio === false || answer.text === '') return { value: answer };
        const { model } = agent.definition;
        const cents = replyCents(prices, { model, characters: countCharacters(answer.text) });
        await hold.raise(cents);
        const spoken = await timing.measure('tts', () => speakReply(deps, agent, answer, request, signal));
        return { value: { ...answer, spoken }, cents };
      }),
    );
    const { text, action, spoken } = paid.value;
    reply.header('server-timing', timing.toString());
    noteAction(reply, action);
    return {
      reply: text,
      greeting: engine.greeting(agent, variables, 'voice'),
      audio: spoken?.audio ?? null,
      content_type: spoken?.contentType ?? null,
      cost_cents: paid.costCents,
    };
  });
}

async function ask(
  { reply: engine }: Deps,
  turn: Pick<Parameters<ServiceDeps['reply']['reply']>[0], 'agent' | 'text' | 'history' | 'variables'>,
  signal: AbortSignal,
): Promise<Said> {
  const pieces: { text: string; language: Language }[] = [];
  let action: CallAction | undefined;
  for await (const event of engine.reply({ ...turn, input: 'speech', mode: 'voice', confidence: 1 }, signal)) {
    if (event.type === 'action') action = event.action;
    else if (event.text.trim() !== '') pieces.push({ text: event.text.trim(), language: event.language });
  }
  return { text: pieces.map((piece) => piece.text).join(' '), pieces, action };
}

async function speakReply(
  deps: Deps,
  agent: Agent,
  said: Said,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<Spoken> {
  const format = acceptedFormat(request.headers.accept, SPEECH_FORMATS) ?? 'mp3';
  const encoder = encoderFor(deps.encoders, format);
  const sampleRateHz = SAMPLE_RATES_HZ[format][0]!;
  const { speed = 1, pitch = 0, model } = agent.definition;
  const pitchSemitones = honoursPitch(model) ? pitch : 0;
  const chunks = async function* (): AsyncGenerator<Int16Array> {
    for (const { text, language } of said.pieces) {
      const voice = agentVoice(agent, language, deps.voices);
      if (!voice) throw new ServiceError('synthesis_failed', '', { cause: new Error('the catalogue has no voice') });
      yield* speak(deps, { text, language, voice, sampleRateHz, speed, pitchSemitones }, signal);
    }
  };
  const file = await encoder.file(await collect(chunks()), sampleRateHz, signal);
  const audio = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString('base64');
  return { audio, contentType: encoder.contentType(sampleRateHz) };
}

/** The body has no place for it, and a caller's own telephony must know when to hang up. */
function noteAction(reply: FastifyReply, action: CallAction | undefined): void {
  if (!action) return;
  const target = action.type === 'transfer' ? `; target="${encodeURIComponent(action.target)}"` : '';
  reply.header('x-service-action', `${action.type}${target}`);
}
