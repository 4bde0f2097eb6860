import { RemoteSocket, type SocketRequest } from './remote-socket.ts';

/** Connects and says goodbye: the service judges the key and the address. @throws ChatFailure where it does not take them. */
export function reachSocket(request: SocketRequest, signal: AbortSignal, goodbye?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new RemoteSocket(request, {
      opened: () => {
        if (goodbye !== undefined) socket.send(goodbye);
        socket.close();
        resolve();
      },
      text: () => {},
      bytes: () => {},
      ended: reject,
    });
    const onAbort = (): void => {
      socket.destroy();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
