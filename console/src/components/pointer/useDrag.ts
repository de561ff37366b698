// SPDX-License-Identifier: Apache-2.0
// Dragging the entries of lists by their grips. Browsers support that for mice only; a finger or a pen is followed until it is lifted.
import { useMemo, useRef, useState } from 'preact/hooks';
import { followPointer } from './followPointer.ts';

/** The page scrolls while the finger is this close to an edge of the screen. Pixels. */
const EDGE = 72;
/** Pixels per frame. */
const SCROLL_SPEED = 9;

type TouchDrag = {
  /** The place under the finger; undefined outside the list. */
  onOver(place: string | undefined): void;
  onDrop(place: string): void;
  /** Called last, whether the entry was dropped or not. */
  onEnd(): void;
};

/** The innermost place at a point of the screen. */
const placeAt = (x: number, y: number): string | undefined =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-place]')?.dataset.place;

function startTouchDrag(start: PointerEvent, { onOver, onDrop, onEnd }: TouchDrag): void {
  const grip = start.currentTarget as HTMLElement;
  // Otherwise a long press would start a native drag.
  grip.draggable = start.pointerType === 'mouse';
  if (grip.draggable) return;
  start.preventDefault();
  grip.setPointerCapture(start.pointerId);
  let [x, y] = [start.clientX, start.clientY];
  let frame = 0;
  const follow = () => {
    if (y < EDGE) scrollBy(0, -SCROLL_SPEED);
    else if (y > innerHeight - EDGE) scrollBy(0, SCROLL_SPEED);
    onOver(placeAt(x, y));
    frame = requestAnimationFrame(follow);
  };
  const move = ({ clientX, clientY }: PointerEvent) => {
    [x, y] = [clientX, clientY];
  };
  followPointer(grip, move, (isLifted) => {
    const place = placeAt(x, y);
    cancelAnimationFrame(frame);
    onEnd();
    if (isLifted && place !== undefined) onDrop(place);
  });
  follow();
}

export type DragHandlers = ReturnType<typeof useDrag>['handlers'];

/**
 * Entries are named by their places, which may be nested.
 * @param onDrop called with the places of the entry and of the one onto which it was dropped
 * @returns handlers that stay the same, and whether another entry is dragged over a place
 */
export function useDrag(onDrop: (from: string, to: string) => void) {
  const [dragged, setDragged] = useState<string>();
  const [over, setOver] = useState<string>();
  const latest = useRef({ onDrop, dragged });
  latest.current = { onDrop, dragged };
  const handlers = useMemo(() => {
    const end = () => {
      setDragged(undefined);
      setOver(undefined);
    };
    /** Of the innermost place only. */
    const whileDragged = (act: (from: string) => void) => (event: DragEvent) => {
      const from = latest.current.dragged;
      if (from === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      act(from);
    };
    return {
      /** The props of a grip. */
      grip: (place: string) => ({
        draggable: true,
        onDragStart(event: DragEvent) {
          event.dataTransfer?.setData('text/plain', place);
          const entry = (event.currentTarget as HTMLElement).closest('li');
          if (entry) event.dataTransfer?.setDragImage(entry, 20, 20);
          setDragged(place);
        },
        onDragEnd: end,
        onPointerDown: (event: PointerEvent) =>
          startTouchDrag(event, {
            onOver(to) {
              setDragged(place);
              setOver(to);
            },
            onDrop: (to) => latest.current.onDrop(place, to),
            onEnd: end,
          }),
      }),
      /** The props of an entry. */
      target: (place: string) => ({
        'data-place': place,
        onDragOver: whileDragged(() => setOver(place)),
        onDrop: whileDragged((from) => {
          end();
          latest.current.onDrop(from, place);
        }),
      }),
    };
  }, []);
  return { handlers, isOver: (place: string) => dragged !== undefined && dragged !== over && over === place };
}
