/**
 * A loader of modules: those of the text engines are read from `src`, and every condition, operand, reader in a chain and table in
 * them is told to `globalThis.ablation`, which can take each away while the program runs.
 */
import { readFileSync } from 'node:fs';
import { parseSync, transformWithOxc } from 'vite';

const MODULES = /\/dist\/(engines\/text\/(?:normalize|redact|coverage)\/[a-z-]+)\.js$/;
/** What guards against nothing, or against too much, stays whatever the rows say. */
const GUARD = /undefined|null\b|_MAX|_MIN|\.length\b|hasTakenOut|[<>]=? 0|[!=]== -1/;

export async function load(url, context, nextLoad) {
  const name = MODULES.exec(url)?.[1];
  return name
    ? { format: 'module', source: await instrumented(`${name}.ts`), shortCircuit: true }
    : nextLoad(url, context);
}

async function instrumented(name) {
  const text = readFileSync(new URL(`../../../src/${name}`, import.meta.url), 'utf8');
  const before = [];
  const after = [];
  visit(parseSync(name, text).program, (node) => {
    for (const [part, kind] of sitesOf(node)) {
      if (GUARD.test(text.slice(part.start, part.end))) continue;
      const at = `${name}:${part.start}:${part.end}:${kind}`;
      before.push({ at: part.start, put: `ablation.${kind}(${JSON.stringify(at)},(` });
      after.push({ at: part.end, put: '))' });
    }
  });
  const tables = [...text.matchAll(/^(?:export )?const ([A-Z][A-Z_0-9]+)\b[^=]* =/gm)].map(([, one]) => one);
  const tell = tables.map((one) => `ablation.table('${name} ${one}', ${one});`).join('\n');
  let source = '';
  let from = 0;
  const edits = [...after.reverse(), ...before].sort((left, right) => left.at - right.at);
  for (const { at, put } of edits) {
    source += text.slice(from, at) + put;
    from = at;
  }
  const { code } = await transformWithOxc(`${source}${text.slice(from)}\n${tell}\n`, name, { sourcemap: false });
  return code.replace(/(from\s*["'][^"']+)\.ts(["'])/g, '$1.js$2');
}

function visit(node, see) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const one of node) visit(one, see);
    return;
  }
  if (typeof node.type === 'string') see(node);
  for (const key in node) visit(node[key], see);
}

const HOW = { '||': 'never', '&&': 'always', '??': 'nothing' };

/** The parts of a node that can be taken away, and how. */
function sitesOf(node) {
  if (node.type === 'IfStatement') return [[node.test, 'never']];
  if (node.type === 'ConditionalExpression') {
    return [
      [node.test, 'never'],
      [node.test, 'always'],
    ];
  }
  if (node.type !== 'LogicalExpression') return [];
  const isSame = (one) => one.type === 'LogicalExpression' && one.operator === node.operator;
  return [node.left, node.right].filter((one) => !isSame(one)).map((one) => [one, HOW[node.operator]]);
}
