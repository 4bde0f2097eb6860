import type { TextChange } from '../../../../config/agent-text/yaml-edit.ts';

/** The one stretch in which two texts differ; undefined where they do not. Pure. */
export function onlyChange(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined;
  let head = 0;
  const most = Math.min(before.length, after.length);
  while (head < most && before.charCodeAt(head) === after.charCodeAt(head)) head += 1;
  let tail = 0;
  while (
    tail < most - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail += 1;
  return { from: head, to: before.length - tail, insert: after.slice(head, after.length - tail) };
}
