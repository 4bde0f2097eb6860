import type { Config } from '../config/load.ts';
import { CallAnalyst } from '../engines/after-call/call-analyst.ts';
import { EngineGuard, type GuardDeps } from '../engines/guard.ts';
import { OpenaiCallModel } from '../engines/openai/call-model.ts';
import { chatClientOf } from '../engines/openai/chat-server.ts';
import { DEFAULT_TIME_ZONE } from '../engines/reply/scripted-dialogue.ts';
import { usedMetric } from '../engines/used-metric.ts';

/** Reads calls that are over; undefined where no chat model is configured. */
export function callAnalyst({ engines }: Config, deps: GuardDeps): CallAnalyst | undefined {
  if (!engines.openai?.chatModel) return undefined;
  return new CallAnalyst({
    model: new OpenaiCallModel(
      chatClientOf(engines.openai, { ...deps, used: usedMetric(deps.metrics, 'afterCall', 'openai') }),
    ),
    guard: new EngineGuard('afterCall', 'openai', engines.limits.afterCall, deps, 'remote'),
    ...{ timeZone: DEFAULT_TIME_ZONE, byDefault: engines.afterCall },
  });
}
