/** The public API over a real database and the embedded engines, for the bench. Limits are out of the way. */
import { join } from 'node:path';
import Fastify from 'fastify';

const dist = (path) => import(new URL(`../../dist/${path}.js`, import.meta.url));

export async function open(folder) {
  const [{ buildApp }, { loadConfig }, { loadVoices }, { loadPrices }, { openPublicApi }] = await Promise.all(
    ['api/app', 'config/load', 'config/voices', 'config/prices', 'compose/public-api'].map(dist),
  );
  const [{ Store }, { Billing }, { EngineSet }, { createMetrics }, { silentLogger: logger }, { systemClock: clock }] =
    await Promise.all(
      ['store/store', 'billing/billing', 'engines/engine-set', 'core/metrics', 'core/logger', 'core/clock'].map(dist),
    );
  const { loadAgents } = await dist('config/agents');
  const config = {
    ...loadConfig({ env: { NIDAA_DATA_DIR: folder } }),
    api: { requestsPerMinute: 1e9, requestBurst: 1e9, requestsInFlightPerAccount: 1e6, corsOrigins: [] },
  };
  const metrics = createMetrics();
  const voices = loadVoices(config.paths.voicesFile);
  const prices = loadPrices(config.paths.pricesFile);
  const store = await Store.open({ dataFolder: folder, logger });
  const billing = await Billing.open({ store, dataFolder: folder, logger, metrics, prices });
  const engines = await EngineSet.open(config.engines, { clock, logger, metrics, cacheDir: join(folder, 'cache') });
  const account = await store.accounts.create('bench');
  await billing.ledger.topup('bench', account.id, 100_000_000);
  const { secret: token } = await store.tokens.create(account.id, 'bench');
  const [definition] = loadAgents(config.paths.agentsDir, voices)
    .map((file) => file.definition)
    .filter((agent) => agent.language.startsWith('en'));
  const agent = await store.agents.create(account.id, definition, 'live');
  const { rememberedSpeech } = await dist('compose/remembered-speech');
  const tts = await rememberedSpeech(engines.tts, { dataDir: folder, clock, logger });
  const api = await openPublicApi({ config, store, billing, engines, tts, voices, prices, clock, logger });
  const app = buildApp({ logger, metrics, version: 'bench', readiness: async () => ({}), service: api.service });
  await app.listen({ port: 0, host: '127.0.0.1' });

  const plain = Fastify();
  const text = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } };
  plain.post('/', { schema: { body: text, response: { 200: text } } }, async (request) => ({
    text: request.body.text,
  }));
  await plain.listen({ port: 0, host: '127.0.0.1' });
  return {
    ...{ app, token, agentId: agent.id, bare: plain.server.address().port },
    close: async () => {
      await Promise.all([app.close(), plain.close()]);
      for (const part of [api, engines, billing, store]) await part.close();
    },
  };
}
