// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { Dialog } from '../components/dialogs/Dialog.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { Form } from '../components/forms/Form.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { AffectedSummary } from './AffectedSummary.tsx';
import { type ConfirmationTarget, isTyped, viewersOf } from './affectedChannels.ts';
import { useAffected } from './useAffected.ts';

export type ConfirmationDialogProps = {
  /** A question. */
  readonly title: string;
  readonly target: ConfirmationTarget;
  /** The name or ID of the record, which is typed if viewers are affected. */
  readonly name: string;
  /** What happens, in a sentence or two. */
  readonly consequence: string;
  /** The button that acts, such as `Delete playlist`. */
  readonly verb: string;
  /** Viewers do not notice it, however many there are. */
  readonly isHarmless?: boolean;
  /** @param isForced whether the operator has confirmed that viewers may be affected */
  act(isForced: boolean): Promise<unknown>;
  onDone?(): void;
  onClose(): void;
};

/** Asks before something is deleted, disabled or revoked, with the number of viewers now. */
export function ConfirmationDialog(props: ConfirmationDialogProps) {
  const { title, target, name, consequence, verb, isHarmless = false, act, onDone, onClose } = props;
  const affected = useAffected(target);
  const [typed, setTyped] = useState('');
  const isSafe = isHarmless || target.kind === 'key' || (affected.channels && viewersOf(affected.channels) === 0);
  const mustType = !isSafe && !affected.isLoading;
  const mayAct = isSafe || (mustType && isTyped(typed, name));
  const action = useAction(async () => {
    await act(mustType);
    onClose();
    onDone?.();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => mayAct && void action.run()}>
        <AffectedSummary {...{ target, affected }} />
        <p>{consequence}</p>
        {mustType ? <TextField label={`Type “${name}” to confirm`} value={typed} onInput={setTyped} /> : null}
        <ErrorNotice error={action.error} />
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="danger"
            isBusy={action.isBusy}
            isDisabled={!mayAct}
            reason={mustType ? `Type “${name}” first.` : 'Viewers are being counted.'}
          >
            {verb}
          </Button>
        </footer>
      </Form>
    </Dialog>
  );
}
