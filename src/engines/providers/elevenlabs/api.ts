import type { Clock } from '../../../core/clock.ts';
import { objectOf } from '../../openai/chat-chunks.ts';
import { HttpService } from '../http-service.ts';
import { type ElevenlabsSettings, keyHeader } from './settings.ts';

/** The service over HTTP; its refusals are `{detail: {status, message}}`, of which the message is never taken. */
export function httpOf(settings: ElevenlabsSettings, clock: Clock): HttpService {
  return new HttpService(settings, clock, {
    key: keyHeader,
    errorCode: (body) => {
      const detail = objectOf(body?.['detail']);
      const named = detail?.['status'] ?? detail?.['code'];
      return typeof named === 'string' && /^[a-z][a-z0-9_.-]{1,39}$/i.test(named) ? named : 'error';
    },
  });
}
