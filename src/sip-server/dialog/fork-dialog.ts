import type { AppPort } from '../control/app-port.ts';
import { cseqOf, fromTag, toTag } from '../message/header-values.ts';
import { header, type SipRequest, type SipResponse } from '../message/sip-message.ts';
import type { Flow } from '../transport/flow.ts';
import { contactUri, Dialog, recordedRoutes } from './dialog.ts';
import type { UaContext } from './ua-context.ts';

/**
 * The dialog that an answer to our INVITE makes: one per To tag (RFC 3261 §12.1.2, §13.2.2). Undefined when there is no
 * room, or no Call-ID and tags to name it by.
 */
export function makeForkDialog(
  context: UaContext,
  request: SipRequest,
  response: SipResponse,
  flow: Flow,
  app: AppPort,
): Dialog | undefined {
  const callId = header(request, 'Call-ID');
  const localTag = fromTag(request);
  if (callId === undefined || localTag === undefined) return undefined;
  const dialog = new Dialog({
    role: 'uac',
    callId,
    localTag,
    remoteTag: toTag(response) ?? '', // A 2xx without a tag comes from an RFC 2543 peer (§12.1.2).
    usage: 'INVITE',
    localAddress: header(request, 'From') ?? '',
    remoteAddress: header(response, 'To') ?? '',
    localContact: header(request, 'Contact') ?? context.local.contact(flow),
    routeSet: recordedRoutes(response, 'uac'),
    remoteTarget: contactUri(response) ?? request.uri,
    localCSeq: cseqOf(request)?.number ?? 1,
    remoteCSeq: -1,
    flow,
    app,
  });
  dialog.noteAllow(response);
  return context.dialogs.add(dialog) ? dialog : undefined;
}
