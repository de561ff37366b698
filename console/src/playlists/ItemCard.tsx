// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { FieldError } from '../api/apiError.ts';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { NumberField } from '../components/forms/NumberField.tsx';
import { ItemBreaks } from './ItemBreaks.tsx';
import { ItemHeader } from './ItemHeader.tsx';
import type { ItemMoves } from './itemMoves.ts';
import { itemName } from './itemName.ts';
import { memo } from './memo.tsx';
import type { DraftItem } from './playlistDraft.ts';
import { SourceField } from './SourceField.tsx';
import { useSourceCheck } from './useSourceCheck.ts';

type ItemCardProps = {
  readonly item: DraftItem;
  readonly index: number;
  readonly count: number;
  readonly errors: readonly FieldError[];
  readonly moves: ItemMoves;
  /** Another item is dragged over this one. */
  readonly isOver: boolean;
  readonly isSelected: boolean;
  onChange(item: DraftItem): void;
  onSelect(key: number, isRange: boolean): void;
};

/** The items of a longer list are collapsed at first, so that their sources are not all checked at once. */
const MAX_EXPANDED = 8;

function Card({ item, index, count, errors, moves, isOver, isSelected, onChange, onSelect }: ItemCardProps) {
  const path = `/contents/${index}`;
  const hasError = errors.some(({ dataPath }) => dataPath === path || dataPath.startsWith(`${path}/`));
  const [isExpanded, setExpanded] = useState(count <= MAX_EXPANDED || item.url === '');
  const isOpen = isExpanded || hasError;
  const check = useSourceCheck(item.sourceType === 'url' && isOpen ? item.url.trim() : '');
  const stated = item.duration !== undefined && item.duration > 0 ? item.duration : undefined;
  const duration = check.result?.duration ?? stated;
  const cutPoints = check.result?.cutPoints ?? [];
  const name = itemName(item);
  const changeDuration = (next: number | undefined) => {
    const { duration: _, ...rest } = item;
    onChange(next === undefined ? rest : { ...rest, duration: next });
  };
  return (
    <li
      class="card item"
      data-index={index}
      onDragOver={moves.dragOver(index)}
      onDrop={moves.drop(index)}
      data-over={isOver}
      data-selected={isSelected}
    >
      <ItemHeader
        {...{ name, index, count, duration, moves, isOpen, isSelected }}
        onSelect={(isRange) => onSelect(item.key, isRange)}
        breaks={item.cuePoints.length}
        onToggle={() => setExpanded(!isOpen)}
      />
      {isOpen ? (
        <>
          {item.sourceType === 'url' ? (
            <SourceField
              url={item.url}
              check={check}
              error={fieldError(errors, `${path}/url`)}
              onInput={(url) => onChange({ ...item, url })}
            />
          ) : (
            <p class="small muted">
              Feeds and VoD channels take the URL from ?content=. Linear channels cannot play a placeholder.
            </p>
          )}
          <ItemBreaks {...{ item, name, path, errors, duration, cutPoints, onChange }} />
          <details>
            <summary>Fallback duration</summary>
            <NumberField
              label="Seconds"
              value={item.duration}
              error={fieldError(errors, `${path}/duration`)}
              hint="Used in feeds while the source is not measured."
              onInput={changeDuration}
            />
          </details>
        </>
      ) : null}
    </li>
  );
}

/** One item of a playlist: its source and its breaks. */
export const ItemCard = memo(Card);
