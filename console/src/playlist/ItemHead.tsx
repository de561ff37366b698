import { formatLength } from '../logic/time.ts';
import { Button } from '../parts/Button.tsx';
import { Icon } from '../parts/Icon.tsx';
import type { ItemMoves } from './itemMoves.ts';

type ItemHeadProps = {
  readonly name: string;
  readonly index: number;
  readonly count: number;
  readonly duration: number | undefined;
  readonly breaks: number;
  readonly isOpen: boolean;
  readonly moves: ItemMoves;
  onToggle(): void;
};

/** What an item is called, and how it goes elsewhere. */
export function ItemHead({ name, index, count, duration, breaks, isOpen, moves, onToggle }: ItemHeadProps) {
  const facts = [
    ...(duration === undefined ? [] : [formatLength(duration)]),
    ...(isOpen || breaks === 0 ? [] : [`${breaks} ${breaks === 1 ? 'break' : 'breaks'}`]),
  ];
  return (
    <header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: for the mouse; the buttons beside it are for all */}
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
      <span class="small quiet number">{facts.join(', ')}</span>
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
        <Button icon="trash" kind="quiet" label={`Take ${name} out`} onClick={() => moves.remove(index)} />
      </div>
    </header>
  );
}
