// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FieldError } from '../api/apiError.ts';
import { Button } from '../components/buttons/Button.tsx';
import { moveEntry } from '../components/buttons/MoveButtons.tsx';
import { useDrag } from '../components/pointer/useDrag.ts';
import { formatCount } from '../format/numbers.ts';
import { BreaksEveryDialog } from './BreaksEveryDialog.tsx';
import { ItemCard } from './ItemCard.tsx';
import {
  type ItemMoves,
  moveSelected,
  moveSelectedTo,
  type Selection,
  selectTo,
  toggleItem,
  withoutRemoved,
} from './itemSelection.ts';
import type { DraftItem } from './playlistDraft.ts';

type ItemListProps = {
  readonly items: readonly DraftItem[];
  readonly errors: readonly FieldError[];
  onChange(items: readonly DraftItem[]): void;
};

/** Focuses the button, or the other move button when this one is disabled at an end of the list. */
const focusEnabled = (button: HTMLButtonElement): void =>
  (button.disabled ? button.parentElement?.querySelector<HTMLButtonElement>('button:enabled') : button)?.focus();

/** The items in playing order. */
export function ItemList({ items, errors, onChange }: ItemListProps) {
  const [announcement, setAnnouncement] = useState('');
  const [selection, setSelection] = useState<Selection>(new Set());
  const [isSettingBreaks, setSettingBreaks] = useState(false);
  /** The item that was selected last, where a range starts. */
  const anchor = useRef<number>();
  const selected = useMemo(() => withoutRemoved(items, selection), [items, selection]);
  // A list may have a thousand items. Their handlers stay the same, so that only changed items are rendered again.
  const latest = useRef({ items, onChange });
  latest.current = { items, onChange };
  /** The button that moved an item: a browser drops the focus of an element that moves in the DOM. */
  const pressed = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const button = pressed.current;
    pressed.current = null;
    if (button instanceof HTMLButtonElement) focusEnabled(button);
  }, [items]);
  const changeItem = useMemo(
    () => (next: DraftItem) => {
      const { items: all, onChange: change } = latest.current;
      change(all.map((each) => (each.key === next.key ? next : each)));
    },
    [],
  );
  const select = useMemo(
    () => (key: number, isRange: boolean) => {
      const from = anchor.current;
      anchor.current = key;
      setSelection((last) => (isRange ? selectTo(latest.current.items, last, from, key) : toggleItem(last, key)));
    },
    [],
  );
  const move = (from: number, to: number) => {
    const { items: all, onChange: change } = latest.current;
    if (from === to) return;
    pressed.current = document.activeElement;
    change(moveEntry(all, from, to));
    setAnnouncement(`Moved to position ${to + 1} of ${all.length}`);
  };
  const { handlers, isOver } = useDrag((from, to) => move(Number(from), Number(to)));
  const moves = useMemo(
    (): ItemMoves => ({
      move,
      remove: (index) => latest.current.onChange(latest.current.items.filter((_, each) => each !== index)),
      drag: handlers,
    }),
    [],
  );
  return (
    <>
      {items.length > 1 ? (
        <SelectionBar
          items={items}
          selected={selected}
          onChange={onChange}
          onSelect={setSelection}
          onSetBreaks={() => setSettingBreaks(true)}
        />
      ) : null}
      <ol class="stack items">
        {items.map((item, index) => (
          <ItemCard
            key={item.key}
            item={item}
            index={index}
            errors={errors}
            moves={moves}
            count={items.length}
            isOver={isOver(`${index}`)}
            isSelected={selected.has(item.key)}
            onChange={changeItem}
            onSelect={select}
          />
        ))}
      </ol>
      {isSettingBreaks ? (
        <BreaksEveryDialog
          items={items.filter(({ key }) => selected.has(key))}
          onApply={(changed) => onChange(items.map((item) => changed.find(({ key }) => key === item.key) ?? item))}
          onClose={() => setSettingBreaks(false)}
        />
      ) : null}
      <p class="visually-hidden" role="status">
        {announcement}
      </p>
    </>
  );
}

type SelectionBarProps = {
  readonly items: readonly DraftItem[];
  readonly selected: Selection;
  onChange(items: readonly DraftItem[]): void;
  onSelect(selected: Selection): void;
  onSetBreaks(): void;
};

/** What can be done with several items at once. */
function SelectionBar({ items, selected, onChange, onSelect, onSetBreaks }: SelectionBarProps) {
  const isAll = selected.size === items.length;
  return (
    <div class="items-bar row" role="toolbar" aria-label="Selected items">
      <label class="check">
        <input
          type="checkbox"
          checked={isAll}
          indeterminate={selected.size > 0 && !isAll}
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
