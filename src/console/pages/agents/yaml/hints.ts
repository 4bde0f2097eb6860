import { EditorView, hoverTooltip } from '@codemirror/view';
import { type Shape, shapeAt, wordsOf } from '../../../../config/agent-text/shape.ts';
import { type ParsedText, pathAt } from '../../../../config/agent-text/yaml-document.ts';

/** What a key does, said by the shape of agents where the pointer rests on it. */
export const keyHints = (shape: Shape, parsedNow: () => ParsedText) =>
  hoverTooltip((view, offset) => {
    const parsed = parsedNow();
    if (parsed.text.length !== view.state.doc.length || !parsed.value) return null;
    const path = pathAt(parsed, offset);
    const found = shapeAt(shape, path, parsed.value);
    if (!found?.description || path.length === 0) return null;
    const words = wordsOf(found);
    const { from, to } = view.state.wordAt(offset) ?? { from: offset, to: offset };
    return {
      ...{ pos: from, end: to, above: true },
      create: () => ({ dom: hintBox(String(path.at(-1)), found.description!, words) }),
    };
  });

function hintBox(name: string, description: string, words: readonly string[]): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-keyHint';
  box.dir = 'ltr';
  const head = document.createElement('strong');
  head.textContent = name;
  box.append(head, document.createElement('br'), description);
  if (words.length > 0) {
    const list = document.createElement('code');
    list.textContent = words.join(' | ');
    box.append(list);
  }
  return box;
}

/** The name of the text for screen readers. */
export const contentLabel = (label: string) => EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' });
