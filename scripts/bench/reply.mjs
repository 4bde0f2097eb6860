#!/usr/bin/env node
/**
 * How much of what callers say the scripted replies understand: labelled first sentences of both shipped agents, by round
 * and kind (right, asked back, not understood, wrong), slot values on labelled answers, and turns a second.
 *
 *   node scripts/bench/reply.mjs [round] [--misses]        needs `npm run build`
 */
import { readFileSync } from 'node:fs';
import { takeTurn } from '../../dist/engines/reply/dialogue.js';
import { initialState } from '../../dist/engines/reply/dialogue-state.js';
import { readSlots } from '../../dist/language/values/slot-filling.js';
import { wordsOf } from '../../dist/language/words.js';
import { shippedAgent } from './shipped-agent.mjs';

const onlyRound = process.argv.slice(2).find((arg) => /^\d+$/.test(arg));
const showMisses = process.argv.includes('--misses');
const FIXTURES = new URL('../../test/engines/reply/fixtures/', import.meta.url);
const TODAY = { year: 2026, month: 11, day: 20 }; // a Friday
const SETTING = { today: TODAY, mode: 'voice', variables: {}, trusted: true };
const VERDICTS = ['right', 'asked back', 'not understood', 'wrong'];

const rowsOf = (file) =>
  readFileSync(new URL(file, FIXTURES), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
const wanted = (round) => onlyRound === undefined || round === onlyRound;

/** Counts verdicts by group and prints them as a table. */
class Tally {
  #groups = new Map();
  add(group, verdict) {
    const counts = this.#groups.get(group) ?? new Map();
    this.#groups.set(group, counts.set(verdict, (counts.get(verdict) ?? 0) + 1));
  }
  print() {
    for (const [group, counts] of this.#groups) {
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const shares = VERDICTS.filter((verdict) => counts.has(verdict)).map(
        (verdict) => `${verdict} ${counts.get(verdict)} (${((100 * counts.get(verdict)) / all).toFixed(1)} %)`,
      );
      console.log(`  ${group.padEnd(18)} ${String(all).padStart(4)}: ${shares.join(', ')}`);
    }
  }
}

function utterances(file) {
  const agent = shippedAgent(file);
  const rows = rowsOf(`utterances-${file}.tsv`);
  const items = agent.definition.knowledge ?? [];
  const idOf = new Map(
    rows
      .filter(([key]) => key.startsWith('@'))
      .map(([key, question]) => {
        const index = items.findIndex((item) =>
          [...(item.question.ar ?? []), ...(item.question.en ?? [])].includes(question),
        );
        if (index < 0) throw new Error(`no knowledge item is asked for by "${question}"`);
        return [key.slice(1), `knowledge:${index}`];
      }),
  );
  const ids = (meaning) =>
    meaning
      .split('|')
      .map((one) =>
        one === 'none'
          ? one
          : one.startsWith('?')
            ? idOf.get(one.slice(1))
            : agent.meaning(`intent:${one}`)
              ? `intent:${one}`
              : `stock:${one}`,
      );
  const rounds = new Tally();
  const kinds = new Tally();
  const texts = rows.filter(([key]) => !key.startsWith('@')).filter(([round]) => wanted(round));
  for (const [round, kind, meaning, text] of texts) {
    const allowed = ids(meaning);
    if (allowed.some((id) => id !== 'none' && !agent.meaning(id))) throw new Error(`${file}: no meaning ${meaning}`);
    const { state, meant } = takeTurn(agent, initialState(agent.language), text, SETTING);
    const verdict = verdictOf(allowed, meant, state.pending);
    rounds.add(`round ${round}`, verdict);
    rounds.add(`  ${kind === 'none' ? 'of it out of scope' : 'of it in scope'}`, verdict);
    kinds.add(kind, verdict);
    if (showMisses && verdict !== 'right') {
      const near = agent.guess(wordsOf(text).map((word) => word.text)).slice(0, 3);
      console.log(
        `${verdict.toUpperCase()} «${text}» ${meaning}; did ${meant.join() || state.pending.options?.join('/') || '-'}; ` +
          `near ${near.map(({ id, score }) => `${id} ${score.toFixed(2)}`).join(', ')}`,
      );
    }
  }
  console.log(`${file}: ${texts.length} first sentences`);
  rounds.print();
  kinds.print();
  return { agent, texts: texts.map((row) => row[3]) };
}

function verdictOf(allowed, meant, pending) {
  if (pending.kind === 'choose') return 'asked back';
  if (allowed.includes('none')) return meant.length === 0 ? 'right' : 'wrong';
  if (meant.length === 0) return 'not understood';
  return meant.every((id) => allowed.includes(id)) ? 'right' : 'wrong';
}

function speedOf({ agent, texts }) {
  const run = () => {
    for (const text of texts) takeTurn(agent, initialState(agent.language), text, SETTING);
  };
  for (let round = 0; round < 5; round += 1) run();
  const before = process.cpuUsage();
  const rounds = 20;
  for (let round = 0; round < rounds; round += 1) run();
  const { user, system } = process.cpuUsage(before);
  return Math.round((rounds * texts.length * 1e6) / (user + system));
}

/** `type[/asked]` of a slot, the value it must give ('-' for none), and the answer. */
function slots(language) {
  const rounds = new Tally();
  const kinds = new Tally();
  const rows = rowsOf(`slots-${language}.tsv`).filter(([round]) => wanted(round));
  for (const [round, type, expected, text] of rows) {
    const [kind, bounds] = type.split(':');
    const digits = bounds ? { minDigits: Number(bounds), maxDigits: Number(bounds) } : {};
    const slot = { name: 'slot', type: kind, prompts: {}, ...digits };
    const value = readSlots(wordsOf(text), [slot], TODAY, 'slot').values.slot?.value ?? '-';
    const verdict = value === expected ? 'right' : value === '-' ? 'not understood' : 'wrong';
    rounds.add(`round ${round}`, verdict);
    kinds.add(kind, verdict);
    if (showMisses && verdict !== 'right')
      console.log(`${verdict.toUpperCase()} ${kind} «${text}» ${expected}, read ${value}`);
  }
  console.log(`slots ${language}: ${rows.length} answers`);
  rounds.print();
  kinds.print();
}

for (const file of ['delivery-en', 'clinic-ar']) {
  const done = utterances(file);
  if (done.texts.length > 0) console.log(`  ${speedOf(done)} turns a second of CPU`);
}
for (const language of ['en', 'ar']) slots(language);
