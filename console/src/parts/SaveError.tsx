import { ApiError } from '../api/apiError.ts';
import { FormError } from './FormError.tsx';
import { Notice } from './Notice.tsx';

type Props = {
  /** What is being edited, e.g. `channel`. */
  readonly what: string;
  readonly error: unknown;
  /** Takes what is stored now in place of what was being edited. */
  onTakeTheirs(): void;
};

/** Why something was not saved; when somebody else had changed it (412), with their version at hand. */
export function SaveError({ what, error, onTakeTheirs }: Props) {
  if (!(error instanceof ApiError && error.status === 412)) return <FormError error={error} />;
  return (
    <Notice tone="warn">
      Somebody changed this {what} while you were editing.{' '}
      <button type="button" class="link" onClick={onTakeTheirs}>
        Show their version
      </button>{' '}
      (your changes go).
    </Notice>
  );
}
