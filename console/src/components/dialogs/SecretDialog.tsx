// SPDX-License-Identifier: Apache-2.0
import { CopyLine } from '../buttons/CopyButton.tsx';
import { Notice } from '../feedback/Notice.tsx';
import { Dialog, DialogFooter } from './Dialog.tsx';

type SecretDialogProps = {
  readonly title: string;
  /** What it is, such as `Key`. */
  readonly name: string;
  readonly secret: string;
  onClose(): void;
};

/** A new secret, which is shown only once. */
export const SecretDialog = ({ title, name, secret, onClose }: SecretDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <CopyLine name={name} text={secret} />
    <Notice tone="warn">Copy this {name.toLowerCase()} now. It cannot be shown again.</Notice>
    <DialogFooter dismiss="Done" onClose={onClose} />
  </Dialog>
);
