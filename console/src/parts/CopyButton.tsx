import { useState } from 'preact/hooks';
import { Button } from './Button.tsx';

/** Copies a text and says so. Where there is no clipboard (plain HTTP on another host) the text is selected instead. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isDone, setDone] = useState(false);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return window.prompt(`${label}:`, text);
    }
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  }
  return (
    <>
      <Button icon={isDone ? 'check' : 'copy'} kind="quiet" label={label} isSmall onClick={copy} />
      <span class="unseen" role="status">
        {isDone ? 'Copied' : ''}
      </span>
    </>
  );
}
