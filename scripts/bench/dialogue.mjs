#!/usr/bin/env node
/**
 * What comes of conversations with the scripted replies: labelled first sentences, and whole conversations in which a
 * program plays a caller with a goal, who says the next line for whatever the agent asks.
 *
 *   node scripts/bench/dialogue.mjs AGENT [SET.jsonl...] [--misses] [--talk]        needs `npm run build`
 *   node scripts/bench/dialogue.mjs AGENT [SET.jsonl...] --spoken [--misses] [--talk]      by phone: machine voices, the embedded recogniser
 *   node scripts/bench/dialogue.mjs AGENT --twists [--seed=1] [--words=FILE] [--misses] [--talk[=PART]]     conversations made by combination
 *
 * `test/engines/reply/unseen/README.md` has the form of a set. Prints right, asked back, nothing and wrong of the first
 * sentences, and how many conversations reached their goal; `--misses` the sentences, `--talk` the failed conversations.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { takeTurn } from '../../dist/engines/reply/dialogue.js';
import { initialState } from '../../dist/engines/reply/dialogue-state.js';
import { PhoneLine } from './dialogue/by-phone.mjs';
import { kindOf, SimulatedCaller } from './dialogue/simulated-caller.mjs';
import { twistedRows } from './dialogue/twists.mjs';
import { labelIn, lostOf, verdictOf } from './dialogue/verdicts.mjs';
import { SUNDAY_AT_TEN, shippedAgent } from './shipped-agent.mjs';

const args = process.argv.slice(2);
const [agentName, ...given] = args.filter((arg) => !arg.startsWith('--'));
if (!agentName) {
  console.error('usage: dialogue.mjs AGENT [SET.jsonl...] [--misses] [--talk]');
  process.exit(2);
}
const UNSEEN = new URL('../../test/engines/reply/unseen/', import.meta.url);
const kept = () =>
  readdirSync(UNSEEN)
    .filter((name) => name.startsWith(agentName))
    .map((name) => new URL(name, UNSEEN));
const files = given.length > 0 ? given : kept();
const showMisses = args.includes('--misses');
const optionOf = (name) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
const talkOf = optionOf('talk');
const showTalk = args.includes('--talk') || talkOf !== undefined;

const agent = shippedAgent(agentName);
const start = () => initialState(agent.language);
const label = labelIn(agent);
const turn = (state, text, trusted = true) => takeTurn(agent, state, text, { ...SUNDAY_AT_TEN, trusted });

/** Every twist at every question: how many reached their goal, by twist, and by question where one failed. */
function playTwists() {
  const own = new URL(`../../test/engines/reply/twists/${agentName}.yaml`, import.meta.url);
  const data = parse(readFileSync(own, 'utf8'));
  const words = optionOf('words');
  const { twists, ...lists } = words ? parse(readFileSync(words, 'utf8')) : {};
  Object.assign(data, lists, { twists: { ...data.twists, ...twists }, shut: { ...data.shut, ...lists.shut } });
  const classes = new Map();
  const kinds = new Map();
  let reached = 0;
  const made = twistedRows(data, Number(optionOf('seed') ?? 1));
  for (const row of made) {
    const result = new SimulatedCaller(row).talk(start(), turn, label);
    for (const key of [row.twist, `  ${row.twist} @ ${row.slot} of ${row.base}`]) {
      const one = classes.get(key) ?? { all: 0, ok: 0 };
      classes.set(key, { all: one.all + 1, ok: one.ok + Number(result.ok) });
    }
    if (result.ok) {
      reached += 1;
      continue;
    }
    const kind = kindOf(result.why);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (showMisses) {
      const at = result.talk.indexOf(`  C: ${row.said}`);
      console.log(`${row.id} [${kind}]\n${result.talk.slice(Math.max(0, at), at + 5).join('\n')}`);
    }
    if (showTalk && `${kind} ${row.id}`.includes(talkOf ?? ''))
      console.log(`\n${row.id}\n${result.talk.join('\n')}\n  FAILED (${kind}): ${result.why}`);
  }
  const table = [...classes].filter(([key, { ok, all }]) => !key.startsWith(' ') || ok < all);
  table.sort(([a], [b]) => (a.trim() < b.trim() ? -1 : 1));
  for (const [key, { ok, all }] of table) console.log(`${String(ok).padStart(4)} of ${String(all).padEnd(4)} ${key}`);
  console.log(
    [...kinds]
      .sort((a, b) => b[1] - a[1])
      .map(([kind, times]) => `${kind} ${times}`)
      .join(', '),
  );
  console.log(
    `twisted conversations ${made.length}: goal reached ${reached} (${((100 * reached) / made.length).toFixed(1)} %)`,
  );
}
if (args.includes('--twists')) {
  playTwists();
  process.exit(0);
}

