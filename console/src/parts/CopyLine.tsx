import { CopyButton } from './CopyButton.tsx';

/** An address or a key on a line of its own, with a button that copies it. */
export const CopyLine = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <div class="copy-line">
    <span>{name}</span>
    <code>{text}</code>
    <CopyButton text={text} label={`Copy ${name}`} />
  </div>
);
