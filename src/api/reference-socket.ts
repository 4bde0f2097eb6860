import { TALK_ERRORS } from '../core/talk-errors.ts';
import type { Sample } from './operation.ts';
import { type Direction, fieldTable, type JsonSchema } from './reference-fields.ts';
import { factsList, name, prose, sampleTabs, table, text } from './reference-html.ts';
import type { SocketMessage } from './socket-message.ts';
import { SOCKET_ERRORS } from './socket-schemas.ts';

interface Channel {
  readonly address: string;
  readonly 'x-codeSamples': readonly Sample[];
  readonly 'x-price'?: string;
  readonly 'x-limits'?: readonly string[];
}
/** What the page reads of the AsyncAPI document. */
export interface SocketDocument {
  readonly channels: { readonly transcribe: Channel; readonly talk: Channel };
  readonly operations: Readonly<Record<string, { readonly messages: readonly { readonly $ref: string }[] }>>;
  readonly components: { readonly messages: Readonly<Record<string, SocketMessage>> };
}

interface SocketText {
  readonly title: string;
  readonly intro: string;
  readonly sent: string; // operation of the document
  readonly received: string;
  readonly errors: Readonly<Record<string, number>>;
  readonly complete: string;
}
const token = (operation: string, path: string): string =>
  'Authenticate with the same header, or in a browser with <code>?token=</code> and a token of <a ' +
  `href="#${operation}"><code>POST ${path}</code></a>. Control frames are JSON text, audio is binary.`;

/** The live transcription socket as a section of the page. */
export const transcribeSection = (id: string, document: SocketDocument): string =>
  socketSection(id, document, document.channels.transcribe, {
    title: 'Live transcription',
    intro: `Text while the person still speaks. ${token('createTranscribeToken', '/v1/transcribe/token')}`,
    ...{ sent: 'sendToTranscription', received: 'receiveTranscription', errors: SOCKET_ERRORS },
    complete: 'A complete session closes with 1000.',
  });

/** The talk socket. */
export const talkSection = (id: string, document: SocketDocument): string =>
  socketSection(id, document, document.channels.talk, {
    title: 'Talk to an agent',
    intro:
      'A call with an agent: the same conversation, record and charges as of a call by telephone. ' +
      token('createTalkToken', '/v1/agents/{id}/talk/token'),
    ...{ sent: 'sendToTalk', received: 'receiveTalk', errors: TALK_ERRORS },
    complete: 'A call that was answered closes with 1000.',
  });

function socketSection(id: string, document: SocketDocument, channel: Channel, words: SocketText): string {
  const frames = (operation: string, direction: Direction): string =>
    (document.operations[operation]?.messages ?? [])
      .map(({ $ref }) => document.components.messages[$ref.split('/').at(-1)!]!)
      .map((message) => frame(message, direction))
      .join('');
  const codes = Object.entries(words.errors).map(([code, close]) => [name(code), String(close)]);
  return `<section id="${id}"><h2>${words.title}</h2><p class="route"><span class="verb">WS</span><code>{ws_url}${text(channel.address)}</code></p>
<div class="both"><div class="intro"><p>${words.intro}</p>${factsList(channel)}</div>
<div class="code">${sampleTabs(channel['x-codeSamples'])}</div>
<div class="rest"><h3>From you</h3>${frames(words.sent, 'sent')}
<h3>From the service</h3>${frames(words.received, 'read')}
<h3>Error codes and close codes</h3>
<p>Every error frame is the last one; the connection then closes. ${words.complete}</p>
${table(['error.code', 'Close'], codes)}</div></div></section>`;
}

function frame({ name: type, summary, payload }: SocketMessage, direction: Direction): string {
  const hasFields = Object.keys((payload as JsonSchema).properties ?? {}).length > 1;
  const fields = hasFields ? fieldTable(payload as JsonSchema, {}, direction) : '';
  return `<p>${name(type)} ${prose(summary)}</p>${fields}`;
}
