import { Document, isMap, isScalar, isSeq } from 'yaml';
import type { Shape } from './shape.ts';
import { fieldShape, itemShape, shapeFor } from './shape.ts';
import { isTree } from './yaml-document.ts';

/** Parts of an agent that begin after an empty line. */
const PARTS = [
  'greeting',
  'intents',
  'flows',
  'knowledge',
  'sentences',
  'tables',
  'belongsTo',
  'noMatch',
  'transferTarget',
];
/** Lists whose items are lines of a table: each stays on its line. */
const TABLES = 'tables';

/** A definition as a text that is good to read: keys in the order of its shape, one sentence a line. Pure. */
export function writeDefinition(definition: unknown, shape: Shape): string {
  const document = new Document(inOrder(definition, shape), { version: '1.2', aliasDuplicateObjects: false });
  if (isMap(document.contents)) {
    document.contents.items.forEach(({ key, value }, index) => {
      if (!isScalar(key)) return;
      if (index > 0 && PARTS.includes(String(key.value))) key.spaceBefore = true;
      if (key.value === TABLES && isMap(value)) for (const rows of value.items) rowsInLine(rows.value);
    });
  }
  return document.toString({ lineWidth: 0 });
}

function rowsInLine(rows: unknown): void {
  if (!isSeq(rows)) return;
  for (const row of rows.items) if (isMap(row)) row.flow = true;
}

/** Keys as the shape has them; those it does not name, behind them as they are. */
function inOrder(value: unknown, shape: Shape | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, shape && shapeFor(itemShape(shape), item)));
  if (!isTree(value)) return value;
  const known = Object.keys((shape && shapeFor(shape, value))?.properties ?? {});
  const names = [
    ...known.filter((name) => Object.hasOwn(value, name)),
    ...Object.keys(value).filter((name) => !known.includes(name)),
  ];
  return Object.fromEntries(names.map((name) => [name, inOrder(value[name], shape && fieldShape(shape, name, value))]));
}
