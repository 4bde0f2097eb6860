import type { Sample } from './operation.ts';

/** Code samples of the reference. `{base_url}` is replaced by the address the page was asked at. */
export const BASE_URL = '{base_url}';

/** The same JSON request in curl, TypeScript (with the client) and Python. */
export function jsonSamples(
  method: 'GET' | 'POST',
  path: string,
  body: unknown,
  clientMethod: string,
  firstArgument?: string,
): Sample[] {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const shell = [
    `curl -s ${method === 'POST' ? '-X POST ' : ''}'${BASE_URL}${path}' \\`,
    `  -H 'Authorization: Bearer <API_KEY>'${json === undefined ? '' : ' \\'}`,
    ...(json === undefined ? [] : [`  -H 'Content-Type: application/json' \\`, `  -d '${json}'`]),
  ].join('\n');
  const query = path.includes('?') ? `{ ${path.split('?')[1]!.replace('=', ": '")}' }` : undefined;
  const argumentsText = [firstArgument, json ?? query].filter((text) => text !== undefined).join(', ');
  return [
    { lang: 'Shell', label: 'curl', source: shell },
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `const result = await client.${clientMethod}(${argumentsText});`,
    },
    { lang: 'Python', label: 'Python', source: python(method, path, json) },
  ];
}

function python(method: 'GET' | 'POST', path: string, json: string | undefined): string {
  return [
    'import requests',
    '',
    `r = requests.${method.toLowerCase()}(`,
    `    "${BASE_URL}${path}",`,
    '    headers={"Authorization": "Bearer <API_KEY>"},',
    ...(json === undefined ? [] : [`    json=${pythonLiteral(json)},`]),
    ')',
    'r.raise_for_status()',
    'print(r.json())',
  ].join('\n');
}

const pythonLiteral = (json: string): string =>
  json.replace(/:(true|false|null)/g, (_, word: string) => `:${{ true: 'True', false: 'False', null: 'None' }[word]}`);

/** A request with a file, as a form; `fields` come after it. */
export function uploadSamples(
  path: string,
  file: string,
  fields: Readonly<Record<string, string>>,
  clientMethod: string,
): Sample[] {
  const extra = Object.entries(fields);
  return [
    {
      lang: 'Shell',
      label: 'curl',
      source: [
        `curl -s '${BASE_URL}${path}' \\`,
        `  -H 'Authorization: Bearer <API_KEY>' \\`,
        ...[`file=@${file}`, ...extra.map(([name, value]) => `${name}=${value}`)].map(
          (part, index, all) => `  -F '${part}'${index === all.length - 1 ? '' : ' \\'}`,
        ),
      ].join('\n'),
    },
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `const file = new Blob([await readFile('${file}')]);\nconst result = await client.${clientMethod}({ file, ${extra.map(([name, value]) => `${name}: '${value}'`).join(', ')} });`,
    },
    {
      lang: 'Python',
      label: 'Python',
      source: [
        'import requests',
        '',
        `with open("${file}", "rb") as f:`,
        `    r = requests.post("${BASE_URL}${path}", headers={"Authorization": "Bearer <API_KEY>"},`,
        `                      files={"file": f}, data=${JSON.stringify(fields)})`,
        'r.raise_for_status()',
        'print(r.json())',
      ].join('\n'),
    },
  ];
}

/** A request whose answer is audio, written to a file. */
export function audioSamples(path: string, body: unknown, clientMethod: string, file: string): Sample[] {
  const [shell, , pythonSample] = jsonSamples('POST', path, body, clientMethod);
  return [
    { ...shell!, source: `${shell!.source} \\\n  -o ${file}` },
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: `const speech = await client.${clientMethod}(${JSON.stringify(body)});\nawait writeFile('${file}', Buffer.from(await speech.arrayBuffer()));`,
    },
    {
      ...pythonSample!,
      source: pythonSample!.source.replace('print(r.json())', `open("${file}", "wb").write(r.content)`),
    },
  ];
}
