// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { describedBy, FieldNotes } from './FieldNotes.tsx';

export type FieldControl = {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
};

type FieldProps = {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** The error that the API reported for this field. */
  readonly error?: string | undefined;
  /** Renders the control with these attributes. */
  children(control: FieldControl): ComponentChildren;
};

/** A control with its label, error and hint. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  return (
    <div class={`field${error ? ' invalid' : ''}`}>
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': describedBy({ id, error, hint }), 'aria-invalid': Boolean(error) })}
      <FieldNotes {...{ id, error, hint }} />
    </div>
  );
}
