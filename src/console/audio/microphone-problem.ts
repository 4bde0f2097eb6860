/** Why there is no microphone, as something that a person can do something about. */
export const MICROPHONE_PROBLEMS = ['insecure', 'unsupported', 'refused', 'missing', 'busy', 'failed'] as const;
export type MicrophoneProblem = (typeof MICROPHONE_PROBLEMS)[number];

/** Names of errors of `getUserMedia` (Media Capture and Streams §10.3), older ones of browsers included. */
const NAMES: Readonly<Record<string, MicrophoneProblem>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  PermissionDeniedError: 'refused',
  NotFoundError: 'missing',
  DevicesNotFoundError: 'missing',
  OverconstrainedError: 'missing',
  NotReadableError: 'busy',
  TrackStartError: 'busy',
  AbortError: 'busy',
};

export class MicrophoneError extends Error {
  override readonly name = 'MicrophoneError';
  constructor(readonly problem: MicrophoneProblem) {
    super(`no microphone: ${problem}`);
  }
}

export const problemOf = (errorName: string): MicrophoneProblem => NAMES[errorName] ?? 'failed';

/** What keeps this page from a microphone before anybody is asked; undefined: nothing. */
export function problemBefore(page: {
  readonly isSecure: boolean;
  readonly hasDevices: boolean;
  readonly hasWorklet: boolean;
}): MicrophoneProblem | undefined {
  if (!page.isSecure) return 'insecure';
  return page.hasDevices && page.hasWorklet ? undefined : 'unsupported';
}
