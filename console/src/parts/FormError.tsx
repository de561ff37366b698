import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/apiError.ts';
import { otherErrors } from '../logic/fieldErrors.ts';
import { ErrorNotice, Notice } from './Notice.tsx';

/** Goes to the first field that was refused, and opens what it is folded into. @returns whether there is one */
function showFirst(): boolean {
  const field = document.querySelector<HTMLElement>('[aria-invalid="true"]');
  for (let fold = field?.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null)
    fold.open = true;
  field?.focus();
  return field !== null;
}

/** Why a form was not taken; what is wrong with its fields stands there, or here where no field is to blame. */
export function FormError({ error }: { readonly error: unknown }) {
  const data = error instanceof ApiError ? error.data : [];
  const count = data.length;
  const [isShown, setShown] = useState(true);
  useEffect(() => {
    if (count > 0) setShown(showFirst());
  }, [error, count]);
  if (count === 0) return <ErrorNotice error={error} />;
  return (
    <Notice tone="bad">
      Not saved: {count === 1 ? 'a field needs' : `${count} fields need`} another look.
      {isShown ? null : ` ${otherErrors(data, []).join('; ')}`}
    </Notice>
  );
}
