import type { Config } from '../config/load.ts';

/** Which servers the models of agents may call, for the start report. */
export function toolNotes({ mcp }: Config['engines']): readonly string[] {
  return Object.entries(mcp).map(([name, { url, tools }]) => {
    const named = Object.entries(tools).map(([tool, { changes }]) => (changes ? `${tool} (after a yes)` : tool));
    return `Agents that name ${name} may call ${named.join(', ')} at ${new URL(url).host}.`;
  });
}
