import { channel } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { ensureDemo } from './billing/demo.ts';
import { collectSooner } from './compose/freed-memory.ts';
import { logTarget, logWishOf } from './compose/log-target.ts';
import { type Gateway, startGateway } from './compose.ts';
import { loadAgentTests } from './config/agent-tests.ts';
import { type AgentFile, loadAgents } from './config/agents.ts';
import { type Config, loadConfig, processEnvironment } from './config/load.ts';
import { loadTrunks } from './config/trunks.ts';
import type { AgentDefinition } from './core/agent.ts';
import { systemClock } from './core/clock.ts';
import { ErrorRing } from './core/error-ring.ts';
import { errorText, OperatorError } from './core/errors.ts';
import { createLogger, type Logger } from './core/logger.ts';
import { nativeMemory } from './core/native-memory.ts';
import { createScriptChecker } from './engines/text/coverage/script-report.ts';
import { firstLink } from './manage/first-link.ts';
import type { Store } from './store/store.ts';
import { importTrunks } from './trunks/import-trunks.ts';
import { callersText } from './trunks/strangers.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Imports agents and numbers that are new, opens the gateway, and tells on standard output what can be dialled. */
async function introduce(gateway: Gateway, config: Config, logger: Logger): Promise<void> {
  const files = loadAgents(config.paths.agentsDir, gateway.voices);
  gateway.offerAgents(files.map((file) => file.definition));
  const demo = await ensureDemo(gateway.store, {
    accountName: config.account.name,
    creditCents: config.account.creditCents,
    agents: files.map((file) => file.definition),
    textOf: (definition) => files.find((file) => file.definition === definition)?.text(),
    numbers: Object.fromEntries(files.map((file) => [file.number, file.definition.name])),
  });
  reportPronunciation(
    files.map((file) => file.definition).filter(({ name }) => demo.importedAgents.includes(name)),
    config,
    logger,
  );
  await importTests(gateway.store, demo.accountId, files, logger);
  const trunks = loadTrunks(config.paths.trunksDir, processEnvironment());
  const imported = await importTrunks(gateway.store, trunks, config.sip.realm);
  if (imported.length > 0) {
    await gateway.refreshTrunks();
    logger.info({ trunks: imported.length }, 'trunks imported');
  }
  await gateway.open();
  const { sipAddress, apiAddress, notes } = gateway;
  const numbers = await gateway.store.numbers.list();
  const lines = numbers.map(({ number, agentName }) => `  sip:${number}@${sipAddress}   ${agentName}`);
  const token = demo.tokenSecret ?? 'shown-at-first-start';
  const note = demo.tokenSecret
    ? 'The token is shown this once; only its hash is kept.'
    : 'The token was shown at the first start. For another one: ./scripts/nidaa token create';
  const link = await firstLink(gateway.store, demo.accountId, apiAddress);
  const consoleLine = link
    ? `\nOpen the console, and set your password there within a day: ${link}\n`
    : `\nThe console: ${apiAddress}/console/\n`;
  const first = numbers.find(({ number }) => number === '1000')?.number ?? numbers[0]?.number ?? '1000';
  process.stdout.write(
    `\nNidaa ${version} is ready. Dial:\n${lines.join('\n')}\n` +
      `\nWho may call: ${callersText(config.sip)}.\n` +
      `${notes.map((line) => `\n${line}`).join('')}\n${note}\n${consoleLine}Stop with Ctrl+C: live calls may end first.\n\n` +
      `READY sip=sip:${first}@${sipAddress} api=${apiAddress} token=${token}\n`,
  );
}

