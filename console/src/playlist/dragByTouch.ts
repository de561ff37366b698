// Browsers drag for mice only: this follows a finger or a pen from a grip to where it is lifted.

/** Nearer to an end of the screen than this, the page moves along. Pixels. */
const EDGE = 72;
const SPEED = 9;

type Following = {
  /** The place that is under the finger; undefined where there is none. */
  onOver(index: number | undefined): void;
  onDrop(index: number): void;
  /** In any case, at the end. */
  onEnd(): void;
};

/** Of the item there. */
function indexAt(x: number, y: number): number | undefined {
  const index = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-index]')?.dataset.index;
  return index === undefined ? undefined : Number(index);
}

export function dragByTouch(start: PointerEvent, { onOver, onDrop, onEnd }: Following): void {
  const grip = start.currentTarget as HTMLElement;
  // Where a long press would begin a drag of the browser's own.
  grip.draggable = start.pointerType === 'mouse';
  if (grip.draggable) return;
  start.preventDefault();
  grip.setPointerCapture(start.pointerId);
  const controller = new AbortController();
  const { signal } = controller;
  let [x, y] = [start.clientX, start.clientY];
  let frame = 0;
  const follow = () => {
    if (y < EDGE) scrollBy(0, -SPEED);
    else if (y > innerHeight - EDGE) scrollBy(0, SPEED);
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
