import { cursorLineEnd, defaultKeymap, history, historyKeymap, selectLineEnd } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, type ViewUpdate } from '@codemirror/view';
import { type RefObject, useEffect, useRef } from 'react';
import { onlyChange } from '../model/text-change.ts';
import { valueDirections } from './bidi.ts';
import { contentLabel } from './hints.ts';
import { hangingIndent } from './indent.ts';
import { appearance } from './theme.ts';

const External = Annotation.define<true>();

interface Wishes {
  readonly label: string;
  readonly canEdit: boolean;
  /** What there is besides; another list, or another label, makes another editor. */
  readonly extensions: readonly Extension[];
  readonly textAtFirst: () => string;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
  readonly onUpdate?: (update: ViewUpdate, editor: EditorView) => void;
}

export interface YamlEditor {
  readonly host: RefObject<HTMLDivElement | null>;
  readonly view: RefObject<EditorView | undefined>;
  /** Another text, by the few letters that differ: what is marked and where the cursor stands stays. */
  readonly show: (text: string) => void;
  readonly mark: (of: (editor: EditorView) => readonly Diagnostic[]) => void;
}

/** YAML to be written, with Arabic values from their own side and what is wrong at its place. */
export function useYamlEditor(wishes: Wishes): YamlEditor {
  const { label, canEdit, extensions } = wishes;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const access = useRef(new Compartment());
  const told = useRef(wishes);
  useEffect(() => {
    told.current = wishes;
  });

  useEffect(() => {
    const save = (): true => {
      told.current.onSave();
      return true;
    };
    const editor: EditorView = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: told.current.textAtFirst(),
        extensions: [
          ...[lineNumbers(), foldGutter(), lintGutter(), history(), drawSelection(), highlightActiveLine()],
          ...[highlightSelectionMatches(), indentOnInput(), bracketMatching(), yaml(), EditorView.lineWrapping],
          ...[appearance, valueDirections, hangingIndent, search({ top: true }), contentLabel(label)],
          keymap.of([
            { key: 'Mod-s', run: save, preventDefault: true },
            // Where the words end, and not where the line ends for the eye: that is where an Arabic value begins.
            { key: 'End', run: cursorLineEnd, shift: selectLineEnd },
            ...[...searchKeymap, ...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap],
          ]),
          ...extensions,
          access.current.of([]),
          EditorView.updateListener.of((update) => {
            const isOwn = update.docChanged && !update.transactions.some((one) => one.annotation(External));
            if (isOwn) told.current.onChange(update.state.doc.toString());
            told.current.onUpdate?.(update, editor);
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
      view.current = undefined;
    };
  }, [label, extensions]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another editor has to be told, too.
  useEffect(() => {
    view.current?.dispatch({
      effects: access.current.reconfigure([EditorState.readOnly.of(!canEdit), EditorView.editable.of(canEdit)]),
    });
  }, [canEdit, label, extensions]);

  const acts = useRef<Pick<YamlEditor, 'show' | 'mark'>>({
    show: (text) => {
      const editor = view.current;
      const change = editor && onlyChange(editor.state.doc.toString(), text);
      if (change) editor.dispatch({ changes: change, annotations: External.of(true) });
    },
    mark: (of) => {
      const editor = view.current;
      if (editor) editor.dispatch(setDiagnostics(editor.state, [...of(editor)]));
    },
  });
  return { host, view, ...acts.current };
}
