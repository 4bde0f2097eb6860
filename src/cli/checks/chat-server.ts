import { loadAgents } from '../../config/agents.ts';
import type { Config } from '../../config/load.ts';
import { loadVoices } from '../../config/voices.ts';
import type { AgentDefinition } from '../../core/agent.ts';
import { systemClock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { ChatFailure, type ChatFailureKind } from '../../engines/openai/chat-failure.ts';
import { chatClientOf } from '../../engines/openai/chat-server.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const CHECK = 'chat server';
const ANSWER_WITHIN_MS = 5_000;
const MODELS_SHOWN = 8;

/** What mends each way in which a server does not answer. */
const MENDS: Readonly<Partial<Record<ChatFailureKind, string>>> = {
  unreachable:
    'Start it, or correct engines.openai.baseUrl: Ollama http://127.0.0.1:11434/v1, vLLM :8000/v1, llama.cpp :8080/v1.',
  'refused-key': 'Put a key that it takes into the environment variable named in engines.openai.apiKeyEnv.',
  'no-model': 'engines.openai.baseUrl must end where /chat/completions begins: usually in /v1.',
  busy: 'It asks to be left alone: try again, or give it more capacity.',
  'total-timeout': 'It is reachable and does not answer: look at its log.',
};

/** The server behind `openai`, where an engine names it: reachable, and does it have the model? */
export async function checkChatServer(config: Config, logger: Logger): Promise<Finding[]> {
  const { engines } = config;
  const agents = agentsOf(config.paths);
  const users = (['reply', 'document'] as const).filter((capability) => engines[capability].includes('openai'));
  const choosers = agents.filter(({ replyEngine }) => replyEngine === 'openai');
  const isReader = engines.afterCall === 'openai'; // calls that are over have what their dialogue knows where it is away
  if (users.length === 0 && choosers.length === 0 && !isReader) return [];
  if (!engines.openai?.chatModel) {
    const mend = 'Set engines.openai with baseUrl and chatModel, or take replyEngine out of their files.';
    return [fail(CHECK, `${namesOf(choosers)}: replyEngine is openai, which is not configured`, mend)];
  }
  // With another engine to fall back on the gateway serves all the same.
  const bad = users.every((capability) => engines[capability].length > 1) ? warn : fail;
  return [await reached(engines.openai, bad, logger), ...unprotected(agents, engines.reply[0])];
}

async function reached(
  settings: NonNullable<Config['engines']['openai']>,
  bad: typeof warn,
  logger: Logger,
): Promise<Finding> {
  const { baseUrl, chatModel = '' } = settings;
  try {
    const client = chatClientOf(settings, { clock: systemClock, logger });
    const models = await client.models(ANSWER_WITHIN_MS, new AbortController().signal);
    // llama.cpp serves one model whatever it is called; others answer an unknown name with 404.
    const isThere = models.includes(chatModel) || models.includes(`${chatModel}:latest`);
    if (models.length === 0 || isThere) return ok(CHECK, `${baseUrl}, ${chatModel}`);
    const known = models.slice(0, MODELS_SHOWN).join(', ');
    const mend = `Name one of its models in engines.openai.chatModel, or load it (ollama pull ${chatModel}).`;
    return bad(CHECK, `${baseUrl} does not have ${chatModel}; it has ${known}`, mend);
  } catch (error) {
    if (!(error instanceof ChatFailure)) throw error;
    const mend = MENDS[error.kind] ?? 'It does not speak the API of OpenAI: correct engines.openai.baseUrl.';
    return bad(CHECK, `${baseUrl}: ${error.message}`, mend);
  }
}

/** Agents whose callers are sent to the server as they speak. */
function unprotected(agents: readonly AgentDefinition[], byDefault: string | undefined): Finding[] {
  const open = agents.filter(({ privacy, replyEngine = byDefault }) => privacy === 'off' && replyEngine === 'openai');
  if (open.length === 0) return [];
  const mend = 'Set privacy: redact in their files, unless the server is your own and may see names and numbers.';
  return [warn('privacy', `what callers of ${namesOf(open)} say goes to the chat server as it is`, mend)];
}

function namesOf(agents: readonly AgentDefinition[]): string {
  return agents.map(({ name }) => name).join(', ');
}

/** None where a file is wrong: the configuration check has said so. */
function agentsOf(paths: Config['paths']): readonly AgentDefinition[] {
  try {
    return loadAgents(paths.agentsDir, loadVoices(paths.voicesFile)).map(({ definition }) => definition);
  } catch {
    return [];
  }
}
