declare const crossed: unique symbol;

/**
 * Text that may leave for a remote service. The clients of such services take nothing else, so that a text which has not
 * crossed the boundary does not compile: `ConversationShield` makes it of what people said, `authored` of what the
 * operator or the program wrote.
 */
export type Outbound = string & { readonly [crossed]: true };

/** Words of the program or of the agent's author: they hold no caller's data. Never call it with what a caller said. */
export function authored(text: string): Outbound {
  return text as Outbound;
}

/** Pieces that may leave, put together. */
export function joined(pieces: readonly Outbound[], separator: string): Outbound {
  return pieces.join(separator) as Outbound;
}
