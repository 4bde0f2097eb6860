/** What `told-rules.mjs` tells of: which rows each part of the rules decides something in, and how it is taken away. */

/** Without some rules a loop may not come to its end. */
const STEPS_MAX = 2_000_000;

export class Ablation {
  /** Part -> the rows in which it decides something. */
  rows = new Map();
  off = new Set();
  /** The row that is being read; undefined when nothing is noted. */
  row;
  #steps = 0;
  #tables = [];

  begin(row) {
    this.row = row;
    this.#steps = 0;
  }

  note(part) {
    this.#steps += 1;
    if (this.#steps > STEPS_MAX) throw new Error('no end');
    if (this.row === undefined) return;
    const known = this.rows.get(part);
    if (known === undefined) this.rows.set(part, [this.row]);
    else if (known.at(-1) !== this.row) known.push(this.row);
  }

  #judge(part, value, decides, without) {
    if (decides) this.note(part);
    else if (this.row !== undefined && !this.rows.has(part)) this.rows.set(part, []);
    return decides && this.off.has(part) ? without : value;
  }

  never(part, value) {
    return this.#judge(part, value, Boolean(value), false);
  }

  always(part, value) {
    return this.#judge(part, value, !value, true);
  }

  nothing(part, value) {
    return this.#judge(part, value, value !== undefined && value !== null, undefined);
  }

  table(name, table) {
    if (Object.isFrozen(table)) return;
    if (table instanceof RegExp) this.#tellPattern(name, table);
    else if (table instanceof Set || table instanceof Map) this.#tellEntries(name, table);
    else if (Array.isArray(table)) this.#tables.push({ name, table });
  }

  #tellPattern(name, pattern) {
    const { exec } = RegExp.prototype;
    const matchAll = RegExp.prototype[Symbol.matchAll];
    const tell = (matched) => {
      this.note(`${name} read`);
      if (matched) this.note(`${name} matched`);
    };
    Object.defineProperties(pattern, {
      exec: {
        value: function toldExec(text) {
          const match = exec.call(this, text);
          tell(match !== null);
          return match;
        },
      },
      [Symbol.matchAll]: {
        value: function toldMatchAll(text) {
          tell(true);
          return matchAll.call(this, text);
        },
      },
    });
    this.#tables.push({ name, table: pattern });
  }

  #tellEntries(name, table) {
    const ask = table instanceof Map ? 'get' : 'has';
    const asked = Object.getPrototypeOf(table)[ask];
    const told = (key) => {
      const held = asked.call(table, key);
      if (held) this.note(`${name} ${key}`);
      return held;
    };
    Object.defineProperty(table, ask, { value: told });
    if (ask === 'get') table.has = (key) => told(key) !== undefined;
    this.#tables.push({ name, table });
  }

  /** Every part that can be taken away: its name, the rows that may change without it, and what takes it away and puts it back. */
  *parts() {
    for (const [name, rows] of [...this.rows]) {
      if (!/:\d+:\d+:\w+$/.test(name)) continue;
      yield { name, kind: 'rule', rows, take: () => this.off.add(name), putBack: () => this.off.delete(name) };
    }
    for (const { name, table } of this.#tables) {
      if (table instanceof RegExp) yield* this.#alternatives(name, table);
      else if (Array.isArray(table)) yield* listRows(name, table);
      else yield* this.#entries(name, table);
    }
  }

  *#alternatives(name, pattern) {
    const { source, flags } = pattern;
    for (const { start, end, isVeto } of alternativesOf(source)) {
      const without =
        source[end] === '|'
          ? source.slice(0, start) + source.slice(end + 1)
          : source.slice(0, start - 1) + source.slice(end);
      const rows = this.rows.get(`${name} ${isVeto ? 'read' : 'matched'}`) ?? [];
      const take = () => pattern.compile(without, flags);
      yield {
        name: `${name} «${source.slice(start, end)}»`,
        kind: 'alternative',
        rows,
        take,
        putBack: () => pattern.compile(source, flags),
      };
    }
  }

  *#entries(name, table) {
    const held = [...table];
    const put = table instanceof Map ? ([key, value]) => table.set(key, value) : (one) => table.add(one);
    for (const entry of held) {
      const key = table instanceof Map ? entry[0] : entry;
      const rows = this.rows.get(`${name} ${key}`) ?? [];
      yield {
        name: `${name} [${String(key)}]`,
        kind: 'word',
        rows,
        take: () => table.delete(key),
        putBack: () => put(entry),
      };
    }
  }
}

function* listRows(name, table) {
  if (table.every((row) => typeof row === 'string')) return;
  for (const [at, row] of [...table].entries()) {
    const label = row?.kind ?? row?.name ?? (row instanceof RegExp ? String(row).slice(0, 60) : '');
    yield {
      name: `${name} [${at} ${label}]`,
      kind: 'row',
      take: () => table.splice(at, 1),
      putBack: () => table.splice(at, 0, row),
    };
  }
}

/** The alternatives of every group of a pattern that has two or more, and of the pattern itself. */
export function alternativesOf(source) {
  const found = [];
  const open = [{ start: 0, bars: [], isVeto: false }];
  const close = (group, end) => {
    if (group.bars.length === 0) return;
    const starts = [group.start, ...group.bars.map((bar) => bar + 1)];
    const ends = [...group.bars, end];
    for (const [i, start] of starts.entries()) found.push({ start, end: ends[i], isVeto: group.isVeto });
  };
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at];
    if (sign === '\\') at += 1;
    else if (sign === '[') at = endOfClass(source, at);
    else if (sign === '|') open.at(-1).bars.push(at);
    else if (sign === '(') {
      const head = /^\((?:\?(?:<?[=!]|:|<[^>]+>))?/.exec(source.slice(at, at + 40))[0];
      open.push({ start: at + head.length, bars: [], isVeto: open.at(-1).isVeto || head.endsWith('!') });
    } else if (sign === ')') close(open.pop(), at);
  }
  close(open[0], source.length);
  return found;
}

function endOfClass(source, from) {
  let at = from + 1;
  while (source[at] !== ']') at += source[at] === '\\' ? 2 : 1;
  return at;
}
