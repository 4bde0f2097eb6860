import { ServiceError } from '../../client/service-error.ts';

/** More than the largest page: nothing that a gateway answers is longer. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;

/**
 * `fetch` that goes nowhere else with the key, and reads no more than fits.
 *
 * @param seen - is told the headers of every answer, whatever it is.
 */
export function guardedFetch(seen: (headers: Headers) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    const { status, statusText, headers } = response;
    seen(headers);
    const location = headers.get('location');
    if (status >= 300 && status < 400 && location !== null) {
      await response.body?.cancel();
      const to = URL.canParse(location, response.url) ? new URL(location, response.url).origin : location;
      throw new ServiceError({ code: 'unreadable', message: `The address leads on to ${to}: give that one.`, status });
    }
    const body = response.body === null ? null : response.body.pipeThrough(atMost(ANSWER_BYTES_MAX, status));
    return new Response(body, { status, statusText, headers });
  };
}

function atMost(bytesMax: number, status: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform: (piece, controller) => {
      bytes += piece.length;
      if (bytes <= bytesMax) controller.enqueue(piece);
      else controller.error(new ServiceError({ code: 'unreadable', message: 'The answer does not end.', status }));
    },
  });
}
