import { findAgent } from './accounts.ts';
import type { CommandContext } from './context.ts';
import { emit } from './output.ts';

/** Lets an agent answer calls: a draft, or one that was paused. Where its tests are required, they pass first. */
export function publishAgent(context: CommandContext, which: string, options: { account?: string }): Promise<void> {
  return context.withDesk(async (desk) => {
    const { account, agent } = await findAgent(desk, options.account, which);
    const { id, name, version, status } = await desk.agents.publish(account, agent);
    emit(context.out, { id, name, version, status }, () =>
      context.out.write(`${name} answers calls, version ${version}.\n`),
    );
  });
}
