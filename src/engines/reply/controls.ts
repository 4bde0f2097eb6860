import { languageOfText } from '../../language/detect-language.ts';
import { readYesNo } from '../../language/values/yesno.ts';
import type { Word } from '../../language/words.ts';
import type { Guess } from './compiled-agent.ts';
import { hangUp, leaveFlow, transfer } from './flow-runner.ts';
import { examplesText, questionOf } from './questions.ts';
import type { StockIntent } from './stock-intents.ts';
import { STOCK } from './stock-phrases.ts';
import type { TurnDraft } from './turn-draft.ts';

/** How sure one must be of what is understood at any point of a call, before the pending question is looked at. */
const CONTROL_FLOORS: Readonly<Partial<Record<StockIntent, number>>> = {
  human: 0.55,
  repeat: 0.6,
  cancel: 0.56,
  goodbye: 0.63,
  wait: 0.7,
  help: 0.7,
};
/** Nobody takes leave in the middle of a question, or before anything was done, but plainly. */
const GOODBYE_TOO_SOON = 0.75;

/** An agent's own wish for a person, in its own words. */
function isPerson({ meaning }: Guess): boolean {
  return meaning.kind === 'intent' && meaning.intent.action?.type === 'transfer';
}

const PERSON = 0.75;
const PERSON_NOT_NAME = 0.85;

/** In the middle of a question; where a name or a text is asked for it must be clearer. */
function asksForPerson({ score }: Guess, draft: TurnDraft): boolean {
  const isFree = draft.slot?.type === 'text' || draft.slot?.type === 'name';
  return draft.state.pending.kind === 'slot' && score >= (isFree ? PERSON_NOT_NAME : PERSON);
}

/** One or two words in the place of a name are a control only where they are the phrase itself. */
const ITSELF = 0.95;

/** Whether the utterance steers the call itself: repeat, a person, leave it, goodbye. */
export function isControl(guess: Guess, draft: TurnDraft, words: readonly Word[]): boolean {
  if (isPerson(guess)) return asksForPerson(guess, draft);
  if (guess.meaning.kind !== 'stock') return false;
  const floor = CONTROL_FLOORS[guess.meaning.name];
  if (floor === undefined || guess.score < floor) return false;
  const { pending, flow } = draft.state;
  if (pending.kind === 'choose' && guess.meaning.name === 'wait') return false; // "the second" is a choice
  const isSoon = pending.kind !== 'open' || !draft.state.served;
  if (guess.meaning.name === 'goodbye' && isSoon && guess.score < GOODBYE_TOO_SOON) return false;
  if (guess.meaning.name === 'cancel') return flow !== undefined || pending.kind === 'choose';
  // "no, that's all": an answer to a yes/no question first.
  const asked = pending.kind === 'confirm-slot' || pending.kind === 'confirm-flow' || draft.slot?.type === 'yesno';
  const yesNo = asked ? readYesNo(words) : undefined;
  if (yesNo && words.every((word, i) => (i >= yesNo.start && i < yesNo.end) || readYesNo([word]))) return false;
  if (yesNo && guess.meaning.name !== 'human' && guess.meaning.name !== 'repeat') return guess.score >= 0.9;
  const isFree = draft.slot?.type === 'text' || draft.slot?.type === 'name';
  if (isFree) return guess.score >= Math.max(floor, words.length <= 2 ? ITSELF : 0.8); // سعيد is a name, and like `say it again`
  return true;
}

/** Does what a stock wish asks; where something is pending, the question comes again. */
export function control(draft: TurnDraft, name: StockIntent): void {
  const inQuestion = draft.state.pending.kind !== 'open';
  draft.set({ noMatch: 0 });
  switch (name) {
    case 'human':
      return transfer(draft, undefined);
    case 'goodbye':
      return hangUp(draft);
    case 'repeat':
      return repeat(draft);
    case 'cancel': {
      const wasBusy = inQuestion || draft.state.flow !== undefined;
      leaveFlow(draft);
      draft.set({ served: true });
      return draft.stock(wasBusy ? 'flowCancelled' : 'nothingToCancel');
    }
    case 'wait':
      return draft.stock('wait');
    case 'hello':
      draft.stock(inQuestion ? 'helloInFlow' : 'hello');
      break;
    case 'thanks':
      draft.stock(inQuestion ? 'thanksInFlow' : 'thanks');
      draft.set({ served: true });
      break;
    case 'how-are-you':
      draft.stock('howAreYou');
      break;
    case 'who-are-you':
      draft.stock('whoAreYou', { examples: examplesText(draft) });
      break;
    case 'help':
      draft.stock('help', { examples: examplesText(draft) });
  }
  questionOf(draft);
}

function repeat(draft: TurnDraft): void {
  const { lastText, pending } = draft.state;
  if (lastText !== '') draft.lines.push({ text: lastText, language: languageOfText(lastText) ?? draft.language });
  else if (pending.kind !== 'open') questionOf(draft);
  else draft.ask({ [draft.language]: STOCK.hello[draft.language][0] });
}
