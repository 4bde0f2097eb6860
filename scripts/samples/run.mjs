import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { liveAgent, publishedSamples } from './documents.mjs';
import { gatewayFor } from './gateway.mjs';
import { compile, furnish } from './sample-folder.mjs';

/**
 * Runs every sample of the reference as it is published, with a token and an agent filled in, and prints a line for each:
 * state, operation, tab, milliseconds, beginning of the answer. Exit code 1 when one failed.
 */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SAMPLE_MS_MAX = 60_000;
const OUTPUT_CHARS_MAX = 200_000;
const SHOWN_CHARS = 90;
/** Samples that run at once: each mostly waits for its program to load, or for an answer. */
const AT_ONCE = 2;

/** How a program of each language is kept and run, and the command it needs. */
const LANGUAGES = {
  shell: { needs: 'curl', file: 'sh', command: (file) => ['bash', ['-euo', 'pipefail', file]] },
  typescript: { needs: 'node', file: 'ts', command: (_file, script) => [process.execPath, [script]] },
  python: { needs: 'python3', file: 'py', command: (file) => ['python3', [file]] },
};
/** How the audio a sample writes must begin. */
const MAGIC = { wav: /^RIFF/, mp3: /^(?:ID3|\xff[\xe2-\xff])/ };

/** Aborted by a signal: the sample that runs is ended, and nothing more is begun. */
const over = new AbortController();
/** A sample is a shell with programs of its own: all of them end. */
function stop(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

const found = new Map();
function isThere(command) {
  if (!found.has(command)) found.set(command, spawnSync('bash', ['-c', `command -v ${command}`]).status === 0);
  return found.get(command);
}

function runProgram([command, args], folder) {
  return new Promise((resolve) => {
    const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const onOver = () => stop(child);
    over.signal.addEventListener('abort', onOver, { once: true });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        output[name] = (output[name] + text).slice(0, OUTPUT_CHARS_MAX);
      });
    }
    const timer = setTimeout(() => stop(child), SAMPLE_MS_MAX);
    child.once('error', (error) => resolve({ ...output, why: error.message }));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      over.signal.removeEventListener('abort', onOver);
      resolve({ ...output, why: code === 0 ? undefined : `ended with ${signal ?? code}` });
    });
  });
}

/** The file a sample says it writes. */
const writtenBy = ({ source }) => /\bspeech\.(?:mp3|wav)\b/.exec(source)?.[0];

/** @returns what the sample answered, or what is wrong with it. */
function judge(sample, { stdout, stderr, why }, folder) {
  if (why) return { why: `${why}: ${stderr.trim() || stdout.trim()}` };
  const name = writtenBy(sample);
  if (!name) return stdout.trim() === '' ? { why: 'it answered nothing' } : { answer: stdout };
  if (!existsSync(join(folder, name))) return { why: `${name} was not written` };
  const bytes = readFileSync(join(folder, name));
  if (!MAGIC[name.split('.')[1]].test(bytes.toString('latin1', 0, 4))) return { why: `${name} is no such file` };
  return { answer: `${name}, ${bytes.length} bytes; ${stdout}` };
}

async function runSample({ sample, file, script, problem }, folder) {
  const language = LANGUAGES[sample.language];
  if (!isThere(language.needs)) return { state: 'skipped', text: `${language.needs} is not installed` };
  if (problem) return { state: 'FAILED', text: problem };
  const written = writtenBy(sample);
  if (written) rmSync(join(folder, written), { force: true });
  const from = performance.now();
  const result = await runProgram(language.command(file, script), folder);
  const ms = Math.round(performance.now() - from);
  const { why, answer } = judge(sample, result, folder);
  return why === undefined ? { state: 'ok', ms, text: answer } : { state: 'FAILED', ms, text: why };
}

/** What no two samples may have at once: the file that they write, or the one recogniser, which has little time for each. */
const heldBy = (sample) => writtenBy(sample) ?? (/^transcribe/.test(sample.operation) ? 'the recogniser' : undefined);

