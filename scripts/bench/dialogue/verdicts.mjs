/** What came of a labelled sentence, and what callers call what an agent offers. */
import { labelOf } from '../../../dist/engines/reply/compiled-agent.js';
import { sameValue } from './simulated-caller.mjs';

const PLAIN = {
  en: { yes: 'yes', no: 'no', bye: 'no thank you bye' },
  ar: { yes: 'ايه', no: 'لا', bye: 'لا شكرا مع السلامة' },
};

/** How a caller says an option, a yes, a no and a goodbye. */
export const labelIn = (agent) => (id) => PLAIN[agent.language][id] ?? labelOf(agent.meaning(id), agent.language);

/** What the agent took the sentence for: the names of wishes, or `question`, `human`, `complaint`, `none`, `other`. */
function readingsOf(outcome) {
  const { meant, state, action } = outcome;
  const wishes = meant.flatMap((id) => {
    if (id.startsWith('knowledge:')) return ['question'];
    if (id === 'stock:human' || id === 'intent:human') return ['human'];
    if (id.startsWith('intent:')) return [id.slice('intent:'.length)];
    if (id.startsWith('trouble:')) return [id === 'trouble:emergency' ? 'emergency' : 'complaint'];
    if (id.startsWith('stock:')) return ['none'];
    return [];
  });
  if (wishes.length > 0) return wishes;
  if (action?.type === 'transfer') return ['human'];
  if (state.pending.kind === 'choose') return ['asked'];
  return ['nothing'];
}

export function verdictOf(row, outcome) {
  const readings = readingsOf(outcome);
  const accepted = new Set([...row.right, ...(row.then ?? [])]);
  if (row.right.includes('complaint') || row.right.includes('emergency')) accepted.add('human');
  if (row.right.includes('emergency')) accepted.add('question');
  if (readings.some((reading) => (row.forbid ?? []).includes(reading))) return 'wrong';
  if (readings[0] === 'asked') {
    const options = outcome.state.pending.options.map((id) =>
      id.replace(/^intent:/, '').replace(/^knowledge:.*/, 'question'),
    );
    return options.some((option) => accepted.has(option)) ? 'asked back' : 'asked wrongly';
  }
  if (readings[0] === 'nothing') return accepted.has('none') || accepted.has('other') ? 'right' : 'nothing';
  if (readings.every((reading) => reading === 'none')) return accepted.has('none') ? 'right' : 'nothing';
  return readings.some((reading) => accepted.has(reading)) &&
    readings.every((one) => accepted.has(one) || one === 'none')
    ? 'right'
    : 'wrong';
}

/** Values that were given and are not there. A flow that ended at once has used its own. */
export function lostOf(row, outcome) {
  const held = { ...outcome.state.memory, ...outcome.state.slots, ...outcome.state.kept };
  for (const { slots } of outcome.done ?? []) Object.assign(held, slots);
  return Object.entries(row.slots ?? {}).filter(([name, wanted]) => {
    const slot = held[name] ?? (name === 'name' ? held.patient : undefined);
    const value = slot?.value ?? slot;
    return value === undefined || !sameValue(name, value, wanted);
  });
}
