// SPDX-License-Identifier: Apache-2.0
import type { Right } from '../../api/lackingRight.ts';
import { Button } from '../buttons/Button.tsx';

type DialogButtonsProps = {
  /** Of the button that submits the form. Default: Save. */
  readonly label?: string;
  readonly isBusy: boolean;
  readonly requires?: Right;
  onClose(): void;
};

/** The end of a form in a dialog. */
export const DialogButtons = ({ label = 'Save', isBusy, requires, onClose }: DialogButtonsProps) => (
  <footer>
    <Button type="submit" kind="primary" isBusy={isBusy} {...(requires ? { requires } : {})}>
      {label}
    </Button>
    <Button onClick={onClose}>Cancel</Button>
  </footer>
);
