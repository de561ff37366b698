// SPDX-License-Identifier: Apache-2.0
import { Button } from '../buttons/Button.tsx';

type CursorPagesProps = {
  /** The cursors of the pages up to this one; the first page has none. */
  readonly cursors: readonly string[];
  /** Of the next page; null or empty on the last one. */
  readonly next: string | null;
  onChange(cursors: readonly string[]): void;
};

/** Buttons for a list with cursors and the newest entries first. Nothing when all of them fit on one page. */
export const CursorPages = ({ cursors, next, onChange }: CursorPagesProps) =>
  cursors.length === 0 && !next ? null : (
    <nav class="pagination" aria-label="Pagination">
      <Button isSmall isDisabled={cursors.length === 0} onClick={() => onChange(cursors.slice(0, -1))}>
        Newer
      </Button>
      <span class="small muted">Page {cursors.length + 1}</span>
      <Button isSmall isDisabled={!next} onClick={() => next && onChange([...cursors, next])}>
        Older
      </Button>
    </nav>
  );
