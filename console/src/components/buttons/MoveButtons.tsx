// SPDX-License-Identifier: Apache-2.0
import { Button } from './Button.tsx';

/** Up or down. */
export type Step = -1 | 1;

type MoveButtonsProps = {
  readonly name: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  onMove(step: Step): void;
};

/** The list with one entry moved to another index. */
export const moveEntry = <T,>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(Math.max(0, to), 0, ...list.slice(from, from + 1));

/** Focuses the button that has moved an entry, or the other one at an end of the list. They are its first two buttons. */
export function focusMoveButton(entry: Element | null | undefined, step: Step): void {
  const [up, down] = entry?.querySelectorAll('button') ?? [];
  const button = (step < 0 && !up?.disabled) || down?.disabled ? up : down;
  button?.focus();
}

/** Buttons that move an entry of a list by one place. */
export const MoveButtons = ({ name, isFirst, isLast, onMove }: MoveButtonsProps) => (
  <>
    <Button icon="up" kind="quiet" label={`Move ${name} up`} isDisabled={isFirst} onClick={() => onMove(-1)} />
    <Button icon="down" kind="quiet" label={`Move ${name} down`} isDisabled={isLast} onClick={() => onMove(1)} />
  </>
);
