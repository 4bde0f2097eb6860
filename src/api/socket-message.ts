import type { TSchema } from '@sinclair/typebox';

/** One frame of a socket, as an AsyncAPI document describes it. */
export interface SocketMessage {
  readonly name: string;
  readonly contentType: string;
  readonly summary: string;
  readonly payload: TSchema | { readonly type: 'string'; readonly contentEncoding: string };
  readonly examples?: readonly { readonly payload: unknown }[];
}

/** A JSON frame, named by its type. */
export function frame(payload: TSchema, summary: string, example: object): SocketMessage {
  const { type } = payload['properties'] as { type: { const: string } };
  return {
    name: type.const,
    contentType: 'application/json',
    summary,
    payload,
    examples: [{ payload: { type: type.const, ...example } }],
  };
}

export const audioFrame = (summary: string): SocketMessage => ({
  ...{ name: 'audio', contentType: 'application/octet-stream', summary },
  payload: { type: 'string', contentEncoding: 'binary' },
});
