// SPDX-License-Identifier: Apache-2.0
import { Button } from '../components/buttons/Button.tsx';
import { formatCount } from '../format/numbers.ts';
import { moveSelected, moveSelectedTo, type Selection } from './itemSelection.ts';
import type { DraftItem } from './playlistDraft.ts';

type SelectionBarProps = {
  readonly items: readonly DraftItem[];
  readonly selected: Selection;
  onChange(items: readonly DraftItem[]): void;
  onSelect(selected: Selection): void;
  onSetBreaks(): void;
};

/** What can be done with several items at once. */
export function SelectionBar({ items, selected, onChange, onSelect, onSetBreaks }: SelectionBarProps) {
  const isAll = selected.size === items.length;
  return (
    <div class="selection-bar" role="toolbar" aria-label="Selected items">
      <label class="check">
        <input
          type="checkbox"
          checked={isAll}
          ref={(box) => {
            if (box) box.indeterminate = selected.size > 0 && !isAll;
          }}
          onChange={() => onSelect(isAll ? new Set() : new Set(items.map(({ key }) => key)))}
        />
        {selected.size === 0 ? 'Select all' : `${formatCount(selected.size)} selected`}
      </label>
      {selected.size === 0 ? null : (
        <>
          <Button icon="up" isSmall onClick={() => onChange(moveSelected(items, selected, -1))}>
            Up
          </Button>
          <Button icon="down" isSmall onClick={() => onChange(moveSelected(items, selected, 1))}>
            Down
          </Button>
          <Button isSmall onClick={() => onChange(moveSelectedTo(items, selected, 'start'))}>
            To start
          </Button>
          <Button isSmall onClick={() => onChange(moveSelectedTo(items, selected, 'end'))}>
            To end
          </Button>
          <Button isSmall onClick={onSetBreaks}>
            Set breaks…
          </Button>
          <Button
            icon="trash"
            isSmall
            onClick={() => {
              onChange(items.filter(({ key }) => !selected.has(key)));
              onSelect(new Set());
            }}
          >
            Remove
          </Button>
          <Button kind="quiet" isSmall onClick={() => onSelect(new Set())}>
            Clear
          </Button>
        </>
      )}
    </div>
  );
}
