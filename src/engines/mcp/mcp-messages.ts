/**
 * Messages of the Model Context Protocol: JSON-RPC 2.0 over streamable HTTP.
 *
 * @see https://modelcontextprotocol.io/specification/2025-06-18: basic/lifecycle, basic/transports, server/tools
 */
type Fields = Readonly<Record<string, unknown>>;

/** Revisions that are spoken, the one that is asked for first. */
export const PROTOCOL_VERSIONS = ['2025-06-18', '2025-11-25', '2025-03-26'] as const;

/** JSON-RPC 2.0 §5.1. */
export const METHOD_NOT_FOUND = -32_601;

/** Why a server gave nothing: one word, for records and metrics. */
export type McpFailureKind =
  | 'timeout'
  | 'network'
  | 'status'
  | 'refused' // 401, 403
  | 'session' // it does not know the session any more
  | 'too-large'
  | 'garbage'
  | 'version'
  | 'error' // JSON-RPC error
  | 'busy'
  | 'aborted';

/** A server did not do what was asked. Its own words are in no log: they may hold anything. */
export class McpFailure extends Error {
  constructor(
    readonly kind: McpFailureKind,
    /** What the server itself said, for a model. */
    readonly said = '',
  ) {
    super(kind);
    this.name = 'McpFailure';
  }
}

/** A tool as a server describes it. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Fields;
}

export interface McpResult {
  readonly isError: boolean;
  /** Its texts, one after the other, or its structured content as JSON. */
  readonly text: string;
  /** Plain fields of the structured content. */
  readonly structured: Fields;
}

/** An answer to the request `id` among messages that came; undefined where it is none of it. */
export function answerTo(message: unknown, id: number): { readonly result: unknown } | McpFailure | undefined {
  const fields = objectOf(message);
  if (fields?.['id'] !== id || fields['method'] !== undefined) return undefined;
  const error = objectOf(fields['error']);
  if (error) return new McpFailure('error', textOf(error['message']));
  return { result: fields['result'] };
}

/** A request of the server's own, which waits for an answer. */
export function requestIn(message: unknown): { readonly id: string | number; readonly method: string } | undefined {
  const fields = objectOf(message);
  const id = fields?.['id'];
  const method = fields?.['method'];
  if (typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
  return { id, method };
}

const NAME = /^[A-Za-z0-9_./-]{1,128}$/;
const DESCRIPTION_CHARS = 1_000;
const SCHEMA_CHARS = 8_000;

/** One page of `tools/list`; what is no tool is left out. */
export function toolsIn(result: unknown): { readonly tools: readonly McpTool[]; readonly next: string | undefined } {
  const fields = objectOf(result);
  const listed = Array.isArray(fields?.['tools']) ? (fields['tools'] as unknown[]) : [];
  const tools = listed.map(objectOf).flatMap((tool): McpTool[] => {
    const name = tool?.['name'];
    const inputSchema = objectOf(tool?.['inputSchema']);
    if (typeof name !== 'string' || !NAME.test(name) || !inputSchema) return [];
    if (inputSchema['type'] !== 'object' || JSON.stringify(inputSchema).length > SCHEMA_CHARS) return [];
    return [{ name, description: textOf(tool?.['description']).slice(0, DESCRIPTION_CHARS), inputSchema }];
  });
  const next = fields?.['nextCursor'];
  return { tools, next: typeof next === 'string' && next !== '' ? next : undefined };
}

/** What a tool answered. @throws McpFailure `garbage` for what is no answer of a tool. */
export function resultOf(result: unknown): McpResult {
  const fields = objectOf(result);
  const content = fields?.['content'];
  const structured = objectOf(fields?.['structuredContent']);
  if (!Array.isArray(content) && !structured) throw new McpFailure('garbage');
  const parts = (Array.isArray(content) ? content : []).map(objectOf);
  const texts = parts.flatMap((part) => (part?.['type'] === 'text' ? textOf(part['text']) : []));
  return {
    isError: fields?.['isError'] === true,
    text: structured ? JSON.stringify(structured) : texts.join('\n'),
    structured: structured ?? {},
  };
}

export function objectOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
