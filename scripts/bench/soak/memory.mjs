import { readdirSync, readFileSync } from 'node:fs';

/** Programs that a gateway runs beside itself, and that are not counted: they are there whoever calls. */
const NOT_COUNTED = new Set(['postgres']);

/**
 * Bytes by kind. `total` is all memory of the gateway's processes but PostgreSQL's, each page once: what no other program has,
 * and files that are mapped, however many of these processes map them, whoever else does (the proportional size of
 * the system would fall when a stranger starts another Node). The rest is of the gateway's first process, by its own metrics.
 */
export async function memoryOf(gateway) {
  const text = await (await fetch(gateway.metrics)).text();
  return {
    ...treeMemory(gateway.pid),
    ...Object.fromEntries(
      [...text.matchAll(/^nidaa_memory_bytes\{kind="(\w+)"\} (\S+)$/gm)].map(([, kind, bytes]) => [
        kind,
        Number(bytes),
      ]),
    ),
  };
}

/** By whom and why calls ended, the gateway's own count since its start. */
export async function endingsOf(gateway) {
  const text = await (await fetch(gateway.metrics)).text();
  return [...text.matchAll(/^nidaa_calls_ended_total\{party="(\w+)",reason="([^"]+)"\} (\d+)$/gm)].map(
    ([, party, reason, calls]) => ({ by: `${party} ${reason}`, calls: Number(calls) }),
  );
}

function treeMemory(root) {
  const files = new Map();
  let anonymous = 0;
  const processes = processTree(root);
  for (const pid of processes) {
    for (const { file, resident, own } of mappingsOf(pid)) {
      anonymous += own;
      files.set(file, Math.max(files.get(file) ?? 0, resident - own));
    }
  }
  const mapped = [...files.values()].reduce((sum, bytes) => sum + bytes, 0);
  return { total: anonymous + mapped, files: mapped, processes: processes.length };
}

/** Ids of `root` and all that it started, without those that are not counted. */
function processTree(root) {
  const children = new Map();
  for (const name of readdirSync('/proc')) {
    const [, program, parent] = /\((.*)\) \S (\d+)/s.exec(readIfThere(`/proc/${name}/stat`)) ?? [];
    if (program === undefined || !/^\d+$/.test(name) || NOT_COUNTED.has(program)) continue;
    children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)]);
  }
  const tree = [root];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

/** proc_pid_smaps(5): what is resident of each mapping, and how much of that is this process's `own`. */
function mappingsOf(pid) {
  return readIfThere(`/proc/${pid}/smaps`)
    .split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
    .filter((mapping) => mapping !== '')
    .map((mapping) => {
      const [, offset, device, inode] = /^\S+ \S+ (\S+) (\S+) (\d+)/.exec(mapping);
      const bytes = (field) => 1024 * Number(new RegExp(`^${field}: +(\\d+) kB`, 'm').exec(mapping)?.[1] ?? 0);
      const resident = bytes('Rss');
      return { file: `${device} ${inode} ${offset}`, resident, own: inode === '0' ? resident : bytes('Anonymous') };
    });
}

/** A process may end while it is looked at. */
function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Slope of the least-squares line through `samples` of `kind`, in bytes a minute. */
export function slopePerMinute(samples, kind) {
  const mean = (of) => samples.reduce((sum, each) => sum + of(each), 0) / samples.length;
  const [minute, bytes] = [mean((each) => each.minute), mean((each) => each[kind])];
  const spread = samples.reduce((sum, each) => sum + (each.minute - minute) ** 2, 0);
  return samples.reduce((sum, each) => sum + (each.minute - minute) * (each[kind] - bytes), 0) / spread;
}

/**
 * Standard error of that slope, in bytes a minute. Samples a few seconds apart show the same decoders, so the means of whole
 * minutes are what counts as independent.
 */
export function slopeErrorPerMinute(samples, kind) {
  const minutes = new Map();
  for (const each of samples) {
    const at = Math.floor(each.minute);
    minutes.set(at, [...(minutes.get(at) ?? []), each[kind]]);
  }
  const means = [...minutes].map(([at, bytes]) => ({
    minute: at,
    [kind]: bytes.reduce((a, b) => a + b) / bytes.length,
  }));
  const slope = slopePerMinute(means, kind);
  const mean = (of) => means.reduce((sum, each) => sum + of(each), 0) / means.length;
  const [minute, level] = [mean((each) => each.minute), mean((each) => each[kind])];
  const left = means.reduce((sum, each) => sum + (each[kind] - level - slope * (each.minute - minute)) ** 2, 0);
  const spread = means.reduce((sum, each) => sum + (each.minute - minute) ** 2, 0);
  return Math.sqrt(left / (means.length - 2) / spread);
}
