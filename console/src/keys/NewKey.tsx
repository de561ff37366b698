// SPDX-License-Identifier: Apache-2.0
import type { NewKeyResponse } from '../../../src/http/contract/tenantContract.ts';
import { Button } from '../components/buttons/Button.tsx';
import { CopyLine } from '../components/buttons/CopyLine.tsx';
import { Dialog } from '../components/dialogs/Dialog.tsx';
import { Notice } from '../components/feedback/Notice.tsx';

/** A new key, which is shown only once. */
export const NewKey = ({ entry, onClose }: { readonly entry: NewKeyResponse; onClose(): void }) => (
  <Dialog title="New key" onClose={onClose}>
    <CopyLine name="Key" text={entry.key} />
    <Notice tone="warn">Copy this key now. It cannot be shown again.</Notice>
    <footer>
      <Button kind="primary" onClick={onClose}>
        Done
      </Button>
    </footer>
  </Dialog>
);
