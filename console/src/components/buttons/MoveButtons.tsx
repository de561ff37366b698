// SPDX-License-Identifier: Apache-2.0
import { Button } from './Button.tsx';

type MoveButtonsProps = {
  readonly name: string;
  readonly index: number;
  /** How many entries the list has. */
  readonly count: number;
  onMove(from: number, to: number): void;
};

/** The list with one entry moved to another index. */
export const moveEntry = <T,>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(Math.max(0, to), 0, ...list.slice(from, from + 1));

/** Buttons that move an entry of a list by one place. */
export const MoveButtons = ({ name, index, count, onMove }: MoveButtonsProps) => (
  <>
    {(['up', 'down'] as const).map((way) => (
      <Button
        key={way}
        icon={way}
        kind="quiet"
        label={`Move ${name} ${way}`}
        isDisabled={index === (way === 'up' ? 0 : count - 1)}
        onClick={() => onMove(index, way === 'up' ? index - 1 : index + 1)}
      />
    ))}
  </>
);
