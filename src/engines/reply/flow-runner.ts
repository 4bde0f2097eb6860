import { type AgentAction, type FlowDefinition, personOf, type SlotDefinition } from '../../core/agent.ts';
import { MORE } from '../../language/phrases/cues.ts';
import { kinIn } from '../../language/phrases/kin.ts';
import { firstPhraseJoined, phraseTable } from '../../language/phrases/phrases-in.ts';
import type { SlotValue } from '../../language/values/slot.ts';
import { readSlots } from '../../language/values/slot-filling.ts';
import { asSaid, type Word, wordsOf } from '../../language/words.ts';
import { asBefore } from './as-before.ts';
import { questionOf } from './questions.ts';
import { callsFromOwn, findRow, namesOwner, type Row } from './record-owner.ts';
import { settle } from './second-fact.ts';
import { withoutReason, withoutStanding } from './standing-values.ts';
import type { TurnDraft } from './turn-draft.ts';
import { admitted, clearSlot, dropPastHours, identifies } from './values.ts';

/** Identifiers are worth remembering for the next flow; dates and choices belong to the one they were given for. */
const REMEMBERED = new Set(['digits', 'phone', 'name']);
const MAX_LOOKUP_FAILURES = 2;

/** Whether a flow is about a record that there is. */
export function looksUp({ actions }: FlowDefinition): boolean {
  return actions.some(({ type }) => type === 'lookup');
}

/** Begins a flow with what the caller already said, and asks for the rest. */
export function startFlow(draft: TurnDraft, flow: FlowDefinition, words: readonly Word[]): void {
  if (draft.state.flow !== undefined && draft.state.flow !== flow.name) leaveFlow(draft);
  const { state } = draft;
  const again = state.flow === flow.name;
  const kept: Record<string, SlotValue> = again ? { ...state.slots } : {};
  const isForOthers = kinIn(words).length > 0;
  if (!again && (state.lastFlow !== flow.name || pointsAtLast(flow, words))) {
    for (const slot of flow.slots) {
      const value = isForOthers && slot.type === 'name' ? undefined : state.memory[slot.name];
      if (value && REMEMBERED.has(slot.type) && !draft.agent.owned.has(slot) && !ownerOf(draft, flow, slot))
        kept[slot.name] = value;
    }
  }
  const { today } = draft.setting;
  const wished = withoutReason(words, flow.slots, today);
  const said = looksUp(flow) ? withoutStanding(wished, flow.slots, today) : wished;
  const named = { ...asBefore(draft, said, flow.slots), ...readSlots(said, flow.slots, today).values };
  const values = admitted(draft, flow.slots, named);
  draft.set({
    flow: flow.name,
    begunBy: again ? state.begunBy : asSaid(words),
    slots: { ...kept, ...values },
    confirmed: again ? state.confirmed.filter((name) => values[name] === undefined) : [],
    failures: again ? state.failures : 0,
    kin: [...(again ? state.kin : []), ...kinIn(words)],
  });
  dropPastHours(draft);
  advance(draft);
}

/** `when exactly does it come`, asked of what was looked up just now. */
function pointsAtLast({ actions }: FlowDefinition, words: readonly Word[]): boolean {
  const onlyTells = actions.every(({ type }) => type === 'lookup' || type === 'say');
  return onlyTells && words.some(({ text }) => POINTS.has(text)) && !firstPhraseJoined(words, ANOTHER);
}
const POINTS = new Set(['it', 'that', 'they', 'them', 'he', 'هو', 'هي']);
const ANOTHER = phraseTable(MORE);

