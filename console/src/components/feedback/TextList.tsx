// SPDX-License-Identifier: Apache-2.0
import { plural } from '../../format/numbers.ts';

type TextListProps = { readonly texts: readonly string[]; readonly class?: string };

/** Different texts, one below the other. Nothing without any. */
export const TextList = ({ texts, class: look }: TextListProps) =>
  texts.length === 0 ? null : (
    <ul class={look}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );

/** Warnings, folded at first. @param noun what one of them is called */
export const FoldedWarnings = ({ texts, noun }: { readonly texts: readonly string[]; readonly noun: string }) =>
  texts.length === 0 ? null : (
    <details>
      <summary>{plural(texts.length, noun)}</summary>
      <TextList class="warnings" texts={texts} />
    </details>
  );