/** The tests beside agent files, for agents that have none yet. What is wrong with them keeps nobody from calling. */
async function importTests(
  store: Store,
  accountId: string,
  files: readonly AgentFile[],
  logger: Logger,
): Promise<void> {
  for (const file of files) {
    try {
      const agent = await store.agents.getByName(accountId, file.definition.name);
      // Asked first: to read and check a file takes longer than all else that a start does for its agent.
      if (!agent || (await store.agentTests.get(accountId, agent.id))) continue;
      const yaml = loadAgentTests(file)?.text;
      if (yaml !== undefined) await store.agentTests.putMissing(accountId, agent.id, yaml);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      logger.warn({ file: file.path, error: error.message }, 'tests of an agent cannot be used');
    }
  }
}

/** One line for all agents that are new: how much of what they say a voice will pronounce as meant. Counts only. */
function reportPronunciation(imported: readonly AgentDefinition[], config: Config, logger: Logger): void {
  if (imported.length === 0) return;
  const check = createScriptChecker(config.text);
  const reports = imported.map((agent) => check(agent));
  const sum = (of: 'sentences' | 'token_count' | 'flagged_count'): number =>
    reports.reduce((all, one) => all + one[of], 0);
  const counts = {
    agents: imported.length,
    sentences: sum('sentences'),
    words: sum('token_count'),
    flagged: sum('flagged_count'),
  };
  if (counts.flagged === 0) logger.info(counts, 'pronunciation of the imported agents checked');
  else logger.warn(counts, 'imported agents have words a voice may mispronounce: `nidaa agents validate` lists them');
}

/** Ctrl+C under npm arrives twice: from the terminal, and handed on by npm. */
const SAME_WISH_MS = 1_000;

/**
 * The first signal lets live calls end, a second wish ends them now, a third ends the process.
 *
 * @returns whether there was one: the process ends then when all is closed, and not before.
 */
function closeOnSignal(starting: Promise<Gateway>, logger: Logger): () => boolean {
  let wishes = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  const onSignal = (signal: NodeJS.Signals): void => {
    const nowMs = systemClock.nowMs();
    if (nowMs - lastMs < SAME_WISH_MS) return;
    lastMs = nowMs;
    wishes += 1;
    if (wishes > 2) process.exit(1);
    if (wishes === 2) return void starting.then((gateway) => gateway.hurry());
    logger.info({ signal }, 'draining');
    const closed = starting.then((gateway) => gateway.close());
    void closed.then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ error: errorText(error) }, 'closing failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return () => wishes > 0;
}

async function main(): Promise<void> {
  nativeMemory()?.setLargeBlocksApart();
  const config = loadConfig({ env: processEnvironment() });
  const { stderr: terminal } = process;
  const { stream, file } = logTarget({
    ...{ wish: logWishOf(process.argv.slice(2)), dataDir: config.dataDir },
    terminal: { isTTY: terminal.isTTY === true, write: (text) => void terminal.write(text) },
  });
  const errors = new ErrorRing();
  let node: string | undefined;
  const logger = createLogger({ ...config.log, node: () => node }, errors.tap(stream));
  if (file !== undefined) terminal.write(`Nidaa ${version} is starting. Its log: ${file}\n`);
  for (const warning of config.warnings) logger.warn({ warning }, 'configuration');
  process.on('unhandledRejection', (error) => {
    logger.error({ error: errorText(error), stack: (error as Error)?.stack }, 'a promise was left alone');
  });
  const starting = startGateway(config, logger, version, errors, (name) => {
    node = name;
  });
  const isEnding = closeOnSignal(starting, logger);
  const gateway = await starting;
  try {
    await introduce(gateway, config, logger);
    await gateway.compileAgents();
    channel('nidaa.loaded').publish({}); // `scripts/run.mjs` keeps what V8 has made of it, while nobody calls yet.
    collectSooner();
    await gateway.prepareAgents();
  } catch (error) {
    if (!isEnding()) throw error; // else it was closed under its feet
    logger.info({ error: errorText(error) }, 'ended while it started');
  }
}

main().catch((error: unknown) => {
  const text = error instanceof OperatorError ? error.message : ((error as Error)?.stack ?? String(error));
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