/** Asks for the next thing the flow needs: a slot, its confirmation, the read-back; or runs its actions. */
export function advance(draft: TurnDraft): void {
  const flow = draft.flow;
  if (!flow) {
    draft.wait({ kind: 'open' });
    return;
  }
  for (const slot of flow.slots) {
    if (draft.agent.owned.has(slot)) {
      if (isSettledSlot(draft, slot)) continue;
      return;
    }
    fillForOwner(draft, flow, slot);
    if (draft.state.slots[slot.name] === undefined && skippedOnKeys(draft, slot)) {
      draft.set({ slots: { ...draft.state.slots, [slot.name]: { value: '', say: { ar: '', en: '' } } } });
    }
    if (draft.state.slots[slot.name] === undefined) {
      draft.wait({ kind: 'slot', slot: slot.name });
      return questionOf(draft);
    }
    if (slot.confirm && !draft.state.confirmed.includes(slot.name) && draft.state.slots[slot.name]!.value !== '') {
      draft.wait({ kind: 'confirm-slot', slot: slot.name });
      return questionOf(draft);
    }
  }
  if (flow.confirm) {
    draft.wait({ kind: 'confirm-flow' });
    return questionOf(draft);
  }
  completeFlow(draft, flow);
}

/** Whose number is remembered, where the flow asks for a name of its own: it is nobody else's. */
function ownerOf(draft: TurnDraft, flow: FlowDefinition, slot: SlotDefinition): string | undefined {
  if (!identifies(slot)) return undefined;
  if (!flow.slots.some((one) => one.type === 'name' && !draft.agent.owned.has(one))) return undefined;
  const columns = Object.values(draft.agent.definition.belongsTo ?? {}).map(({ column }) => column);
  return columns.map((column) => draft.state.memory[column]?.value).find((name) => name !== undefined);
}

/** A number that was said for somebody is taken again for the same person. */
function fillForOwner(draft: TurnDraft, flow: FlowDefinition, slot: SlotDefinition): void {
  const { slots, memory } = draft.state;
  const owner = ownerOf(draft, flow, slot);
  const value = memory[slot.name];
  if (owner === undefined || !value || slots[slot.name] !== undefined || draft.state.lastFlow === flow.name) return;
  const named = flow.slots.find((one) => one.type === 'name' && !draft.agent.owned.has(one));
  const name = named && slots[named.name]?.value;
  if (name !== undefined && namesOwner(owner, wordsOf(name))) draft.set({ slots: { ...slots, [slot.name]: value } });
}

function isSettledSlot(draft: TurnDraft, slot: SlotDefinition): boolean {
  const lookup = draft.agent.owned.get(slot);
  const verdict = lookup ? settle(draft, lookup) : 'settled';
  if (verdict === 'person') toOwnerOnly(draft);
  return verdict === 'settled';
}

/**
 * Whoever cannot show that a record is theirs is told so kindly, and that a person is there for who wants one; a person goes on
 * where they try once more, and where a name cannot be said.
 */
export function toOwnerOnly(draft: TurnDraft): void {
  const { mode } = draft.setting;
  const isAgain = draft.state.strange >= TOLD || mode === 'keypad' || personOf(draft.agent.definition) === undefined;
  draft.stock('onlyOwner');
  leaveFlow(draft); // nobody comes back to it
  if (isAgain) return transfer(draft, undefined);
  draft.set({ strange: TOLD, served: true });
  draft.stock('orPerson');
  draft.stock('anythingElse');
}
/** Beyond what is counted until it is told. */
const TOLD = 3;

/** A name or an address cannot be keyed: without a recogniser it stays empty rather than made up. */
function skippedOnKeys(draft: TurnDraft, slot: SlotDefinition): boolean {
  return draft.setting.mode === 'keypad' && (slot.type === 'name' || slot.type === 'text');
}

/** Runs the actions of a flow whose slots are all there and agreed. */
export function completeFlow(draft: TurnDraft, flow: FlowDefinition): void {
  if (flow.slots.some((slot) => !isSettledSlot(draft, slot))) return; // a read-back recognised in the history tells no owner
  const retry = runActions(draft, flow.actions, 0, flow);
  if (retry) {
    clearSlot(draft, retry.name);
    draft.set({ pending: { kind: 'slot', slot: retry.name }, attempts: 1 });
    if (!/[?؟]\s*$/.test(draft.lines.at(-1)?.text ?? '')) questionOf(draft);
    return;
  }
  const failed = draft.state.failures >= MAX_LOOKUP_FAILURES;
  if (failed) draft.stock(personOf(draft.agent.definition) ? 'orPerson' : 'anythingElse');
  if (failed) draft.set({ memory: {}, slots: {} });
  else draft.done.push({ flow: flow.name, slots: draft.state.slots });
  if (flow.confirm && !failed)
    draft.set({ lastDone: { flow: flow.name, slots: draft.state.slots, kin: draft.state.kin } });
  draft.set({
    lastFlow: flow.name,
    served: true,
    failures: 0,
  });
  leaveFlow(draft);
}

