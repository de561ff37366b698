import { useEffect } from 'preact/hooks';
import { ApiError } from '../api/apiError.ts';
import { ErrorNotice, Notice } from './Notice.tsx';

/** Goes to the first field that was refused, and opens what it is folded into. */
function showFirst(): void {
  const field = document.querySelector<HTMLElement>('[aria-invalid="true"]');
  for (let fold = field?.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true;
  field?.focus();
}

/** Why a form was not taken; what is wrong with its fields stands there. */
export function FormError({ error }: { readonly error: unknown }) {
  const count = error instanceof ApiError ? error.data.length : 0;
  useEffect(() => {
    if (count > 0) showFirst();
  }, [error, count]);
  if (count === 0) return <ErrorNotice error={error} />;
  return <Notice tone="bad">Not saved: {count === 1 ? 'a field needs' : `${count} fields need`} another look.</Notice>;
}
