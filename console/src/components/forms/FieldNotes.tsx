// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';

type FieldNotesProps = {
  /** Of the control. The notes have its id with `-error` and `-hint`. */
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
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    ) : null}
  </>
);
