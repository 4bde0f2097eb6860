import type { Diagnostic } from '@codemirror/lint';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { useEffect, useMemo, useRef } from 'react';
import type { Shape } from '../../../../config/agent-text/shape.ts';
import { type FieldPath, type Place, pathAt, placeOf } from '../../../../config/agent-text/yaml-document.ts';
import { useNoticeWords } from '../../../i18n/notice-text.ts';
import type { DraftStore } from '../model/draft-store.ts';
import type { Finding } from '../model/findings.ts';
import { completions } from './completion.ts';
import { keyHints } from './hints.ts';
import { useYamlEditor } from './use-yaml-editor.ts';

const showPlace = StateEffect.define<Place | undefined>();
const shownLine = Decoration.line({ class: 'cm-shown' });
const SHOWN_LINES_MAX = 200;

/** The lines of the field that has the focus in the form. */
const shownField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, transaction) => {
    const effect = transaction.effects.find((one) => one.is(showPlace));
    if (!effect) return before.map(transaction.changes);
    const place = effect.value as Place | undefined;
    if (!place) return Decoration.none;
    const { doc } = transaction.state;
    const [first, last] = [doc.lineAt(place.from).number, doc.lineAt(Math.min(place.to, doc.length)).number];
    const lines = Array.from({ length: Math.min(last - first + 1, SHOWN_LINES_MAX) }, (_one, at) =>
      doc.line(first + at),
    );
    return Decoration.set(lines.map((line) => shownLine.range(line.from)));
  },
  provide: (field) => EditorView.decorations.from(field),
});

export interface YamlPaneProps {
  readonly store: DraftStore;
  readonly shape: Shape;
  readonly findings: readonly Finding[];
  readonly canEdit: boolean;
  readonly label: string;
  /** Words of the search, by what they are in English. */
  readonly phrases: Readonly<Record<string, string>>;
  /** What is shown; `place` before `path` where both are there. A new object shows it again. */
  readonly target: { readonly path: FieldPath; readonly place?: Place; readonly takesFocus?: boolean } | undefined;
  readonly onCursor: (path: FieldPath) => void;
  readonly onSave: () => void;
}

/** The text of an agent, in an editor of its own chunk. */
export default function YamlPane(props: YamlPaneProps) {
  const { store, shape, findings, canEdit, target, label } = props;
  const phrases = useRef(props.phrases); // of the language in which the editor was opened
  const extensions = useMemo(
    () => [
      shownField,
      EditorState.phrases.of(phrases.current),
      completions(shape, () => store.state().value),
      keyHints(shape, () => store.state().parsed),
    ],
    [shape, store],
  );
  const words = useNoticeWords();
  const { host, view, show, mark } = useYamlEditor({
    ...{ label, canEdit, extensions, textAtFirst: () => store.state().text },
    ...{ onChange: (text) => store.setText(text), onSave: props.onSave },
    onUpdate: (update, editor) => {
      if (!update.selectionSet || !editor.hasFocus) return;
      props.onCursor(pathAt(store.state().parsed, update.state.selection.main.head));
    },
  });

  useEffect(() => store.watch(() => show(store.state().text)), [store, show]);

  useEffect(() => {
    const { parsed } = store.state();
    mark((editor) => {
      const most = editor.state.doc.length;
      return findings.map(({ severity, path, message: english, notice, token, place }): Diagnostic => {
        const message = words.text(notice, english);
        const { from, to } = place ?? placeOf(parsed, path);
        const word = token === undefined ? -1 : parsed.text.slice(from, to).indexOf(token);
        const exact =
          word < 0 || token === undefined ? { from, to } : { from: from + word, to: from + word + token.length };
        return {
          ...{ from: Math.min(exact.from, most), to: Math.min(exact.to, most) },
          severity: severity === 'speech' ? 'info' : severity,
          message: token === undefined ? message : `${token}: ${message}`,
        };
      });
    });
  }, [findings, store, mark, words]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || !target) return;
    if (editor.hasFocus && !target.takesFocus) return;
    const { from, to } = target.place ?? placeOf(store.state().parsed, target.path);
    const most = editor.state.doc.length;
    const place = { from: Math.min(from, most), to: Math.min(to, most) };
    editor.dispatch({
      effects: [showPlace.of(place), EditorView.scrollIntoView(place.from, { y: 'center' })],
      ...(target.takesFocus && { selection: { anchor: place.from } }),
    });
    if (target.takesFocus) editor.focus();
  }, [target, store, view]);

  return <div ref={host} dir="ltr" style={{ height: '100%', minHeight: 0 }} />;
}
