import type { Sample } from './operation.ts';
import { jsLiteral, pythonLiteral, shellWord } from './sample-literals.ts';

/**
 * Code samples of the reference: whole programs, which `scripts/examples` runs as they stand. TypeScript is for Node 20.19
 * and newer, Python for its standard library; nothing has to be installed but, for the last one, our own client.
 */

/** Filled in with the address that the reference was asked at, when it is sent. */
export const BASE_URL = '{base_url}';
export const SOCKET_URL = '{ws_url}';
/** Filled in by the reader. */
export const API_KEY = '<API_KEY>';
export const AGENT_ID = '<AGENT_ID>';

type Method = 'GET' | 'POST';
interface HttpRequest {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
  readonly accept?: string;
}

const curlSample = (source: string): Sample => ({ lang: 'Shell', label: 'curl', source });
const fetchSample = (source: string): Sample => ({ lang: 'TypeScript', label: 'TypeScript', source });
const pythonSample = (source: string): Sample => ({ lang: 'Python', label: 'Python', source });
const clientSample = (source: string): Sample => ({ lang: 'TypeScript', label: 'Client', source });
const lines = (...parts: readonly (string | readonly string[])[]): string => parts.flat().join('\n');

/** A request whose answer is JSON. */
export function jsonSamples(
  method: Method,
  path: string,
  body: unknown,
  clientMethod: string,
  firstArgument?: string,
): Sample[] {
  const request = { method, path, ...(body !== undefined && { body }) };
  const query = path.includes('?') ? Object.fromEntries(new URLSearchParams(path.split('?')[1])) : undefined;
  const given = body ?? query;
  const passed = [firstArgument, given && jsLiteral(given)].filter((text) => text !== undefined).join(', ');
  return [
    curlSample(curl(request)),
    fetchSample(lines(fetching(request), 'console.log(await response.json());')),
    pythonSample(lines('import json', 'import urllib.request', '', opening(request), '    print(json.load(response))')),
    clientSample(lines(CLIENT_START, `console.log(await client.${clientMethod}(${passed}));`)),
  ];
}

/** A request with a file. Python shows the JSON form of it, the others the multipart form. */
export function uploadSamples(
  path: string,
  file: string,
  fields: Readonly<Record<string, string>>,
  clientMethod: string,
): Sample[] {
  const parts = [`file=@${file}`, ...Object.entries(fields).map(([name, value]) => `${name}=${value}`)];
  const sets = Object.entries(fields).map(([name, value]) => `form.set('${name}', ${jsLiteral(value)});`);
  const blob = `new Blob([await readFile('${file}')])`;
  const others = jsLiteral(fields).slice(2, -2);
  return [
    curlSample([curlStart({ path }), ...parts.map(formPart)].join(' \\\n')),
    fetchSample(
      lines(
        "import { readFile } from 'node:fs/promises';",
        '',
        'const form = new FormData();',
        `form.set('file', ${blob}, '${file}');`,
        sets,
        `const response = await fetch('${BASE_URL}${path}', {`,
        "  method: 'POST',",
        `  headers: { Authorization: 'Bearer ${API_KEY}' },`,
        '  body: form,',
        '});',
        THROW_UNLESS_OK,
        'console.log(await response.json());',
      ),
    ),
    pythonSample(
      lines(
        'import base64',
        'import json',
        'import urllib.request',
        '',
        `with open("${file}", "rb") as file:`,
        '    encoded = base64.b64encode(file.read()).decode()',
        opening({ method: 'POST', path }, `{"file": encoded, ${pythonLiteral(fields).slice(1)}`),
        '    print(json.load(response))',
      ),
    ),
    clientSample(
      lines(
        "import { readFile } from 'node:fs/promises';",
        CLIENT_START,
        `const file = ${blob};`,
        `console.log(await client.${clientMethod}({ file, filename: '${file}', ${others} }));`,
      ),
    ),
  ];
}

/** A request whose answer is audio, written to a file. */
export function audioSamples(path: string, body: unknown, clientMethod: string, file: string): Sample[] {
  const request = { method: 'POST', path, body } as const;
  return [
    curlSample(`${curl(request)} \\\n  -o ${file}`),
    fetchSample(
      lines(
        "import { writeFile } from 'node:fs/promises';",
        '',
        fetching(request),
        `await writeFile('${file}', Buffer.from(await response.arrayBuffer()));`,
        "console.log(response.headers.get('x-service-cost-cents'), 'cents');",
      ),
    ),
    pythonSample(
      lines(
        'import json',
        'import urllib.request',
        '',
        opening(request),
        `    with open("${file}", "wb") as file:`,
        '        file.write(response.read())',
        '    print(response.headers["X-Service-Cost-Cents"], "cents")',
      ),
    ),
    clientSample(
      lines(
        "import { writeFile } from 'node:fs/promises';",
        CLIENT_START,
        `const speech = await client.${clientMethod}(${jsLiteral(body)});`,
        `await writeFile('${file}', speech.bytes);`,
        "console.log(speech.contentType, speech.durationMs, 'ms', speech.costCents, 'cents');",
      ),
    ),
  ];
}

