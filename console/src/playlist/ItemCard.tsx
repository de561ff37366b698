import { useState } from 'preact/hooks';
import type { FieldError } from '../api/apiError.ts';
import { errorAt } from '../logic/fieldErrors.ts';
import { nameOfUrl } from '../logic/nameOfUrl.ts';
import type { DraftItem } from '../logic/playlistDraft.ts';
import { keepWhileSame } from '../parts/keepWhileSame.tsx';
import { NumberField } from '../parts/NumberField.tsx';
import { ItemBreaks } from './ItemBreaks.tsx';
import { ItemHead } from './ItemHead.tsx';
import type { ItemMoves } from './itemMoves.ts';
import { SourceField } from './SourceField.tsx';
import { useSourceCheck } from './useSourceCheck.ts';

type ItemCardProps = {
  readonly item: DraftItem;
  readonly index: number;
  readonly count: number;
  readonly errors: readonly FieldError[];
  readonly moves: ItemMoves;
  /** Something is dragged over it. */
  readonly isOver: boolean;
  onChange(item: DraftItem): void;
};

/** With more items than this they are folded: a long list is read first, and its sources are not all asked for at once. */
const MOST_OPEN = 8;

function nameOf({ sourceType, url }: DraftItem): string {
  if (sourceType === 'placeholder') return 'Placeholder';
  return url.trim() === '' ? 'New item' : nameOfUrl(url.trim());
}

function Card({ item, index, count, errors, moves, isOver, onChange }: ItemCardProps) {
  const path = `/contents/${index}`;
  const isWrong = errors.some(({ dataPath }) => dataPath === path || dataPath.startsWith(`${path}/`));
  const [isUnfolded, setUnfolded] = useState(count <= MOST_OPEN || item.url === '');
  const isOpen = isUnfolded || isWrong;
  const check = useSourceCheck(item.sourceType === 'url' && isOpen ? item.url.trim() : '');
  const stated = item.duration !== undefined && item.duration > 0 ? item.duration : undefined;
  const duration = check.found?.duration ?? stated;
  const cutPoints = check.found?.cutPoints ?? [];
  const name = nameOf(item);
  const changeLength = (length: number | undefined) => {
    const { duration: _, ...rest } = item;
    onChange(length === undefined ? rest : { ...rest, duration: length });
  };
  return (
    <li
      class="card item"
      data-index={index}
      onDragOver={moves.dragOver(index)}
      onDrop={moves.drop(index)}
      data-over={isOver}
    >
      <ItemHead
        {...{ name, index, count, duration, moves, isOpen }}
        breaks={item.cuePoints.length}
        onToggle={() => setUnfolded(!isOpen)}
      />
      {isOpen ? (
        <>
          {item.sourceType === 'url' ? (
            <SourceField
              url={item.url}
              check={check}
              error={errorAt(errors, `${path}/url`)}
              onInput={(url) => onChange({ ...item, url })}
            />
          ) : (
            <p class="small quiet">
              Whoever reads this playlist says with ?content= what stands here. A channel cannot play it.
            </p>
          )}
          <ItemBreaks {...{ item, name, path, errors, duration, cutPoints, onChange }} />
          <details>
            <summary>Stated length</summary>
            <NumberField
              label="Seconds"
              value={item.duration}
              error={errorAt(errors, `${path}/duration`)}
              hint="What feeds say when the source has not been measured."
              onInput={changeLength}
            />
          </details>
        </>
      ) : null}
    </li>
  );
}

/** One item: its source, how long it is, and its breaks. */
export const ItemCard = keepWhileSame(Card);
