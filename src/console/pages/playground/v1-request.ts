/** A request to the public API, as it is sent and as it is written down for programs. */
export interface V1Request {
  readonly path: string;
  readonly json?: Readonly<Record<string, unknown>>;
  readonly form?: V1Form;
  /** The file that an answer of bytes is kept in. */
  readonly savesAs?: string;
}
export interface V1Form {
  readonly file: { readonly name: string; readonly bytes: Blob };
  readonly fields: Readonly<Record<string, string>>;
}

/** Without the fields that say nothing. */
export function bodyOf(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));
}
