/** How an item goes elsewhere: dragged by its grip, or with the buttons. */
export type ItemMoves = {
  move(from: number, to: number): void;
  remove(index: number): void;
  dragStart(index: number): (event: DragEvent) => void;
  dragOver(index: number): (event: DragEvent) => void;
  drop(index: number): (event: DragEvent) => void;
  dragEnd(): void;
  /** With a finger. */
  touchStart(index: number): (event: PointerEvent) => void;
};
