import type { Clock } from '../../../core/clock.ts';
import { arrayOf, objectOf } from '../../openai/chat-chunks.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import { EventSocket } from './event-socket.ts';
import type { WyomingEvent } from './events.ts';
import { speechUrlOf, type WyomingSettings } from './settings.ts';

const NAMED_MAX = 5;

/** Asks each server what it is (`describe`). */
export async function reachWyoming(
  settings: WyomingSettings,
  clock: Clock,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const told: string[] = [];
  for (const url of new Set([settings.baseUrl, speechUrlOf(settings)])) {
    const info = await infoOf(url, clock, signal);
    const hears = namesIn(info['asr'], 'models');
    const speaks = namesIn(info['tts'], 'voices');
    if (hears.length + speaks.length === 0)
      throw new ChatFailure('no-model', 'the server lists nothing that hears or speaks');
    const { host } = new URL(url);
    if (hears.length > 0) told.push(`${host} hears with ${few(hears)}`);
    if (speaks.length > 0) told.push(`${host} speaks with ${few(speaks)}`);
  }
  return told;
}

function infoOf(url: string, clock: Clock, signal: AbortSignal): Promise<WyomingEvent['data']> {
  return new Promise((resolve, reject) => {
    const socket = new EventSocket(
      { url, clock },
      {
        opened: () => socket.send('describe'),
        event: ({ type, data }) => {
          if (type !== 'info') return;
          socket.destroy();
          resolve(data);
        },
        ended: reject,
      },
    );
    const onAbort = (): void => {
      socket.destroy();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Of the models or voices of all its programs. */
function namesIn(programs: unknown, kind: 'models' | 'voices'): readonly string[] {
  const listed = arrayOf(programs).flatMap((program) => arrayOf(objectOf(program)?.[kind]));
  return listed.flatMap((model) => {
    const name = objectOf(model)?.['name'];
    return typeof name === 'string' ? name.slice(0, 100) : [];
  });
}

function few(names: readonly string[]): string {
  const more = names.length > NAMED_MAX ? `, and ${names.length - NAMED_MAX} more` : '';
  return `${names.slice(0, NAMED_MAX).join(', ')}${more}`;
}
