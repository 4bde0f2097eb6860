import type { FlowDefinition, SlotDefinition } from '../../core/agent.ts';
import { asksAt } from '../../language/values/side-talk.ts';
import { readSlots } from '../../language/values/slot-filling.ts';
import { isUnsure } from '../../language/values/yesno.ts';
import { asSaid } from '../../language/words.ts';
import { actOf, type Heard } from './acts/act.ts';
import { leavesFirst, leavesFor, opensWish } from './acts/leaving.ts';
import { operationOf } from './acts/operation.ts';
import type { Guess } from './compiled-agent.ts';
import { fits } from './fitting.ts';
import { leaveFlow } from './flow-runner.ts';
import { CANCELS, namedIn } from './letting-be.ts';
import { choose } from './open-question.ts';
import { perform } from './perform.ts';
import { says } from './said.ts';
import { isPleasantry } from './sureness.ts';
import type { TurnDraft } from './turn-draft.ts';
import { decide, NEARNESS, openGuesses } from './understanding.ts';

function intentOf(draft: TurnDraft, flow: FlowDefinition['name'] | undefined): string | undefined {
  const intent = draft.agent.definition.intents?.find((one) => one.flow !== undefined && one.flow === flow);
  return intent && `intent:${intent.name}`;
}

/** Rule: what is not to be done is not done, and what is being done is left. */
export function forbidden(draft: TurnDraft, heard: Heard): boolean {
  if (heard.forbidden.size === 0 || isUnsure(heard.words)) return false; // `I can't remember` forbids nothing
  const { flow, pending } = draft.state;
  const own = intentOf(draft, flow);
  // At a read-back, or asked what to change, `don't book now` is about what was read back, however it is said.
  const isReadBack = pending.kind === 'confirm-flow' || pending.kind === 'change';
  const stops = heard.acts.some((act) => act.type === 'forbid' && act.id === own && (act.sure || isReadBack));
  const answers = fits(draft, { words: heard.wanted }) || choosesOther(draft, heard);
  if (stops && answers && !namesOwn(draft, heard, own)) return false;
  const named = namedIn(draft, heard);
  const top = heard.guesses.find(({ id }) => id === named) ?? heard.guesses[0];
  // Who lets it be tells why, and that is seldom another wish.
  const near = isSure(draft, heard) ? NEARNESS.least : NEARNESS.accept;
  const timed = top !== undefined && namesTimeOf(draft, top, heard);
  const enough = stops && actOf(heard, 'leave') && !timed ? NEARNESS.clearlyElse : near;
  const isNamed = top !== undefined && top.id === named && top.score >= NEARNESS.least;
  const isWish = top && !isPleasantry(top) && top.meaning.kind !== 'stock' && (isNamed || top.score >= enough);
  const isOpen = pending.kind === 'open' && flow === undefined;
  const asks = heard.words.some((_, at) => asksAt(heard.words, at));
  const letsBe =
    ((stops || (isOpen && !asks)) && letsBeAfter(draft, heard)) || (stops && !timed && onlyLeaves(draft, heard, named));
  const other = isWish && !letsBe ? top : undefined;
  if (!stops && (pending.kind !== 'open' || other)) return false;
  if (stops) leaveFlow(draft);
  if (!other || stops) draft.stock('leftAsIs');
  draft.set({ served: true });
  if (other) perform(draft, other, heard.wanted);
  else if (letsBe || !askedBack(draft, heard)) draft.stock('anythingElse');
  return true;
}

/** `don't cancel it, just bring it on thursday`: a day or an hour that the wish asks for is no reason to let it be. */
function namesTimeOf({ agent, setting }: TurnDraft, { meaning }: Guess, { wanted }: Heard): boolean {
  const flow = meaning.kind === 'intent' ? agent.flows.get(meaning.intent.flow ?? '') : undefined;
  const times = flow?.slots.filter(({ type }) => type === 'date' || type === 'time') ?? [];
  return Object.keys(readSlots(wanted, times, setting.today).values).length > 0;
}

/** `not another lamp, I'd like the money`: who refuses one of two that are offered has answered. */
function choosesOther({ state, slot, setting }: TurnDraft, { words }: Heard): boolean {
  if (state.pending.kind !== 'slot' || slot?.type !== 'yesno' || slot.choices === undefined) return false;
  return readSlots(words, [slot], setting.today, slot.name).values[slot.name] !== undefined;
}

const DAY: SlotDefinition = { name: 'day', type: 'date', prompts: {} };
const DAY_WORDS = 3;

/** `morning, but not too early`: beside a value of the question only words that name what is being done forbid it. */
function namesOwn({ agent }: TurnDraft, { acts, words }: Heard, own: string | undefined): boolean {
  const denied = acts.flatMap((act) => (act.type === 'forbid' ? words.slice(act.span.start, act.span.end) : []));
  return denied.some(({ text }) => operationOf(agent, text) === own);
}

function isSure(draft: TurnDraft, { guesses }: Heard): boolean {
  return decide(openGuesses(guesses), draft.setting.trusted).kind === 'take';
}

/** `don't cancel it, leave it as it is, the party is put off`: nothing else is wished for. */
function letsBeAfter({ setting }: TurnDraft, { acts, words }: Heard): boolean {
  const last = acts.findLast((act) => act.type === 'forbid')?.span;
  if (!last) return false;
  // What is denied may reach into it: `don't cancel | let it come`.
  const from = [last.end, last.end - 1, last.end - 2].find(
    (at) => at > last.start + 1 && leavesFirst(words.slice(at)) !== undefined,
  );
  if (from === undefined) return false;
  const rest = words.slice(from);
  const end = leavesFirst(rest)!;
  const day = readSlots(rest.slice(end, end + DAY_WORDS), [DAY], setting.today).values[DAY.name];
  return day === undefined; // خلوه يوم الخميس: it is to be then
}

/** `no no, my father says no need, don't book anything`: the whole sentence leaves, also without what it denies, and names no other undertaking. */
function onlyLeaves(draft: TurnDraft, heard: Heard, named: string | undefined): boolean {
  const isOther = named !== undefined && named !== draft.agent.operations.get(CANCELS); // هونت: a cancellation of nothing else
  if (isOther || isClearlyElse(heard)) return false;
  return says(draft, heard, 'leave') && !opensWish(heard.wanted);
}

/** `stop, don't cancel, bring it another day instead`: what is left of the sentence is another undertaking. */
function isClearlyElse({ guesses: [top], wanted }: Heard): boolean {
  return top?.meaning.kind === 'intent' && top.score >= NEARNESS.clearlyElse && leavesFor(wanted);
}

/** What may be wished for beside what is not to be done. */
function askedBack(draft: TurnDraft, heard: Heard): boolean {
  const decision = decide(openGuesses(heard.guesses), draft.setting.trusted);
  const options = decision.kind === 'ask' ? decision.options : decision.kind === 'take' ? [decision.guess] : [];
  if (options.length === 0 || options[0]!.meaning.kind === 'stock') return false;
  choose(draft, options, asSaid(heard.wanted));
  return true;
}
