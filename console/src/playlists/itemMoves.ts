// SPDX-License-Identifier: Apache-2.0
/** Handlers that move or remove an item, with its grip or its buttons. */
export type ItemMoves = {
  move(from: number, to: number): void;
  remove(index: number): void;
  dragStart(index: number): (event: DragEvent) => void;
  dragOver(index: number): (event: DragEvent) => void;
  drop(index: number): (event: DragEvent) => void;
  dragEnd(): void;
  /** For a finger or a pen. */
  touchStart(index: number): (event: PointerEvent) => void;
};
