import { ERRORS } from '../core/errors.ts';
import { commonLimits, type OperationFacts, type ReferenceFacts } from './reference-facts.ts';

const ABOUT =
  'Voice and text work in Arabic (Saudi dialects, with English mixed in) and English. Paid operations are charged in ' +
  'whole cents from a credit balance; what fails costs nothing. Unknown fields of a request are ignored, unknown fields ' +
  'of an answer should be.';

/** The beginning of the OpenAPI document as Markdown: what holds for every operation. */
export function documentDescription(facts: ReferenceFacts): string {
  const rows = Object.entries(ERRORS).sort(([, a], [, b]) => a.status - b.status);
  return [
    ABOUT,
    '# Token',
    'Every operation needs the header `Authorization: Bearer service_sk_live_...`; tokens are made in the console. In samples ' +
      '`<API_KEY>` stands for it, and `<AGENT_ID>` for an agent of `listAgents`. TypeScript runs on Node 20.19 and newer, Python with ' +
      'its standard library alone.',
    'The sample "Client" uses `nidaa/client`, which is part of this gateway: `npm install FOLDER_OF_THE_GATEWAY`. Its types are those ' +
      'that check requests here; it repeats what is safe to repeat and throws `ServiceError` with the `code` of the answer.',
    '# Live sockets',
    'Live transcription and calls from a browser are WebSockets: [their frames and samples](/docs/guides/sockets), and `/asyncapi.json`.',
    '# Limits',
    list(commonLimits(facts)),
    '# Errors',
    'Errors are `{"error": {"code", "message"}}`; `X-Request-Id` names a request to whoever runs this service. A paid request may carry an ' +
      '`Idempotency-Key`: repeated with the same key within 24 hours it is charged once. `unavailable` and `rate_limited` carry ' +
      '`Retry-After`, and nothing that failed is charged.',
    [
      '| Status | Code | Message |',
      '| --- | --- | --- |',
      ...rows.map(
        ([code, { status, message }]) => `| ${status} | \`${code}\` | ${message.replace('<detail>', '`<detail>`')} |`,
      ),
    ].join('\n'),
  ].join('\n\n');
}

/** What an operation is for, what it costs and where it ends. */
export function describedOperation(description: string | undefined, facts: OperationFacts): string {
  const told = list([`Price: ${facts['x-price']}`, ...facts['x-limits']]);
  return description === undefined ? told : `${description}\n\n${told}`;
}

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');
