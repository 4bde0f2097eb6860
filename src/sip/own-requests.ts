import type { SrfDialog, SrfIncomingResponse } from './drachtio.ts';
import { requestInDialog } from './in-dialog-request.ts';
import { InfoKeys } from './info-keys.ts';
import type { LegContext, LegOrigin } from './leg-context.ts';
import { SessionRefresh } from './session-refresh.ts';

export interface OwnRequestsOptions {
  readonly context: Pick<LegContext, 'clock' | 'sessionTimers'>;
  readonly origin: LegOrigin;
  /** The dialog while it is up. */
  readonly dialog: () => SrfDialog | undefined;
  /** A re-INVITE that changes nothing. @returns whether it was agreed. */
  readonly reinvite: () => Promise<boolean>;
  /** The other side knows the dialog no more. */
  readonly onDialogGone: () => void;
}

/** Requests that a leg sends in its dialog; challenges are answered where the call was made with credentials. */
export class OwnRequests {
  readonly #keys: InfoKeys;
  #refresh: SessionRefresh | undefined;

  constructor(private readonly options: OwnRequestsOptions) {
    this.#keys = new InfoKeys(async ({ headers, body }) => {
      const dialog = options.dialog();
      if (dialog) await this.send(dialog, 'INFO', headers, body);
    });
  }

  /** @returns undefined where no answer came. Never rejects. */
  send(
    dialog: SrfDialog,
    method: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<SrfIncomingResponse | undefined> {
    const { context, origin } = this.options;
    const digest = origin.side === 'uac' ? origin.digest : undefined;
    return requestInDialog(dialog, { method, headers, ...(body !== undefined && { body }) }, context.clock, digest);
  }

  /** Our offer. It refreshes the session as well, where that is ours to do. */
  invite(dialog: SrfDialog, body: string): Promise<SrfIncomingResponse | undefined> {
    const contact = { 'Content-Type': 'application/sdp', Contact: dialog.local.contact };
    return this.send(dialog, 'INVITE', { ...contact, ...this.#refresh?.headers }, body);
  }

  /** Keys by INFO. */
  press(digits: string): void {
    this.#keys.press(digits);
  }

  /** Whoever wanted credentials for the call may want them for its refreshes, which the SIP server cannot answer. */
  keepSession(dialog: SrfDialog): void {
    const { context, origin, reinvite, onDialogGone } = this.options;
    if (origin.side !== 'uac' || !origin.digest) return;
    this.#refresh = SessionRefresh.of(dialog.res, {
      ...{ clock: context.clock, mayUpdate: context.sessionTimers === undefined, reinvite, onDialogGone },
      isUp: () => this.options.dialog() !== undefined,
      update: (headers) => this.send(dialog, 'UPDATE', { Contact: dialog.local.contact, ...headers }),
    });
  }

  /** Idempotent. */
  close(): void {
    this.#refresh?.stop();
  }
}
