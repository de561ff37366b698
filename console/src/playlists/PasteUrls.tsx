// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Button } from '../components/buttons/Button.tsx';
import { Dialog } from '../components/dialogs/Dialog.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { plural } from '../format/numbers.ts';
import { findUrls } from './findUrls.ts';

type PasteUrlsProps = { onPaste(urls: readonly string[]): void; onClose(): void };

/** Adds many sources at once. */
export function PasteUrls({ onPaste, onClose }: PasteUrlsProps) {
  const [text, setText] = useState('');
  const urls = findUrls(text);
  return (
    <Dialog title="Paste URLs" onClose={onClose}>
      <TextField
        label="Manifest URLs"
        rows={8}
        value={text}
        onInput={setText}
        hint="One per line, or any text that contains URLs. Items are added at the end, in this order."
      />
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          isDisabled={urls.length === 0}
          reason="The text contains no URL."
          onClick={() => {
            onPaste(urls);
            onClose();
          }}
        >
          {urls.length === 0 ? 'Add' : `Add ${plural(urls.length, 'item')}`}
        </Button>
      </footer>
    </Dialog>
  );
}
