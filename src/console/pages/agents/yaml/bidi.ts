import { syntaxTree } from '@codemirror/language';
import { Prec, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, Direction, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { directionOf } from '../model/direction.ts';

const isolate = (dir: 'rtl' | 'ltr'): Decoration =>
  Decoration.mark({
    attributes: { style: `direction: ${dir}; unicode-bidi: isolate` },
    bidiIsolate: dir === 'rtl' ? Direction.RTL : Direction.LTR,
  });
const MARKS = { rtl: isolate('rtl'), ltr: isolate('ltr') } as const;
/** What a person has written, in the names of the grammar. */
const TEXTS = new Set(['Literal', 'QuotedLiteral', 'BlockLiteralContent', 'Comment']);

/** Each value in its own direction, so that an Arabic sentence does not turn the key before it or the brackets around it. */
class ValueDirections {
  decorations: DecorationSet;
  constructor(view: EditorView) {
    this.decorations = decorate(view);
  }
  update(update: ViewUpdate): void {
    const isParsed = syntaxTree(update.state) !== syntaxTree(update.startState);
    if (update.docChanged || update.viewportChanged || isParsed) this.decorations = decorate(update.view);
  }
}

function decorate(view: EditorView): DecorationSet {
  const found = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      ...{ from, to },
      enter: (node) => {
        if (!TEXTS.has(node.name)) return;
        // A text of several lines is isolated line by line.
        for (let at = Math.max(node.from, from); at < Math.min(node.to, to); ) {
          const line = view.state.doc.lineAt(at);
          const end = Math.min(node.to, line.to);
          const dir = directionOf(view.state.sliceDoc(at, end));
          if (dir && end > at) found.add(at, end, MARKS[dir]);
          at = line.to + 1;
        }
      },
    });
  }
  return found.finish();
}

export const valueDirections = ViewPlugin.fromClass(ValueDirections, {
  provide: (plugin) => {
    const marks = (view: EditorView): DecorationSet => view.plugin(plugin)?.decorations ?? Decoration.none;
    return [EditorView.outerDecorations.of(marks), Prec.lowest(EditorView.bidiIsolatedRanges.of(marks))];
  },
});
