// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../api/apiError.ts';
import { plural } from '../../format/numbers.ts';
import { ErrorNotice, Notice } from '../feedback/Notice.tsx';
import { otherErrors } from './fieldErrors.ts';

/** Focuses the first invalid field and opens the sections that contain it. @returns whether there is one */
function focusFirstInvalid(): boolean {
  const field = document.querySelector<HTMLElement>('[aria-invalid="true"]');
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
      Not saved: {plural(count, 'invalid field')}.{isShownAtField ? null : ` ${otherErrors(data, []).join('; ')}`}
    </Notice>
  );
}
