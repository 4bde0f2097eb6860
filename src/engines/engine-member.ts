import type { Language } from '../core/agent.ts';
import type { DocumentReader } from './document/contract.ts';
import type { ReplyEngine } from './reply/contract.ts';
import type { SttEngine } from './stt/contract.ts';
import type { TtsEngine } from './tts/contract.ts';

type Place = 'local' | 'remote';

/** One engine as it is configured, behind its guard, without those that follow it when it fails. */
interface Member<E> {
  /** As the configuration calls it. */
  readonly engine: string;
  readonly place: Place;
  /** 1 is asked first. Undefined: only for agents that name it. */
  readonly order: number | undefined;
  /** The engine, unless nobody has needed it yet: what sends something out is not even made before it is needed. */
  made(): E | undefined;
  /** Tries it where it is paused: a service that was mended is in use again at once. Never rejects. */
  retry(): Promise<void>;
  /** The engine, made now where it has to be. @throws OperatorError where its settings do not do. */
  get(): E;
}
export type EngineMember =
  | (Member<SttEngine> & { readonly capability: 'stt'; readonly language: Language })
  | (Member<TtsEngine> & { readonly capability: 'tts' })
  | (Member<ReplyEngine> & { readonly capability: 'reply' })
  | (Member<DocumentReader> & { readonly capability: 'document' });
