import { useState } from 'preact/hooks';
import { readUrls } from '../logic/playlistDraft.ts';
import { Button } from '../parts/Button.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { TextField } from '../parts/TextField.tsx';

type PasteUrlsProps = { onPaste(urls: readonly string[]): void; onClose(): void };

/** Many sources at once. */
export function PasteUrls({ onPaste, onClose }: PasteUrlsProps) {
  const [text, setText] = useState('');
  const urls = readUrls(text);
  return (
    <Dialog title="Paste a list of sources" onClose={onClose}>
      <TextField
        label="Addresses of HLS or DASH manifests"
        rows={8}
        value={text}
        onInput={setText}
        hint="One a line, or any text that has them in it. They are put at the end, in this order."
      />
      <footer>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          isDisabled={urls.length === 0}
          onClick={() => {
            onPaste(urls);
            onClose();
          }}
        >
          {urls.length === 0 ? 'Add' : `Add ${urls.length} ${urls.length === 1 ? 'item' : 'items'}`}
        </Button>
      </footer>
    </Dialog>
  );
}
