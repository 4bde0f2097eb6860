import type { Agent } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { ReplyRequest } from '../engines/reply/contract.ts';
import type { CallObserver } from './call-observer.ts';
import type { ConversationSettings } from './conversation-settings.ts';
import type { HearingParts } from './ears.ts';
import type { Unsaid } from './silence.ts';
import type { TurnEndParts } from './turn-end-watch.ts';
import type { VoiceWatch } from './voice-watch.ts';

export interface CallerSideDeps extends HearingParts {
  readonly agent: Agent;
  readonly settings: ConversationSettings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly observer?: CallObserver;
  /** Judges by their sound whether turns are over. */
  readonly turnEnd?: TurnEndParts;
  /** Compares who judges whether there is a voice. */
  readonly voice?: VoiceWatch;
}

/** What the caller's doing means for the agent. */
export interface CallerSideHandlers {
  /** The turn is over, or the silence long enough: the agent's answer is due. */
  answer(input: ReplyRequest['input']): void;
  /** Voice or key over the agent's speech: it ends here. */
  interrupt(): void;
  /** The caller went on before any answer was heard: it is not wanted any more. */
  takeBack(): void;
  /** The interruption was nothing: the agent says the rest. */
  goOn(unsaid: Unsaid): void;
  /** The turn is over and its words take long: the caller is told so, once. */
  excuse(): void;
  /** Its words were lost, or are so late that they are not waited for. No fault of the caller. */
  missed(): void;
  /** There is a voice, too faint to be understood. */
  tooQuiet(): void;
  /** Nobody answers the reminders. */
  gone(): void;
}
