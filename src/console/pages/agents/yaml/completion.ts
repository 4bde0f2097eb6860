import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import type { Shape } from '../../../../config/agent-text/shape.ts';
import { completionAt } from '../model/completion.ts';

/** Keys that an agent may have there, and words that a key may have. */
export function completions(shape: Shape, definition: () => unknown): Extension {
  const source = ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const found = completionAt(state.doc.toString(), pos, shape, definition());
    if (!found || (!explicit && found.from === pos)) return null;
    const { from, isKey, options } = found;
    return {
      from,
      validFor: /^[\w-]*$/,
      options: options.map(({ label, info }) => ({
        ...{ label, type: isKey ? 'property' : 'enum', apply: isKey ? `${label}: ` : label },
        ...(info !== undefined && { info }),
      })),
    };
  };
  return autocompletion({ override: [source], icons: false });
}
