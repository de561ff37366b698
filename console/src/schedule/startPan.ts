// SPDX-License-Identifier: Apache-2.0
// Dragging the schedule sideways goes to the time before or after it.

/** Pixels. A shorter movement is a click. */
const MIN_DISTANCE = 8;
const STEP_DISTANCE = 120;

/** @param onStep receives −1 or 1 */
export function startPan(start: PointerEvent, onStep: (by: number) => void): void {
  if (start.button !== 0) return;
  const grid = start.currentTarget as HTMLElement;
  const controller = new AbortController();
  const { signal } = controller;
  let distance = 0;
  const end = (isDone: boolean) => {
    controller.abort();
    grid.style.removeProperty('translate');
    grid.classList.remove('panning');
    if (isDone && Math.abs(distance) >= STEP_DISTANCE) onStep(distance < 0 ? 1 : -1);
  };
  addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      const [x, y] = [clientX - start.clientX, clientY - start.clientY];
      if (distance === 0 && (Math.abs(x) < MIN_DISTANCE || Math.abs(y) > Math.abs(x))) return;
      distance = x;
      grid.classList.add('panning');
      grid.style.translate = `${x / 4}px`;
    },
    { signal },
  );
  addEventListener('pointerup', () => end(true), { signal });
  addEventListener('pointercancel', () => end(false), { signal });
}
