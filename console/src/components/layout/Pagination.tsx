// SPDX-License-Identifier: Apache-2.0
import { formatCount } from '../../format/numbers.ts';
import { Button } from '../buttons/Button.tsx';

type PaginationProps = {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  onChange(offset: number): void;
};

/** Buttons for a list with the newest entries first. Nothing when all of them fit on one page. */
export const Pagination = ({ offset, limit, total, onChange }: PaginationProps) =>
  total <= limit ? null : (
    <nav class="pagination" aria-label="Pagination">
      <Button
        isSmall
        isDisabled={offset === 0}
        reason="This is the first page."
        onClick={() => onChange(Math.max(0, offset - limit))}
      >
        Newer
      </Button>
      <span class="small muted">
        {offset + 1}–{Math.min(total, offset + limit)} of {formatCount(total)}
      </span>
      <Button
        isSmall
        isDisabled={offset + limit >= total}
        reason="This is the last page."
        onClick={() => onChange(offset + limit)}
      >
        Older
      </Button>
    </nav>
  );
