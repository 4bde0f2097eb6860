/** Quantiles of `times`; undefined where there are none. */
export function rank(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (p) => sorted[Math.min(sorted.length - 1, Math.ceil(p * sorted.length) - 1)];
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), max: sorted.at(-1) };
}

const shown = (value, digits = 0) => (value === undefined || Number.isNaN(value) ? '-' : value.toFixed(digits));

/** Title, width and cell of each column. */
const COLUMNS = [
  ['calls', 5, (row) => shown(row.up)],
  ['set-up p50', 10, (row) => shown(row.setup.p50, 1)],
  ['p95', 6, (row) => shown(row.setup.p95, 1)],
  ['jitter p50', 10, (row) => shown(row.p50Ms, 2)],
  ['p99', 6, (row) => shown(row.p99Ms, 2)],
  ['max ms', 6, (row) => shown(row.maxMs, 1)],
  ['lost out', 8, (row) => shown(row.lost)],
  ['in', 4, (row) => shown(row.unheard)],
  ['left out', 8, (row) => shown(row.leftOut)],
  ['tick p99', 8, (row) => shown(row.tickP99Ms, 1)],
  ['gateway %', 9, (row) => shown(row.used.gateway)],
  ['main', 5, (row) => shown(row.used.main)],
  ['media', 5, (row) => shown(row.used.media)],
  ['postgres', 8, (row) => shown(row.used.postgres)],
  ['rest', 4, ({ used }) => shown(used.gateway - used.main - used.media - used.postgres)],
  ['MB/call', 7, (row) => shown(row.mbEach, 2)],
  ['sipp %', 6, (row) => shown(row.used.sipp)],
  ['rtp', 4, (row) => shown(row.used.rtp)],
  ['bench', 5, (row) => shown(row.used.bench)],
  ['late p99', 8, (row) => shown(row.lateP99Ms, 1)],
  ['others', 6, (row) => shown(row.used.strangers)],
  ['machine %', 9, (row) => shown(row.used.machine)],
];

export const tableHead = () => COLUMNS.map(([title, width]) => title.padStart(width)).join('  ');
export const tableRow = (row) => COLUMNS.map(([, width, cell]) => cell(row).padStart(width)).join('  ');

/** What the columns are, for who sees them for the first time. */
export const TABLE_NOTES = [
  'Set-up: INVITE to 200, of the calls of the row. Jitter: of what callers hear, by arrival at the kernel. Lost out: to callers;',
  'in: to the gateway, by its reports. Left out: packet times in which the gateway sent nothing. Tick p99: lateness of its media clock.',
  'Percent of one processor each (gateway: all its processes; main, media: its threads; rest: its others), machine: of all. Late p99: of the load itself.',
  'Others: programs that do not belong to this bench. Where they take more than a little, run it again.',
];
