import { type ComponentType, createContext, useContext } from 'react';
import type { FieldPath } from '../../../../config/agent-text/yaml-document.ts';
import type { Field } from '../model/fields.ts';

export interface FieldsProps {
  readonly fields: readonly Field[];
  readonly at: FieldPath;
}
/** What shows fields; things that hold fields of their own get it from here, for it knows all of them. */
export const InnerContext = createContext<ComponentType<FieldsProps> | undefined>(undefined);

/** The fields of a thing within another. */
export function Inner(props: FieldsProps) {
  const Fields = useContext(InnerContext);
  return Fields ? <Fields {...props} /> : null;
}
