import { cursorLineEnd, defaultKeymap, history, historyKeymap, selectLineEnd } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { DraftStore } from '../model/draft-store.ts';
import type { Finding } from '../model/findings.ts';
import type { Shape } from '../model/shape.ts';
import { onlyChange } from '../model/text-change.ts';
import { type FieldPath, type Place, pathAt, placeOf } from '../model/yaml-document.ts';
import { valueDirections } from './bidi.ts';
import { completions } from './completion.ts';
import { contentLabel, keyHints } from './hints.ts';
import { hangingIndent } from './indent.ts';
import { appearance } from './theme.ts';

const External = Annotation.define<true>();
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
  const { store, shape, findings, canEdit, target } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const access = useRef(new Compartment());
  const told = useRef(props);
  useEffect(() => {
    told.current = props;
  });

  useEffect(() => {
    const editor = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: store.state().text,
        extensions: [
          ...[
            lineNumbers(),
            foldGutter(),
            lintGutter(),
            history(),
            drawSelection(),
            highlightActiveLine(),
            highlightSelectionMatches(),
          ],
          ...[
            indentOnInput(),
            bracketMatching(),
            yaml(),
            EditorView.lineWrapping,
            appearance,
            valueDirections,
            hangingIndent,
            shownField,
          ],
          search({ top: true }),
          EditorState.phrases.of(told.current.phrases),
          keymap.of([
            { key: 'Mod-s', run: () => save(told.current), preventDefault: true },
            // Where the words end, and not where the line ends for the eye: that is where an Arabic value begins.
            { key: 'End', run: cursorLineEnd, shift: selectLineEnd },
            ...[...searchKeymap, ...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap],
          ]),
          completions(shape, () => store.state().value),
          keyHints(shape, () => store.state().parsed),
          contentLabel(told.current.label),
          access.current.of([]),
          EditorView.updateListener.of((update) => {
            const isOwn = update.docChanged && !update.transactions.some((one) => one.annotation(External));
            if (isOwn) store.setText(update.state.doc.toString());
            if (update.selectionSet && editor.hasFocus)
              told.current.onCursor(pathAt(store.state().parsed, update.state.selection.main.head));
          }),
        ],
      }),
    });
    view.current = editor;
    const stop = store.watch(() => {
      const { text } = store.state();
      const change = onlyChange(editor.state.doc.toString(), text);
      if (change) editor.dispatch({ changes: change, annotations: External.of(true) });
    });
    return () => {
      stop();
      editor.destroy();
      view.current = undefined;
    };
  }, [store, shape]);

  useEffect(() => {
    view.current?.dispatch({
      effects: access.current.reconfigure([EditorState.readOnly.of(!canEdit), EditorView.editable.of(canEdit)]),
    });
  }, [canEdit]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const { parsed } = store.state();
    const most = editor.state.doc.length;
    const diagnostics = findings.map(({ severity, path, message, token, place }): Diagnostic => {
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
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [findings, store]);

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
  }, [target, store]);

  return <div ref={host} dir="ltr" style={{ height: '100%', minHeight: 0 }} />;
}

function save({ onSave }: YamlPaneProps): true {
  onSave();
  return true;
}
