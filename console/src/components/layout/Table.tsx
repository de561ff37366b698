// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { HintText } from '../hints/useHint.tsx';

export type Column = {
  readonly label: string;
  readonly kind?: 'right' | 'wide';
  /** What the column means. */
  readonly hint?: string;
  /** Only for screen readers, above a column of buttons. */
  readonly isHidden?: boolean;
};
type TableProps = {
  readonly columns: readonly Column[];
  readonly children: ComponentChildren;
  /** A table that scrolls sideways must be reachable by the keyboard. */
  readonly isFocusable?: boolean;
};

/** The next line in a cell, in small letters. */
export const SecondLine = ({ children }: { readonly children: ComponentChildren }) => (
  <>
    <br />
    <small>{children}</small>
  </>
);

/** A table; its children are rows. */
export const Table = ({ columns, children, isFocusable }: TableProps) => (
  <div class="table-frame" {...(isFocusable ? { tabIndex: 0 } : {})}>
    <table>
      <thead>
        <tr>
          {columns.map(({ label, kind, hint, isHidden }) => (
            <th key={label} class={kind}>
              {isHidden ? <span class="visually-hidden">{label}</span> : <HintText hint={hint}>{label}</HintText>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
