// SPDX-License-Identifier: Apache-2.0
import { CopyButton } from './CopyButton.tsx';

/** A URL or a key on its own line, with a button to copy it. */
export const CopyLine = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <div class="copy-line">
    <span>{name}</span>
    <code>{text}</code>
    <CopyButton text={text} label={`Copy ${name}`} />
  </div>
);
