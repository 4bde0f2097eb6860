import { RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const COLUMNS_MAX = 24;
/** What the lines of the editor begin with by themselves. */
const PADDING = '6px';

/** A line that is broken goes on below its value, and not below the keys of others. */
export const hangingIndent = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }
    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged) this.decorations = decorate(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function decorate(view: EditorView): DecorationSet {
  const found = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      const columns = Math.min(COLUMNS_MAX, (/^ *(?:- )?/.exec(line.text)?.[0].length ?? 0) + 2);
      const style = `padding-inline-start: calc(${PADDING} + ${columns}ch); text-indent: -${columns}ch`;
      found.add(line.from, line.from, Decoration.line({ attributes: { style } }));
      at = line.to + 1;
    }
  }
  return found.finish();
}
