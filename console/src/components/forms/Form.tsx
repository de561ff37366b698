// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, isEditConflict } from '../../api/apiError.ts';
import { plural } from '../../format/numbers.ts';
import { ErrorNotice, Notice } from '../feedback/Notice.tsx';
import { otherErrors } from './fieldErrors.ts';

type FormProps = { readonly children: ComponentChildren; readonly isCard?: boolean; onSubmit(): void };

/** A form without the validation of the browser: the API reports every invalid field. */
export const Form = ({ children, isCard, onSubmit }: FormProps) => (
  <form
    class={isCard ? 'card form' : 'form'}
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);

/** Focuses the first invalid field and opens the sections that contain it. @returns whether there is one */
function focusFirstInvalid(): boolean {
  // Of a list without an entry, the button that adds one.
  const field = document.querySelector<HTMLElement>('.invalid :is(input, select, textarea, button)');
  for (let section = field?.closest('details'); section; section = section.parentElement?.closest('details') ?? null)
    section.open = true;
  field?.focus();
  return field !== null;
}

/** Why a form was not saved. Fields show their own errors; those of fields that are not in the form are listed here. */
export function FormError({ error }: { readonly error: unknown }) {
  const data = error instanceof ApiError ? error.data : [];
  const count = data.length;
  const [isShownAtField, setShownAtField] = useState(true);
  useEffect(() => {
    if (count > 0) setShownAtField(focusFirstInvalid());
  }, [error, count]);
  if (count === 0) return <ErrorNotice error={error} />;
  return (
    <Notice tone="bad">
      Not saved: {plural(count, 'invalid field')}.{isShownAtField ? null : ` ${otherErrors(data).join('; ')}`}
    </Notice>
  );
}

type SaveErrorProps = {
  /** The kind of record, such as `channel`. */
  readonly record: string;
  readonly error: unknown;
  /** Replaces the edits with the stored version. */
  onLoadLatest(): void;
};

/** Why a record was not saved. After an edit by someone else, it offers to load their version. */
export const SaveError = ({ record, error, onLoadLatest }: SaveErrorProps) =>
  isEditConflict(error) ? (
    <Notice tone="warn">
      Someone else changed this {record}.{' '}
      <button type="button" class="link" onClick={onLoadLatest}>
        Load latest version
      </button>{' '}
      (discards your changes).
    </Notice>
  ) : (
    <FormError error={error} />
  );
