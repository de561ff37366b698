import { Button } from './Button.tsx';

type PagerProps = {
  readonly offset: number;
  readonly limit: number;
  readonly total: number;
  onChange(offset: number): void;
};

/** Nothing where one page holds it all. */
export const Pager = ({ offset, limit, total, onChange }: PagerProps) =>
  total <= limit ? null : (
    <nav class="pager" aria-label="Pages">
      <Button isSmall isDisabled={offset === 0} onClick={() => onChange(Math.max(0, offset - limit))}>
        Newer
      </Button>
      <span class="small quiet">
        {offset + 1} to {Math.min(total, offset + limit)} of {total.toLocaleString('en-GB')}
      </span>
      <Button isSmall isDisabled={offset + limit >= total} onClick={() => onChange(offset + limit)}>
        Older
      </Button>
    </nav>
  );
