// SPDX-License-Identifier: Apache-2.0
import { isEditConflict } from '../../api/apiError.ts';
import { Notice } from '../feedback/Notice.tsx';
import { FormError } from './FormError.tsx';

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
