import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Annotation, Compartment, EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { onlyChange } from '../agents/model/text-change.ts';
import { valueDirections } from '../agents/yaml/bidi.ts';
import { contentLabel } from '../agents/yaml/hints.ts';
import { appearance } from '../agents/yaml/theme.ts';
import { placeOfLine } from './model/results.ts';

const External = Annotation.define<true>();

export interface TestsProblem {
  readonly line: number;
  readonly field: string;
  readonly message: string;
}
export interface TestsEditorProps {
  readonly text: string;
  readonly problems: readonly TestsProblem[];
  readonly canEdit: boolean;
  readonly label: string;
  /** A line to be shown; a new object shows it again. */
  readonly target: { readonly line: number } | undefined;
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
}

/** The dialogues as text, with what is wrong at its line. */
export default function TestsEditor(props: TestsEditorProps) {
  const { text, problems, canEdit, label, target } = props;
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
        doc: told.current.text,
        extensions: [
          ...[lineNumbers(), foldGutter(), lintGutter(), history(), drawSelection(), highlightActiveLine()],
          ...[highlightSelectionMatches(), indentOnInput(), bracketMatching(), yaml(), EditorView.lineWrapping],
          ...[appearance, valueDirections, search({ top: true }), contentLabel(label), access.current.of([])],
          keymap.of([
            { key: 'Mod-s', run: () => save(told.current), preventDefault: true },
            ...[...searchKeymap, ...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap],
          ]),
          EditorView.updateListener.of((update) => {
            const isOwn = update.docChanged && !update.transactions.some((one) => one.annotation(External));
            if (isOwn) told.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
      view.current = undefined;
    };
  }, [label]);

  useEffect(() => {
    const change = view.current && onlyChange(view.current.state.doc.toString(), text);
    if (change) view.current?.dispatch({ changes: change, annotations: External.of(true) });
  }, [text]);

  useEffect(() => {
    view.current?.dispatch({
      effects: access.current.reconfigure([EditorState.readOnly.of(!canEdit), EditorView.editable.of(canEdit)]),
    });
  }, [canEdit]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const written = editor.state.doc.toString();
    const found = problems.map(({ line, field, message }) => ({
      ...placeOfLine(written, line),
      ...{ severity: 'error' as const, message: field === '' ? message : `${field}: ${message}` },
    }));
    editor.dispatch(setDiagnostics(editor.state, found));
  }, [problems]);

  useEffect(() => {
    const editor = view.current;
    if (!editor || !target) return;
    const { from } = placeOfLine(editor.state.doc.toString(), target.line);
    editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
  }, [target]);

  return <div ref={host} dir="ltr" style={{ height: '100%', minHeight: 0 }} />;
}

function save({ onSave }: TestsEditorProps): true {
  onSave();
  return true;
}
