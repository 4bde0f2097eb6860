import type { Config } from '../../config/load.ts';
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
export async function checkChatServer({ engines }: Config, logger: Logger): Promise<Finding[]> {
  const users = (['reply', 'document'] as const).filter((capability) => engines[capability].includes('openai'));
  if (users.length === 0 || !engines.openai?.chatModel) return [];
  const { baseUrl, chatModel } = engines.openai;
  // With another engine to fall back on the gateway serves all the same.
  const bad = users.every((capability) => engines[capability].length > 1) ? warn : fail;
  try {
    const client = chatClientOf(engines.openai, { clock: systemClock, logger });
    const models = await client.models(ANSWER_WITHIN_MS, new AbortController().signal);
    // llama.cpp serves one model whatever it is called; others answer an unknown name with 404.
    if (models.length === 0 || models.includes(chatModel)) return [ok(CHECK, `${baseUrl}, ${chatModel}`)];
    const known = models.slice(0, MODELS_SHOWN).join(', ');
    const mend = `Name one of its models in engines.openai.chatModel, or load it (ollama pull ${chatModel}).`;
    return [bad(CHECK, `${baseUrl} does not have ${chatModel}; it has ${known}`, mend)];
  } catch (error) {
    if (!(error instanceof ChatFailure)) throw error;
    const mend = MENDS[error.kind] ?? 'It does not speak the API of OpenAI: correct engines.openai.baseUrl.';
    return [bad(CHECK, `${baseUrl}: ${error.message}`, mend)];
  }
}
