// SPDX-License-Identifier: Apache-2.0
import { Button } from '../components/buttons/Button.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { plural } from '../format/numbers.ts';
import { formatTimecode } from '../format/time.ts';
import type { ItemMoves } from './itemMoves.ts';

type ItemHeaderProps = {
  readonly name: string;
  readonly index: number;
  readonly count: number;
  readonly duration: number | undefined;
  readonly breaks: number;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
  readonly moves: ItemMoves;
  onToggle(): void;
  /** @param isRange selects the items up to the one that was selected before */
  onSelect(isRange: boolean): void;
};

/** The name of an item, and the controls that expand, move and remove it. */
export function ItemHeader(props: ItemHeaderProps) {
  const { name, index, count, duration, breaks, isOpen, isSelected, moves, onToggle, onSelect } = props;
  const facts = [
    ...(duration === undefined ? [] : [formatTimecode(duration)]),
    ...(isOpen || breaks === 0 ? [] : [plural(breaks, 'break')]),
  ];
  return (
    <header>
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        title="Shift selects a range"
        checked={isSelected}
        onClick={({ shiftKey }) => onSelect(shiftKey)}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: for the mouse; the keyboard has the buttons */}
      <span
        class="grip"
        draggable
        title="Drag to move"
        onDragStart={moves.dragStart(index)}
        onDragEnd={moves.dragEnd}
        onPointerDown={moves.touchStart(index)}
      >
        <Icon name="grip" />
      </span>
      <h3>
        <button type="button" aria-expanded={isOpen} onClick={onToggle}>
          <Icon name="chevron" />
          <span title={name}>
            {index + 1}. {name}
          </span>
        </button>
      </h3>
      <span class="small muted number">{facts.join(', ')}</span>
      <div class="actions">
        <Button
          icon="up"
          kind="quiet"
          label={`Move ${name} up`}
          isDisabled={index === 0}
          onClick={() => moves.move(index, index - 1)}
        />
        <Button
          icon="down"
          kind="quiet"
          label={`Move ${name} down`}
          isDisabled={index === count - 1}
          onClick={() => moves.move(index, index + 1)}
        />
        <Button icon="trash" kind="quiet" label={`Remove ${name}`} onClick={() => moves.remove(index)} />
      </div>
    </header>
  );
}
