// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

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
      <FieldNotes id={id} error={error} hint={hint} />
    </div>
  );
}

type FieldNotesProps = {
  /** The id of the control. The notes have this id with `-error` and `-hint`. */
  readonly id: string;
  readonly error?: string | undefined;
  readonly hint?: ComponentChildren;
};

/** What describes a control, in the order in which screen readers read it. */
export const describedBy = ({ id, error, hint }: FieldNotesProps): string | undefined =>
  [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined;

/** The error and the hint below a control. */
export const FieldNotes = ({ id, error, hint }: FieldNotesProps) => (
  <>
    {error ? (
      <p class="error" id={`${id}-error`}>
        {error}
      </p>
    ) : null}
    {hint ? (
      <p class="hint small muted" id={`${id}-hint`}>
        {hint}
      </p>
    ) : null}
  </>
);
