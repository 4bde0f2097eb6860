import { type FieldProps, Lines } from './simple.tsx';

/** Documents by their ids. */
export function Documents({ field, path }: FieldProps<'documents'>) {
  return <Lines field={{ ...field, kind: 'lines', isCode: true, example: 'doc_opening' }} path={path} />;
}
