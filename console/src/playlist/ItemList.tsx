import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
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

/** Itself, or at an end of the list, where it can do no more, the one beside it. */
const focusNear = (button: HTMLButtonElement): void =>
  (button.disabled ? button.parentElement?.querySelector<HTMLButtonElement>('button:enabled') : button)?.focus();

/** The items in the order in which they play. */
export function ItemList({ items, errors, onChange }: ItemListProps) {
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const [said, setSaid] = useState('');
  // There may be a thousand: what each is given stays the same, so that only those that changed are drawn anew.
  const latest = useRef({ items, onChange, dragged });
  latest.current = { items, onChange, dragged };
  /** The button that moved an item: a browser forgets the focus of what is put elsewhere. */
  const pressed = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const button = pressed.current;
    pressed.current = null;
    if (button instanceof HTMLButtonElement) focusNear(button);
  }, [items]);
  const change = useMemo(
    () => (next: DraftItem) => {
      const { items: all, onChange: tell } = latest.current;
      tell(all.map((each) => (each.key === next.key ? next : each)));
    },
    [],
  );
  const moves = useMemo((): ItemMoves => {
    const dragEnd = () => {
      setDragged(undefined);
      setOver(undefined);
    };
    const move = (from: number, to: number) => {
      const { items: all, onChange: tell } = latest.current;
      if (from === to) return;
      pressed.current = document.activeElement;
      tell(moved(all, from, to));
      setSaid(`Now in place ${to + 1} of ${all.length}`);
    };
    return {
      move,
      remove: (index) => latest.current.onChange(latest.current.items.filter((_, each) => each !== index)),
      dragStart: (index) => (event) => {
        event.dataTransfer?.setData('text/plain', String(index));
        const card = (event.currentTarget as HTMLElement).closest('li');
        if (card) event.dataTransfer?.setDragImage(card, 20, 20);
        setDragged(index);
      },
      dragOver: (index) => (event) => {
        if (latest.current.dragged === undefined) return;
        event.preventDefault();
        setOver(index);
      },
      drop: (index) => (event) => {
        const from = latest.current.dragged;
        if (from === undefined) return;
        event.preventDefault();
        move(from, index);
        dragEnd();
      },
      dragEnd,
      touchStart: (index) => (event) =>
        dragByTouch(event, {
          onOver: (to) => {
            setDragged(index);
            setOver(to);
          },
          onDrop: (to) => move(index, to),
          onEnd: dragEnd,
        }),
    };
  }, []);
  return (
    <>
      <ol class="stack items">
        {items.map((item, index) => (
          <ItemCard
            key={item.key}
            {...{ item, index, errors, moves }}
            count={items.length}
            isOver={dragged !== undefined && dragged !== over && over === index}
            onChange={change}
          />
        ))}
      </ol>
      <p class="unseen" role="status">
        {said}
      </p>
    </>
  );
}
