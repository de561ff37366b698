// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Button } from './Button.tsx';

const CONFIRMATION_MS = 1500;

/** Copies a text. Without a clipboard (plain HTTP on another host), it shows the text in a prompt to copy by hand. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return window.prompt(`${label}:`, text);
    }
    setCopied(true);
    setTimeout(() => setCopied(false), CONFIRMATION_MS);
  }
  return (
    <>
      <Button icon={isCopied ? 'check' : 'copy'} kind="quiet" label={label} isSmall onClick={copy} />
      <span class="visually-hidden" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  );
}

/** A URL or a key on its own line, with a button to copy it. */
export const CopyLine = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <div class="copy-line">
    <span class="small muted">{name}</span>
    <code class="ellipsis">{text}</code>
    <CopyButton text={text} label={`Copy ${name}`} />
  </div>
);
