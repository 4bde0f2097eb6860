import type { ASYNCAPI } from '../asyncapi.ts';
import type { Sample } from '../operation.ts';
import type { SocketMessage } from '../socket-message.ts';

/** What the page reads of the AsyncAPI document. */
export interface SocketDocument extends Pick<typeof ASYNCAPI, 'operations' | 'components'> {
  readonly channels: { readonly transcribe: Channel; readonly talk: Channel };
}
interface Channel {
  readonly address: string;
  readonly 'x-codeSamples': readonly Sample[];
  readonly 'x-price': string;
  readonly 'x-limits': readonly string[];
}
interface Field {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly additionalProperties?: Field | boolean;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
}

interface SocketText {
  readonly title: string;
  readonly intro: string;
  readonly sent: keyof SocketDocument['operations'];
  readonly received: keyof SocketDocument['operations'];
  readonly complete: string;
  readonly codes: Readonly<Record<string, number>>;
}

/** The live sockets as Markdown, made from their document. `codes`: what ends each, with its close code. */
export function socketGuide(
  document: SocketDocument,
  codes: { readonly transcribe: Readonly<Record<string, number>>; readonly talk: Readonly<Record<string, number>> },
): string {
  const { transcribe, talk } = document.channels;
  const parts = [
    '# Live sockets',
    'Two WebSockets stand beside the [HTTP operations](/docs): text while somebody speaks, and a call with an agent. Their frames are also in ' +
      '[asyncapi.json](/asyncapi.json), for programs. Control frames are JSON text, audio is binary.',
    ...socketChapter(document, transcribe, {
      title: 'Live transcription',
      intro: `Text while the person still speaks. ${tokenText('/v1/transcribe/token')}`,
      ...{ sent: 'sendToTranscription', received: 'receiveTranscription', codes: codes.transcribe },
      complete: 'A complete session closes with 1000.',
    }),
    ...socketChapter(document, talk, {
      title: 'Talk to an agent',
      intro: `A call with an agent: the same conversation, record and charges as of a call by telephone. ${tokenText('/v1/agents/{id}/talk/token')}`,
      ...{ sent: 'sendToTalk', received: 'receiveTalk', codes: codes.talk },
      complete: 'A call that was answered closes with 1000.',
    }),
  ];
  return parts.join('\n\n');
}

const tokenText = (path: string): string =>
  `Authenticate with the header of the HTTP API, or in a browser with \`?token=\` and a token of \`POST ${path}\`.`;

function socketChapter(document: SocketDocument, channel: Channel, words: SocketText): string[] {
  const frames = (operation: SocketText['sent']): string[] =>
    document.operations[operation].messages
      .map(({ $ref }) => document.components.messages[$ref.split('/').at(-1) as 'error'] as SocketMessage)
      .flatMap(frameText);
  const closes = Object.entries(words.codes).map(([code, close]) => [`\`${code}\``, String(close)]);
  return [
    `## ${words.title}`,
    words.intro,
    `\`\`\`\n{ws_url}${channel.address}\n\`\`\``,
    [`Price: ${channel['x-price']}`, ...channel['x-limits']].map((fact) => `- ${fact}`).join('\n'),
    `### ${words.title}: what you send`,
    ...frames(words.sent),
    `### ${words.title}: what you get`,
    ...frames(words.received),
    `### ${words.title}: errors`,
    `Every error frame is the last one; the connection then closes. ${words.complete}`,
    table(['error.code', 'Close'], closes),
    `### ${words.title}: programs`,
    ...channel['x-codeSamples'].flatMap(({ label, source }) => [`**${label}**`, `\`\`\`\`\n${source}\n\`\`\`\``]),
  ];
}

function frameText({ name, summary, payload, examples = [] }: SocketMessage): string[] {
  const { properties = {}, required = [] } = payload as Field;
  const rows = Object.entries(properties)
    .filter(([field]) => field !== 'type')
    .map(([field, shape]) => [
      `\`${field}\`${required.includes(field) ? '' : ' (optional)'}`,
      typeOf(shape),
      shape.description ?? '',
    ]);
  const example = examples[0] && JSON.stringify(examples[0].payload);
  return [
    `**\`${name}\`** ${summary}`,
    ...(rows.length > 0 ? [table(['Field', 'Type', 'Meaning'], rows)] : []),
    ...(example === undefined ? [] : [`\`\`\`\n${example}\n\`\`\``]),
  ];
}

function typeOf({
  type,
  const: only,
  enum: values,
  minimum,
  maximum,
  additionalProperties,
  properties,
}: Field): string {
  if (only !== undefined) return `\`${only}\``;
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (typeof additionalProperties === 'object') return `map of ${typeOf(additionalProperties)}`;
  if (properties) return `{ ${Object.keys(properties).join(', ')} }`;
  const range = minimum === undefined || maximum === undefined ? '' : ` ${minimum}..${maximum}`;
  return `${[type ?? 'any'].flat().join(' or ')}${range}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
