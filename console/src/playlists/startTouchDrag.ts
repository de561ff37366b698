// SPDX-License-Identifier: Apache-2.0
// Browsers support dragging for mice only. This follows a finger or a pen from a grip until it is lifted.

/** The page scrolls while the finger is this close to an edge of the screen. Pixels. */
const EDGE = 72;
/** Pixels per frame. */
const SCROLL_SPEED = 9;

type TouchDrag = {
  /** The index of the item under the finger; undefined outside the list. */
  onOver(index: number | undefined): void;
  onDrop(index: number): void;
  /** Called last, whether the item was dropped or not. */
  onEnd(): void;
};

/** The index of the item at a point of the screen. */
function indexAt(x: number, y: number): number | undefined {
  const index = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-index]')?.dataset.index;
  return index === undefined ? undefined : Number(index);
}

export function startTouchDrag(start: PointerEvent, { onOver, onDrop, onEnd }: TouchDrag): void {
  const grip = start.currentTarget as HTMLElement;
  // Otherwise a long press would start a native drag.
  grip.draggable = start.pointerType === 'mouse';
  if (grip.draggable) return;
  start.preventDefault();
  grip.setPointerCapture(start.pointerId);
  const controller = new AbortController();
  const { signal } = controller;
  let [x, y] = [start.clientX, start.clientY];
  let frame = 0;
  const follow = () => {
    if (y < EDGE) scrollBy(0, -SCROLL_SPEED);
    else if (y > innerHeight - EDGE) scrollBy(0, SCROLL_SPEED);
    onOver(indexAt(x, y));
    frame = requestAnimationFrame(follow);
  };
  const end = () => {
    cancelAnimationFrame(frame);
    controller.abort();
    onEnd();
  };
  grip.addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      [x, y] = [clientX, clientY];
    },
    { signal },
  );
  grip.addEventListener(
    'pointerup',
    () => {
      const index = indexAt(x, y);
      end();
      if (index !== undefined) onDrop(index);
    },
    { signal },
  );
  grip.addEventListener('pointercancel', end, { signal });
  follow();
}
