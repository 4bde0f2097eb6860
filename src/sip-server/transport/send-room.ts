/** A connection, as far as its sending goes. */
export interface SendingConnection {
  readonly closed: boolean;
  close(reason: string): void;
}

/**
 * Whether a message may still be queued; closes a connection whose peer does not read.
 *
 * @param bytes - that would wait with it. @param onError - told why not.
 */
export function hasSendRoom(
  connection: SendingConnection,
  bytes: number,
  bytesMax: number,
  onError?: (reason: string) => void,
): boolean {
  const isFull = !connection.closed && bytes > bytesMax;
  if (!isFull && !connection.closed) return true;
  if (isFull) connection.close('send-queue-full');
  onError?.(isFull ? 'send-queue-full' : 'closed');
  return false;
}
