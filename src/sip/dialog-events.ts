import type { SrfDialog, SrfRequest, SrfResponse } from './drachtio.ts';

/** What a dialog reports to its leg. */
export interface DialogEvents {
  onAck(req: SrfRequest): void;
  onDestroy(req: SrfRequest): void;
  /** re-INVITE and UPDATE. */
  onOffer(req: SrfRequest, res: SrfResponse): void;
  onNotify(req: SrfRequest, res: SrfResponse): void;
  /** Anything else. `method` in capitals. */
  onRequest(method: OtherMethod, req: SrfRequest, res: SrfResponse): void;
}
export type OtherMethod = (typeof OTHERS)[number];
const OTHERS = ['OPTIONS', 'INFO', 'MESSAGE', 'PUBLISH', 'SUBSCRIBE', 'REFER'] as const;

/**
 * Listens to everything a dialog can say: what nobody listens to is answered by the library on its own.
 * @param guard - runs a handler; an exception must not reach the library: it would end the connection to the SIP server,
 *   and every call with it.
 */
export function listenToDialog(
  dialog: SrfDialog,
  events: DialogEvents,
  guard: (handle: () => void, res?: SrfResponse) => void,
): void {
  dialog.on('ack', (req) => guard(() => events.onAck(req)));
  dialog.on('destroy', (req) => guard(() => events.onDestroy(req)));
  for (const event of ['modify', 'update'] as const) {
    dialog.on(event, (req, res) => guard(() => events.onOffer(req, res), res));
  }
  dialog.on('notify', (req, res) => guard(() => events.onNotify(req, res), res));
  for (const method of OTHERS) {
    const event = method.toLowerCase() as Lowercase<OtherMethod>;
    dialog.on(event, (req, res) => guard(() => events.onRequest(method, req, res), res));
  }
}
