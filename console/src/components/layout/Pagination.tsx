// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { formatCount } from '../../format/numbers.ts';
import type { CursorPages } from '../../navigation/useCursorPages.ts';
import { Button } from '../buttons/Button.tsx';

type PageButtonsProps = {
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** Which page it is. */
  readonly children: ComponentChildren;
  newer(): void;
  older(): void;
};

const PageButtons = ({ isFirst, isLast, children, newer, older }: PageButtonsProps) => (
  <nav class="pagination" aria-label="Pagination">
    <Button isSmall isDisabled={isFirst} reason="This is the first page." onClick={newer}>
      Newer
    </Button>
    <span class="small muted">{children}</span>
    <Button isSmall isDisabled={isLast} reason="This is the last page." onClick={older}>
      Older
    </Button>
  </nav>
);

type PaginationProps = {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  onChange(offset: number): void;
};

/** Buttons for a list with the newest entries first. Nothing when all of them fit on one page. */
export const Pagination = ({ offset, limit, total, onChange }: PaginationProps) =>
  total <= limit ? null : (
    <PageButtons
      isFirst={offset === 0}
      isLast={offset + limit >= total}
      newer={() => onChange(Math.max(0, offset - limit))}
      older={() => onChange(offset + limit)}
    >
      {offset + 1}–{Math.min(total, offset + limit)} of {formatCount(total)}
    </PageButtons>
  );

type CursorPaginationProps = {
  readonly pages: CursorPages;
  /** The cursor of the next page; null or empty for the last one. */
  readonly next: string | null;
};

/** Buttons for a list with cursors. Nothing when all of it fits on one page. */
export const CursorPagination = ({ pages: { cursor, page, newer, older }, next }: CursorPaginationProps) =>
  cursor === '' && !next ? null : (
    <PageButtons isFirst={cursor === ''} isLast={!next} newer={newer} older={() => next && older(next)}>
      Page {page}
    </PageButtons>
  );
