// SPDX-License-Identifier: Apache-2.0

import { formatCount } from '../../format/numbers.ts';
import { CopyButton } from '../buttons/CopyButton.tsx';
import { prettyDocument } from './prettyDocument.ts';

type DocumentViewProps = {
  readonly title: string;
  readonly text: string;
  readonly contentType?: string | undefined;
  readonly bytes?: number | undefined;
  readonly isTruncated?: boolean;
  readonly isOpen?: boolean;
};

/** A document of a server, indented, and folded at first. */
export function DocumentView({ title, text, contentType, bytes, isTruncated, isOpen }: DocumentViewProps) {
  const facts = [
    contentType || undefined,
    bytes === undefined ? undefined : `${formatCount(bytes)} bytes`,
    isTruncated ? 'only its start is shown' : undefined,
  ].filter(Boolean);
  return (
    <details open={isOpen}>
      <summary>
        {title}
        {facts.length > 0 ? ` (${facts.join(', ')})` : ''}
      </summary>
      <div class="raw">
        <CopyButton text={text} label="Copy response" />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by the keyboard */}
        <pre tabIndex={0}>{prettyDocument(text)}</pre>
      </div>
    </details>
  );
}