const counts = new Map();
const count = (key) => counts.set(key, (counts.get(key) ?? 0) + 1);
const share = (key, all) => `${key} ${counts.get(key) ?? 0} (${((100 * (counts.get(key) ?? 0)) / all).toFixed(1)} %)`;
const rows = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ file, ...JSON.parse(line) })),
);

const phone = args.includes('--spoken') ? new PhoneLine(agent) : undefined;
/** Told to the agent as it is written, or by phone. @returns its turn, and what it heard. */
async function tell(state, text) {
  if (!phone) return { outcome: turn(state, text), heard: '' };
  const { text: words, confidence, trusted } = await phone.hear(state, text);
  return { outcome: turn(state, words, trusted), heard: ` <${words} ${confidence.toFixed(2)}>` };
}

const firsts = rows.filter(({ kind }) => kind === 'first');
for (const row of firsts) {
  phone?.nextVoice();
  const { outcome, heard } = await tell(start(), row.text);
  const verdict = verdictOf(row, outcome);
  count(verdict);
  const lost = verdict === 'right' ? lostOf(row, outcome) : [];
  if (lost.length > 0) count('value lost');
  if (showMisses && (verdict !== 'right' || lost.length > 0)) {
    const spoken = outcome.lines.map(({ text }) => text).join(' ');
    console.log(
      `${verdict} [${row.right}] ${row.text}${heard}\n    -> ${outcome.meant.join(' ')} "${spoken}"${lost.length ? ` LOST ${JSON.stringify(lost)}` : ''}`,
    );
    if (outcome.trace) console.log(`    ${outcome.trace.map((step) => step.rule ?? step).join(' | ')}`);
  }
}
const VERDICTS = ['right', 'asked back', 'asked wrongly', 'nothing', 'wrong', 'value lost'];
if (firsts.length > 0)
  console.log(`first sentences ${firsts.length}: ${VERDICTS.map((key) => share(key, firsts.length)).join(', ')}`);

async function converse(row) {
  const lines = new SimulatedCaller(row).lines(start(), label);
  const asHeard = [];
  let line = lines.next();
  while (!line.done) {
    const { outcome, heard } = await tell(line.value.state, line.value.text);
    if (heard) asHeard.push(`  H:${heard}`);
    line = lines.next(outcome);
  }
  return { ...line.value, talk: [...line.value.talk, ...asHeard] };
}

const dialogues = rows.filter(({ kind }) => kind === 'dialogue');
let reached = 0;
for (const row of dialogues) {
  phone?.nextVoice();
  const result = await converse(row);
  if (result.ok) reached += 1;
  else if (showTalk) console.log(`\n${row.id} ${row.what}\n${result.talk.join('\n')}\n  FAILED: ${result.why}`);
  else if (showMisses) console.log(`failed ${row.id}: ${result.why} (${row.what})`);
}
if (dialogues.length > 0)
  console.log(
    `conversations ${dialogues.length}: goal reached ${reached} (${((100 * reached) / dialogues.length).toFixed(0)} %)`,
  );
await phone?.close();
