// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import type { Right } from '../../api/lackingRight.ts';
import type { Action } from '../../api/useAction.ts';
import { Button } from '../buttons/Button.tsx';
import { Form, FormError, SaveError } from '../forms/Form.tsx';
import { Dialog, DialogFooter } from './Dialog.tsx';

type FormDialogProps = {
  readonly title: string;
  /** Runs when the form is submitted. Its error is shown at the end of the form. */
  readonly action: Action<[]>;
  /** The label of the button that submits the form. Default: Save. */
  readonly label?: string;
  /** The label of the button that closes. Default: Cancel. */
  readonly dismiss?: string;
  /** The kind of record, if someone else may have changed it meanwhile. */
  readonly record?: string;
  readonly requires?: Right;
  readonly children: ComponentChildren;
  onClose(): void;
};

/** A form in a dialog. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, label = 'Save', dismiss, record, requires, children, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSubmit={() => void action.run()}>
        {children}
        {record === undefined ? (
          <FormError error={action.error} />
        ) : (
          <SaveError record={record} error={action.error} onLoadLatest={onClose} />
        )}
        <DialogFooter dismiss={dismiss} onClose={onClose}>
          <Button type="submit" kind="primary" requires={requires} isBusy={action.isBusy}>
            {label}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}
