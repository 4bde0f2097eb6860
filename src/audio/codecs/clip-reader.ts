import type { ClipBuilder } from './clip-builder.ts';

/** What every reader does: adds decoded audio to the builder until it is full or the file ends. May throw. */
export type ClipReader = (file: Uint8Array, into: ClipBuilder) => Promise<'read' | 'unsupported'>;
