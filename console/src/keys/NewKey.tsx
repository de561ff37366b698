import type { NewKeyAnswer } from '../../../src/http/tenantContract.ts';
import { Button } from '../parts/Button.tsx';
import { CopyLine } from '../parts/CopyLine.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { Notice } from '../parts/Notice.tsx';

/** A new key, shown this once. */
export const NewKey = ({ entry, onClose }: { readonly entry: NewKeyAnswer; onClose(): void }) => (
  <Dialog title="Your new key" onClose={onClose}>
    <CopyLine name="Key" text={entry.key} />
    <Notice tone="warn">Copy it now: it is kept only as a hash and cannot be shown again.</Notice>
    <footer>
      <Button kind="primary" onClick={onClose}>
        I have it
      </Button>
    </footer>
  </Dialog>
);
