import { fileText } from '../config/agent-text/agent-text.ts';
import { findAgent } from './accounts.ts';
import type { CommandContext } from './context.ts';
import { emit, harmless } from './output.ts';

/** Prints an agent as a file that can be imported again: the text that somebody wrote, comments and all, where somebody has. */
export function exportAgent(context: CommandContext, which: string, options: { account?: string }): Promise<void> {
  return context.withDesk(async (desk) => {
    const { account, agent } = await findAgent(desk, options.account, which);
    const { version, yaml } = await desk.agents.written(account.id, agent);
    const [number] = agent.numbers;
    const text = fileText(yaml, number);
    const json = { id: agent.id, name: agent.name, version, number: number ?? null, yaml: text };
    const whole = text.endsWith('\n') ? text : `${text}\n`;
    // As it is where it goes into a file; a terminal obeys some of what others wrote.
    emit(context.out, json, () => context.out.write(context.out.color ? harmless(whole) : whole));
  });
}