/** @returns a result for each, in their order; undefined for those that were not begun. */
function runAtOnce(all, folder) {
  const lanes = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  const holders = new Map();
  return all.map((prepared, index) => {
    const held = heldBy(prepared.sample);
    const result = Promise.all([lanes[index % AT_ONCE], holders.get(held)]).then(() =>
      over.signal.aborted ? undefined : runSample(prepared, folder),
    );
    lanes[index % AT_ONCE] = result;
    if (held) holders.set(held, result);
    return result;
  });
}

/** Every sample as a file, TypeScript compiled. */
function prepare(samples, folder, fill) {
  const files = samples.map((sample, index) => {
    const file = `sample-${String(index + 1).padStart(2, '0')}.${LANGUAGES[sample.language].file}`;
    writeFileSync(join(folder, file), `${fill(sample)}\n`);
    return file;
  });
  const { problems, scriptOf } = compile(
    folder,
    ROOT,
    files.filter((file) => file.endsWith('.ts')),
  );
  return samples.map((sample, index) => {
    const file = files[index];
    return { sample, file, script: scriptOf(file), problem: problems.get(file) };
  });
}

function print({ operation, label }, { state, ms, text }) {
  const shown = text.replace(/\s+/g, ' ').trim();
  const long = state === 'ok' && shown.length > SHOWN_CHARS ? `${shown.slice(0, SHOWN_CHARS)}...` : shown;
  const time = ms === undefined ? '' : `${ms} ms`;
  console.log(`${state.padEnd(8)}${operation.padEnd(23)}${label.padEnd(16)}${time.padStart(8)}  ${long}`);
}

async function runAll(gateway, folder, wanted) {
  const all = await publishedSamples(gateway.url);
  const samples = all.filter(
    ({ operation }) => wanted.length === 0 || wanted.some((word) => operation.toLowerCase().includes(word)),
  );
  if (samples.length === 0) throw new Error(`no operation is called ${wanted.join(' or ')}`);
  await furnish(folder, ROOT, gateway);
  const arabic = await liveAgent(gateway.url, gateway.token, 'ar'); // as the samples are
  const english = await liveAgent(gateway.url, gateway.token, 'en'); // which can be spoken to
  const agentOf = ({ operation }) => (operation === 'talk' ? english : arabic);
  const fill = (sample) =>
    sample.source.replaceAll('<API_KEY>', gateway.token).replaceAll('<AGENT_ID>', agentOf(sample));
  const counts = { ok: 0, FAILED: 0, skipped: 0 };
  const made = prepare(samples, folder, fill);
  for (const [index, running] of runAtOnce(made, folder).entries()) {
    const result = await running;
    if (over.signal.aborted) return false;
    counts[result.state] += 1;
    print(made[index].sample, result);
  }
  console.log(`samples: ${counts.ok} ok, ${counts.FAILED} failed, ${counts.skipped} skipped (${gateway.url})`);
  return counts.FAILED === 0;
}

async function main(args) {
  const isKept = args.includes('--keep');
  const wanted = args.filter((word) => !word.startsWith('-')).map((word) => word.toLowerCase());
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nidaa-examples-')));
  const dataDir = mkdtempSync(join(tmpdir(), 'nidaa-examples-data-'));
  let gateway;
  const cleanUp = async () => {
    await gateway?.close();
    rmSync(dataDir, { recursive: true, force: true });
    if (isKept) console.log(`files: ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  };
  let endedBy;
  const onSignal = (signal) => {
    endedBy ??= signal;
    over.abort();
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    gateway = await gatewayFor(ROOT, dataDir, over.signal);
    if (!(await runAll(gateway, folder, wanted))) process.exitCode = 1;
  } catch (error) {
    if (!endedBy) console.error(`error: ${error.message}`);
    process.exitCode = 1;
  } finally {
    await cleanUp();
    if (endedBy) process.exitCode = endedBy === 'SIGINT' ? 130 : 143;
  }
}

await main(process.argv.slice(2));