/** Audio as it is produced: raw, and as events. */
export function streamSamples(path: string, body: unknown, file: string): Sample[] {
  const request = { method: 'POST', path, body } as const;
  const asEvents = { ...request, accept: 'text/event-stream' };
  return [
    curlSample(`${curl(request)} \\\n  --no-buffer -o ${file}`),
    fetchSample(
      lines(
        "import { createWriteStream } from 'node:fs';",
        '',
        fetching(request),
        `const file = createWriteStream('${file}');`,
        'for await (const chunk of response.body ?? []) file.write(chunk); // play it as it comes',
        'file.end();',
        "console.log(response.headers.get('x-service-cost-cents'), 'cents');",
      ),
    ),
    pythonSample(
      lines(
        'import json',
        'import urllib.request',
        '',
        opening(request),
        `    with open("${file}", "wb") as file:`,
        '        while chunk := response.read1():  # play it as it comes',
        '            file.write(chunk)',
        '    print(response.headers["X-Service-Cost-Cents"], "cents")',
      ),
    ),
    clientSample(
      lines(
        CLIENT_START,
        `for await (const event of client.streamSpeechEvents(${jsLiteral(body)})) {`,
        "  if (event.type === 'audio') console.log(event.seq, Buffer.from(event.audio, 'base64').length, 'bytes');",
        "  if (event.type === 'usage') console.log(event.seconds, 's', event.cost_cents, 'cents');",
        '}',
      ),
    ),
    { ...curlSample(`${curl(asEvents)} \\\n  --no-buffer`), label: 'curl SSE' },
    {
      ...pythonSample(
        lines(
          'import base64',
          'import json',
          'import urllib.request',
          '',
          opening(asEvents),
          '    for line in response:',
          '        if not line.startswith(b"data:"):',
          '            continue',
          '        event = json.loads(line[5:])',
          '        if event["type"] == "audio":',
          '            print(event["seq"], len(base64.b64decode(event["audio"])), "bytes")',
          '        else:',
          '            print(event)',
        ),
      ),
      label: 'Python SSE',
    },
  ];
}

const THROW_UNLESS_OK = 'if (!response.ok) throw new Error(await response.text());';

/** Ends with a free line, so that it can follow imports of the sample. */
export const CLIENT_START = [
  "import { ApiClient } from 'nidaa/client';",
  '',
  `const client = new ApiClient({ baseUrl: '${BASE_URL}', token: '${API_KEY}' });`,
].join('\n');

const formPart = (part: string): string => `  -F ${shellWord(part)}`;

/** curl without a body; `flags` begin with a space. */
function curlStart({ path, accept }: Pick<HttpRequest, 'path' | 'accept'>, flags = ''): string {
  const wanted = accept === undefined ? [] : [`  -H 'Accept: ${accept}'`];
  return [
    `curl -sS --fail-with-body${flags} '${BASE_URL}${path}'`,
    `  -H 'Authorization: Bearer ${API_KEY}'`,
    ...wanted,
  ].join(' \\\n');
}

function curl(request: HttpRequest): string {
  if (request.body === undefined) return curlStart(request, request.method === 'POST' ? ' -X POST' : '');
  const data = [`  -H 'Content-Type: application/json'`, `  -d ${shellWord(JSON.stringify(request.body))}`];
  return [curlStart(request), ...data].join(' \\\n');
}

/** TypeScript up to a `response` that is good. */
function fetching({ method, path, body, accept }: HttpRequest): string {
  const headers = [
    ...[`Authorization: 'Bearer ${API_KEY}'`],
    ...(body === undefined ? [] : ["'Content-Type': 'application/json'"]),
    ...(accept === undefined ? [] : [`Accept: '${accept}'`]),
  ];
  return lines(
    `const response = await fetch('${BASE_URL}${path}', {`,
    method === 'POST' ? ["  method: 'POST',"] : [],
    `  headers: { ${headers.join(', ')} },`,
    body === undefined ? [] : [`  body: JSON.stringify(${jsLiteral(body)}),`],
    '});',
    THROW_UNLESS_OK,
  );
}

/** Python up to the block in which `response` is open. `data` is the source of the body. */
function opening({ method, path, body, accept }: HttpRequest, data = body && pythonLiteral(body)): string {
  const headers = [
    `"Authorization": "Bearer ${API_KEY}"`,
    ...(data === undefined ? [] : ['"Content-Type": "application/json"']),
    ...(accept === undefined ? [] : [`"Accept": "${accept}"`]),
  ];
  return lines(
    'request = urllib.request.Request(',
    `    "${BASE_URL}${path}",`,
    data === undefined ? [] : [`    data=json.dumps(${data}).encode(),`],
    `    headers={${headers.join(', ')}},`,
    data === undefined && method === 'POST' ? ['    method="POST",'] : [],
    ')',
    'with urllib.request.urlopen(request) as response:',
  );
}
