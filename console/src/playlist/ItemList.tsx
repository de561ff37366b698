import { useState } from 'preact/hooks';
import type { FieldError } from '../api/apiError.ts';
import { type DraftItem, moved } from '../logic/playlistDraft.ts';
import { dragByTouch } from './dragByTouch.ts';
import { ItemCard } from './ItemCard.tsx';
import type { ItemMoves } from './itemMoves.ts';

type ItemListProps = {
  readonly items: readonly DraftItem[];
  readonly errors: readonly FieldError[];
  onChange(items: readonly DraftItem[]): void;
};

/** The items in the order in which they play. */
export function ItemList({ items, errors, onChange }: ItemListProps) {
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const [said, setSaid] = useState('');
  const dragEnd = () => {
    setDragged(undefined);
    setOver(undefined);
  };
  const move = (from: number, to: number) => {
    onChange(moved(items, from, to));
    setSaid(`Now in place ${to + 1} of ${items.length}`);
  };
  const moves: ItemMoves = {
    over: dragged === undefined || dragged === over ? undefined : over,
    move,
    remove: (index) => onChange(items.filter((_, each) => each !== index)),
    dragStart: (index) => (event) => {
      event.dataTransfer?.setData('text/plain', String(index));
      const card = (event.currentTarget as HTMLElement).closest('li');
      if (card) event.dataTransfer?.setDragImage(card, 20, 20);
      setDragged(index);
    },
    dragOver: (index) => (event) => {
      if (dragged === undefined) return;
      event.preventDefault();
      setOver(index);
    },
    drop: (index) => (event) => {
      if (dragged === undefined) return;
      event.preventDefault();
      if (dragged !== index) move(dragged, index);
      dragEnd();
    },
    dragEnd,
    touchStart: (index) => (event) => {
      const drop = (to: number) => to !== index && move(index, to);
      dragByTouch(event, {
        onOver: (to) => {
          setDragged(index);
          setOver(to);
        },
        onDrop: drop,
        onEnd: dragEnd,
      });
    },
  };
  return (
    <>
      <ol class="stack items">
        {items.map((item, index) => (
          <ItemCard
            key={item.key}
            {...{ item, index, errors, moves }}
            count={items.length}
            onChange={(next) => onChange(items.map((each) => (each.key === next.key ? next : each)))}
          />
        ))}
      </ol>
      <p class="unseen" role="status">
        {said}
      </p>
    </>
  );
}
