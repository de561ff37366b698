// SPDX-License-Identifier: Apache-2.0
/**
 * Follows a pointer that is pressed until it is lifted, or until the browser uses it for something else.
 * @param onEnd receives whether it was lifted
 */
export function followPointer(
  target: EventTarget,
  onMove: (event: PointerEvent) => void,
  onEnd?: (isLifted: boolean, event: PointerEvent) => void,
): void {
  const controller = new AbortController();
  const on = (type: string, act: (event: PointerEvent) => void) =>
    target.addEventListener(type, (event) => act(event as PointerEvent), { signal: controller.signal });
  const end = (event: PointerEvent) => {
    controller.abort();
    onEnd?.(event.type === 'pointerup', event);
  };
  on('pointermove', onMove);
  on('pointerup', end);
  on('pointercancel', end);
}
