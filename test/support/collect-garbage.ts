import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** All of it, at once: what only `WeakRef` knows is gone afterwards, a turn of the event loop after it was made. */
export const collectGarbage = runInNewContext('gc') as () => void;
