import type { SocketMessage } from './asyncapi.ts';
import type { Sample } from './operation.ts';
import { type Direction, fieldTable, type JsonSchema } from './reference-fields.ts';
import { factsList, name, prose, sampleTabs, table, text } from './reference-html.ts';
import { SOCKET_ERRORS } from './socket-schemas.ts';

/** What the page reads of the AsyncAPI document. */
export interface SocketDocument {
  readonly channels: {
    readonly transcribe: {
      readonly address: string;
      readonly 'x-codeSamples': readonly Sample[];
      readonly 'x-price'?: string;
      readonly 'x-limits'?: readonly string[];
    };
  };
  readonly operations: Readonly<Record<string, { readonly messages: readonly { readonly $ref: string }[] }>>;
  readonly components: { readonly messages: Readonly<Record<string, SocketMessage>> };
}

/** The live transcription socket as a section of the page. */
export function socketSection(id: string, document: SocketDocument): string {
  const { transcribe } = document.channels;
  const frames = (operation: string, direction: Direction): string =>
    (document.operations[operation]?.messages ?? [])
      .map(({ $ref }) => document.components.messages[$ref.split('/').at(-1)!]!)
      .map((message) => frame(message, direction))
      .join('');
  const codes = Object.entries(SOCKET_ERRORS).map(([code, close]) => [name(code), String(close)]);
  return `<section id="${id}"><h2>Live transcription</h2><p class="route"><span class="verb">WS</span><code>{ws_url}${text(transcribe.address)}</code></p>
<div class="both"><div class="intro"><p>Text while the person still speaks. Authenticate with the same header, or in a browser with <code>?token=</code> and a token of <a href="#createTranscribeToken"><code>POST /v1/transcribe/token</code></a>. Control frames are JSON text, audio is binary.</p>${factsList(transcribe)}</div>
<div class="code">${sampleTabs(transcribe['x-codeSamples'])}</div>
<div class="rest"><h3>From you</h3>${frames('sendToTranscription', 'sent')}
<h3>From the service</h3>${frames('receiveTranscription', 'read')}
<h3>Error codes and close codes</h3><p>Every error frame is the last one; the connection then closes. A complete session closes with 1000.</p>${table(['error.code', 'Close'], codes)}</div></div></section>`;
}

function frame({ name: type, summary, payload }: SocketMessage, direction: Direction): string {
  const hasFields = Object.keys((payload as JsonSchema).properties ?? {}).length > 1;
  const fields = hasFields ? fieldTable(payload as JsonSchema, {}, direction) : '';
  return `<p>${name(type)} ${prose(summary)}</p>${fields}`;
}
