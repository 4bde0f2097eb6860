import { OperatorError } from '../core/errors.ts';
import type { LadderStep } from '../core/sip-ladder.ts';
import type { CommandContext } from './context.ts';
import type { LadderView } from './desk/desk.ts';
import { emit, facts, harmless, type Output, paint } from './output.ts';

/** Columns: of the line between the two sides, and of a time of the day. */
const ARROW = 15;
const TIME = 12;

/** The SIP messages of a call, dialog by dialog, one a line; with `full` what is kept of each below it. */
export function showLadder(context: CommandContext, id: string, options: { full?: boolean }): Promise<void> {
  return context.withDesk(async ({ calls }) => {
    const ladders = await calls.ladders(id);
    if (ladders.length === 0) {
      throw new OperatorError(
        `No SIP messages of a call ${id}. They are kept when it is over; \`calls list\` shows the latest.`,
      );
    }
    emit(context.out, ladders, () => {
      for (const [at, ladder] of ladders.entries()) {
        if (at > 0) context.out.write('\n');
        describe(context.out, ladder, options.full === true);
      }
    });
  });
}

function describe(out: Output, ladder: LadderView, full: boolean): void {
  const { call_id, sip_call_id, direction, messages } = ladder;
  facts(out, [
    ['call', call_id ?? 'none: it has no record'],
    ['SIP Call-ID', sip_call_id],
  ]);
  const sides = `${(direction === 'inbound' ? 'caller' : 'callee').padEnd(ARROW - 5)}nidaa`;
  out.write(`\n${paint(out, 'bold', `${'time (UTC)'.padEnd(TIME)}  ${sides}  message`)}\n`);
  let peer = '';
  for (const step of messages) {
    if (step.skipped) out.write(`${' '.repeat(TIME)}  ... ${step.skipped} more ...\n`);
    if (step.peer !== '' && step.peer !== peer) out.write(`${' '.repeat(TIME)}  ${paint(out, 'dim', step.peer)}\n`);
    peer = step.peer || peer;
    out.write(`${step.at.slice(11, 11 + TIME)}  ${arrowOf(step)}  ${harmless(messageOf(step))}\n`);
    if (full && step.text !== '') out.write(`${harmless(step.text).replace(/^(?=.)/gm, ' '.repeat(TIME + 2))}\n`);
  }
}

function arrowOf({ direction }: LadderStep): string {
  const shaft = '-'.repeat(ARROW - 3);
  return direction === 'in' ? `|${shaft}>|` : `|<${shaft}|`;
}

/** The first line, what a description is worth saying of it, and whether it came again. */
function messageOf({ line, text, again }: LadderStep): string {
  const short = line.replace(/^SIP\/2\.0 /, '').replace(/ SIP\/2\.0$/, '');
  const of = /^cseq: *\d+ (\S+)/im.exec(text)?.[1];
  const method = of && line.startsWith('SIP/2.0') ? ` (${of})` : '';
  const direction = /^a=(sendonly|recvonly|inactive)$/m.exec(text)?.[1];
  const sdp = /^m=audio/m.test(text) ? `  SDP${direction ? ` ${direction}` : ''}` : '';
  return `${short}${method}${sdp}${again ? '  again' : ''}`;
}