/** Leaves the flow; what identifies something is remembered for what comes next. */
export function leaveFlow(draft: TurnDraft): void {
  const { slots, memory } = draft.state;
  const flow = draft.flow;
  const kept = (flow?.slots ?? []).filter(
    ({ name, type }) => REMEMBERED.has(type) && (slots[name]?.value ?? '') !== '',
  );
  draft.set({ memory: { ...memory, ...Object.fromEntries(kept.map(({ name }) => [name, slots[name]!])) } });
  draft.set({ flow: undefined, slots: {}, confirmed: [], failures: 0, noMatch: 0 });
  draft.wait({ kind: 'open' });
}

/**
 * Runs actions from `index` on; stops at a transfer, a hangup, a failed look-up or a tool (left in `draft.tool`).
 * @returns the slot to ask again when a look-up found nothing and the caller may try once more.
 */
export function runActions(
  draft: TurnDraft,
  actions: readonly AgentAction[],
  index: number,
  flow?: FlowDefinition,
): SlotDefinition | undefined {
  for (let i = index; i < actions.length; i += 1) {
    const action = actions[i]!;
    switch (action.type) {
      case 'say':
        draft.answer(action.text);
        break;
      case 'lookup': {
        const row = rowFor(draft, action);
        if (row) {
          draft.facts = { ...draft.facts, ...row };
          draft.answer(action.then);
          break;
        }
        draft.answer(action.otherwise);
        const slot = flow?.slots.find((one) => one.name === action.key);
        draft.set({ failures: draft.state.failures + 1 });
        return slot && draft.state.failures < MAX_LOOKUP_FAILURES ? slot : undefined;
      }
      case 'http':
      case 'tool':
        draft.tool = { actions, index: i, state: draft.state, facts: draft.facts };
        return undefined;
      case 'transfer':
        transfer(draft, action.target, action.text);
        return undefined;
      case 'hangup':
        hangUp(draft, action.text);
        return undefined;
    }
  }
  return undefined;
}

/** The row of a look-up; where it belongs to somebody, only to whom it was settled that it belongs. */
function rowFor(draft: TurnDraft, { table, key, open }: Extract<AgentAction, { type: 'lookup' }>): Row | undefined {
  const { belongsTo } = draft.agent.definition;
  const row = findRow(draft.agent.definition, table, key, draft.canonical(key) ?? '');
  const owner = belongsTo && Object.hasOwn(belongsTo, table) ? belongsTo[table] : undefined;
  if (!row || !owner || open) return row;
  const isOwn = draft.state.slots[owner.column]?.value === row[owner.column];
  return isOwn || callsFromOwn(draft.agent.definition, owner, row, draft.setting.variables['caller']) ? row : undefined;
}

/** Says goodbye to this part of the call and hands it to a person; without a target it says so and goes on. */
export function transfer(
  draft: TurnDraft,
  target: string | undefined,
  text?: Parameters<TurnDraft['answer']>[0],
): void {
  const to = target ?? personOf(draft.agent.definition);
  const { flow, pending, slots, confirmed } = draft.state;
  const left = flow === undefined || pending.kind === 'open' ? undefined : { flow, pending, slots, confirmed };
  if (to === undefined || to === '') {
    draft.stock(left ? 'nobodyThere' : 'noTransfer');
    return left ? questionOf(draft) : leaveFlow(draft);
  }
  if (text) draft.answer(text);
  else draft.stock('transfer');
  draft.action = { type: 'transfer', target: to };
  leaveFlow(draft);
  draft.set({ left });
}

export function hangUp(draft: TurnDraft, text?: Parameters<TurnDraft['answer']>[0]): void {
  const goodbye = text ?? draft.agent.definition.goodbye;
  if (goodbye) draft.answer(goodbye);
  else draft.stock('goodbye');
  draft.action = { type: 'hangup' };
  leaveFlow(draft);
}
