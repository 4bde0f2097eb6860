/** What the gateway reads, as a file dialog takes it. */
export const ACCEPTED = '.pdf,.docx,.txt,.md,.markdown,.csv,.html,.htm,.json';

export type Objection = 'type' | 'empty' | 'tooLarge' | 'taken' | 'full';

export interface Room {
  /** Names of the documents there are. */
  readonly names: readonly string[];
  readonly documentsMax: number;
  readonly fileBytesMax: number;
}

/** Why a file need not be sent at all; whatever passes here is judged by the gateway. */
export function objectionTo(
  { name, size }: { readonly name: string; readonly size: number },
  { names, documentsMax, fileBytesMax }: Room,
): Objection | undefined {
  const dot = name.lastIndexOf('.');
  if (dot < 0 || !ACCEPTED.split(',').includes(name.slice(dot).toLowerCase())) return 'type';
  if (size === 0) return 'empty';
  if (size > fileBytesMax) return 'tooLarge';
  if (names.includes(name)) return 'taken';
  return names.length >= documentsMax ? 'full' : undefined;
}

/** Those that are sent, one after another, and those that are not, with the reason. */
export function sorted<F extends { readonly name: string; readonly size: number }>(
  files: readonly F[],
  room: Room,
): { readonly sent: readonly F[]; readonly refused: readonly { readonly name: string; readonly why: Objection }[] } {
  const sent: F[] = [];
  const refused: { name: string; why: Objection }[] = [];
  for (const file of files) {
    const why = objectionTo(file, { ...room, names: [...room.names, ...sent.map(({ name }) => name)] });
    if (why) refused.push({ name: file.name, why });
    else sent.push(file);
  }
  return { sent, refused };
}
