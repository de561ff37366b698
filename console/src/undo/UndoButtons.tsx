// SPDX-License-Identifier: Apache-2.0
import { Button } from '../components/buttons/Button.tsx';
import type { EditHistory } from './useHistory.ts';

export type UndoButtonsProps = {
  readonly history: Pick<EditHistory<unknown>, 'canUndo' | 'canRedo' | 'undo' | 'redo'>;
};

/** Undoes and redoes the edits of an editor. */
export const UndoButtons = ({ history: { canUndo, canRedo, undo, redo } }: UndoButtonsProps) => (
  <>
    <Button kind="quiet" isDisabled={!canUndo} reason="There is nothing to undo." onClick={undo}>
      Undo
    </Button>
    <Button kind="quiet" isDisabled={!canRedo} reason="There is nothing to redo." onClick={redo}>
      Redo
    </Button>
  </>
);
