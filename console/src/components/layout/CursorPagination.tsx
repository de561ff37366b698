// SPDX-License-Identifier: Apache-2.0
import type { CursorPages } from '../../navigation/useCursorPages.ts';
import { Button } from '../buttons/Button.tsx';

type CursorPaginationProps = {
  readonly pages: CursorPages;
  /** The cursor of the next page; null or empty for the last one. */
  readonly next: string | null;
};

/** Buttons for a list with cursors. Nothing when all of it fits on one page. */
export const CursorPagination = ({ pages: { cursor, page, newer, older }, next }: CursorPaginationProps) =>
  cursor === '' && !next ? null : (
    <nav class="pagination" aria-label="Pagination">
      <Button isSmall isDisabled={cursor === ''} reason="This is the first page." onClick={newer}>
        Newer
      </Button>
      <span class="small muted">Page {page}</span>
      <Button isSmall isDisabled={!next} reason="This is the last page." onClick={() => next && older(next)}>
        Older
      </Button>
    </nav>
  );
