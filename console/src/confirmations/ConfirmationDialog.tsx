// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Right } from '../api/lackingRight.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { Dialog, DialogFooter } from '../components/dialogs/Dialog.tsx';
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { Form } from '../components/forms/Form.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { plural } from '../format/numbers.ts';
import { type ConfirmationTarget, isTyped, viewersOf, watchingText } from './affectedChannels.ts';
import { type Affected, useAffected } from './useAffected.ts';

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
  /** What is chosen before it is done. */
  readonly children?: ComponentChildren;
  /** Why it cannot be done yet. */
  readonly lacks?: string | undefined;
  /** @param isForced whether the operator has confirmed that viewers may be affected */
  act(isForced: boolean): Promise<unknown>;
  onDone?(): void;
  onClose(): void;
};

/** Asks before something is deleted, disabled or revoked, with the number of viewers now. */
export function ConfirmationDialog(props: ConfirmationDialogProps) {
  const { title, target, name, consequence, verb, isHarmless = false, children, lacks, act, onDone, onClose } = props;
  const affected = useAffected(target);
  const [typed, setTyped] = useState('');
  const isSafe = isHarmless || target.kind === 'key' || (affected.channels && viewersOf(affected.channels) === 0);
  const mustType = !isSafe && !affected.isLoading;
  const mayAct = lacks === undefined && (isSafe || (mustType && isTyped(typed, name)));
  const action = useAction(async () => {
    await act(mustType);
    onClose();
    onDone?.();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => mayAct && void action.run()}>
        {children}
        <AffectedSummary target={target} affected={affected} isHarmless={isHarmless} />
        <p>{consequence}</p>
        {mustType ? <TextField label={`Type “${name}” to confirm`} value={typed} onInput={setTyped} /> : null}
        <ErrorNotice error={action.error} />
        <DialogFooter onClose={onClose}>
          <Button
            type="submit"
            kind={isHarmless && children ? 'primary' : 'danger'}
            isBusy={action.isBusy}
            isDisabled={!mayAct}
            reason={lacks ?? (mustType ? `Type “${name}” first.` : 'Viewers are being counted.')}
          >
            {verb}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}

type AffectedSummaryProps = Required<Pick<ConfirmationDialogProps, 'target' | 'isHarmless'>> & {
  readonly affected: Affected;
};

/** How many viewers watch now, and which channels use what is about to be deleted or disabled. */
function AffectedSummary({ target, affected: { channels, isLoading }, isHarmless }: AffectedSummaryProps) {
  if (target.kind === 'key') return null;
  if (isLoading) return <p class="muted">Counting viewers…</p>;
  if (channels === undefined) return <Notice tone="warn">The number of viewers is unknown.</Notice>;
  const viewers = viewersOf(channels);
  const text = watchingText(viewers);
  return (
    <>
      {viewers > 0 && !isHarmless ? <Notice tone="warn">{text}</Notice> : <p>{text}</p>}
      {target.kind === 'channel' ? null : channels.length === 0 ? (
        <p class="muted">No channel uses it.</p>
      ) : (
        <>
          {target.kind === 'channels' ? null : <p>Used by {plural(channels.length, 'channel')}:</p>}
          <ul class="affected">
            {channels.map(({ id, name, viewers: watching }) => (
              <li key={id}>
                <strong>{name}</strong> ({plural(watching, 'viewer')})
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

type ConfirmationButtonProps = Omit<ConfirmationDialogProps, 'onClose'> & {
  readonly label: string;
  /** Buttons of a list are `quiet`, and small. */
  readonly kind?: 'danger' | 'quiet';
  /** Without this right, the button is disabled and states why. */
  readonly requires?: Right;
};

/** A button that opens the dialog. */
export function ConfirmationButton({ label, kind = 'danger', requires, ...dialog }: ConfirmationButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} isSmall={kind === 'quiet'} requires={requires} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen ? <ConfirmationDialog {...dialog} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
