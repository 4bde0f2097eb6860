import type { PrivacyMode } from '../../core/agent.ts';
import { OperatorError } from '../../core/errors.ts';
import { ChatClient, type ChatClientDeps } from './chat-client.ts';

/** `engines.openai` of the configuration, as far as a chat model needs it. */
export interface ChatServerSettings {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly chatModel?: string;
  readonly firstTokenMs: number;
  readonly totalMs: number;
  /** Longest wait for how a model reads a sentence: then the agent's own reading decides. */
  readonly proposalMs: number;
  readonly documentPrivacy: PrivacyMode;
}

/** The client of the configured chat server. @throws OperatorError where there is none. */
export function chatClientOf(settings: ChatServerSettings | undefined, deps: ChatClientDeps): ChatClient {
  if (!settings?.chatModel) throw new OperatorError('engines.openai: expected baseUrl and chatModel');
  const { baseUrl, apiKey, chatModel: model, firstTokenMs, totalMs } = settings;
  return new ChatClient(
    { baseUrl, model, ...(apiKey !== undefined && { apiKey }) },
    { ...deps, limits: { firstTokenMs, totalMs, ...deps.limits } },
  );
}
