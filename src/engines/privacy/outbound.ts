declare const crossed: unique symbol;

/**
 * Text that may leave for a remote service. The clients of such services take nothing else, so that a text which has not
 * crossed the boundary does not compile: the boundary makes it of what people said, `authored` of what the operator or
 * the program wrote.
 */
export type Outbound = string & { readonly [crossed]: true };

/** Words of the program or of the agent's author, and what is put together of them and of outbound text. */
export function authored(text: string): Outbound {
  return text as Outbound;
}

/** What the boundary let through. Called by this folder only. */
export function released(text: string): Outbound {
  return text as Outbound;
}
