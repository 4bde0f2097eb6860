import { setTimeout as sleep } from 'node:timers/promises';
import { parseSipUri } from '../sip/sip-uri.ts';
import type { CallWithTurns } from '../store/call-rows.ts';
import { findRunningPostgres } from '../store/embedded-postgres.ts';
import type { CommandContext } from './context.ts';

/** The record is complete soon after the BYE; a busy machine takes a little. */
const COMPLETE_MS_MAX = 5_000;
const POLL_MS = 200;

/**
 * Whether the gateway that is called runs here, with a database that this command can look into.
 *
 * @param target - SIP URI that the INVITE goes to.
 * @param ownAddress - the address called from: who calls this machine does so from the called address.
 */
export function isOwnGateway({ config }: CommandContext, target: string, ownAddress: string): boolean {
  const host = (parseSipUri(target)?.hostPort ?? '').replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  const isHere = host === ownAddress || host === 'localhost' || /^127\./.test(host);
  return isHere && (config.store.databaseUrl !== 'embedded' || findRunningPostgres(config.dataDir) !== undefined);
}

/** What the gateway of this machine wrote down of a call, once it is complete; undefined where it has none. */
export async function ownRecord(context: CommandContext, sipCallId: string): Promise<CallWithTurns | undefined> {
  try {
    return await context.withStore(async ({ calls }) => {
      const endMs = performance.now() + COMPLETE_MS_MAX;
      for (;;) {
        const found = await calls.get(sipCallId);
        if (found?.call.endedAt || performance.now() > endMs) return found;
        await sleep(POLL_MS);
      }
    });
  } catch (error) {
    context.logger.debug({ err: error }, 'the record of the call could not be read');
    return undefined;
  }
}
