/** One place that a phone registered, and how requests reach it there. */
export interface PhoneContact {
  readonly uri: string; // its Contact
  /** What is sent to in its place: the flow that it registered by, or the first hop of its Path (RFC 3327, RFC 5626). */
  readonly nextHop?: string;
  readonly route?: readonly string[]; // its Path, topmost first
}

/** Where phones are now. Fed by the registrar. */
export interface PhoneContacts {
  /** @returns the contacts that are still good, the best first; none for a phone that is not registered. Never throws. */
  contactsOf(phoneId: string): readonly PhoneContact[];
}

/** Where there is no registrar. */
export const noPhoneContacts: PhoneContacts = { contactsOf: () => [] };
