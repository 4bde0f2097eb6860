/** What the samples are taken from: the published documents. */

/** Names of the sockets, which are no operations of the first document. */
const SOCKETS = { transcribe: 'transcribeLive', talk: 'talk' };
const LANGUAGES = { Shell: 'shell', TypeScript: 'typescript', Python: 'python' };

async function read(url, path) {
  const response = await fetch(url + path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response;
}

/** @returns {Promise<{ operation: string, label: string, language: string, source: string }[]>} in the order of the documents. */
export async function publishedSamples(url) {
  const openapi = await (await read(url, '/openapi.json')).json();
  const asyncapi = await (await read(url, '/asyncapi.json')).json();
  const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods));
  const sockets = Object.entries(asyncapi.channels).map(([name, channel]) => ({
    operationId: SOCKETS[name],
    ...channel,
  }));
  return [...operations, ...sockets].flatMap(({ operationId, 'x-codeSamples': samples }) =>
    samples.map(({ lang, label, source }) => ({ operation: operationId, label, language: LANGUAGES[lang], source })),
  );
}

/** A live agent of the account, one of `language` where there is one. */
export async function liveAgent(url, token, language) {
  const response = await fetch(`${url}/v1/agents`, { headers: { authorization: `Bearer ${token}` } });
  const body = await response.json();
  if (!response.ok) throw new Error(`the agents were refused: ${body.error?.message}`);
  const live = body.agents.filter(({ status }) => status === 'live');
  const agent = live.find(({ language: own }) => own.startsWith(language)) ?? live[0];
  if (!agent) throw new Error('the account has no live agent');
  return agent.id;
}
