/** What a document of an agent goes through: read by a job, then asked by callers. */
export const DOCUMENT_STATES = ['queued', 'indexing', 'ready', 'failed'] as const;
export type DocumentState = (typeof DOCUMENT_STATES)[number];

/** Why a document cannot be used, each with what a person is told. */
export const DOCUMENT_FAULTS = {
  no_text: 'There is no text in it.',
  scanned: 'Its pages are pictures of text: a scan needs text recognition first.',
  encrypted: 'It is protected by a password.',
  unreadable: 'It is broken, or is not what its name says.',
  unsupported: 'Files of this type are not read.',
  too_much: 'It takes more time or memory to read than any usual document does.',
  too_long: 'There is more text in it than an agent answers from.',
  agent_full: 'There is more text in all documents of the agent than it answers from.',
  broke_off: 'Reading it broke off again and again.',
} as const;
export type DocumentFault = keyof typeof DOCUMENT_FAULTS;

/** Documents of one agent. */
export const DOCUMENTS_MAX = 20;
export const DOCUMENT_NAME_CHARS_MAX = 200;
/** Of the text of one document, and of all of an agent: some hundred pages, which are searched in some hundredths of a second. */
export const DOCUMENT_CHARACTERS_MAX = 500_000;
export const AGENT_CHARACTERS_MAX = 1_000_000;
/** Readings of one document that are begun: a reader that takes the process with it would be begun for ever. */
export const DOCUMENT_TRIES_MAX = 3;
