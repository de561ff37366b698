// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { formatCount } from '../../format/numbers.ts';
import { Button } from '../buttons/Button.tsx';

type SelectionBarProps = {
  readonly count: number;
  /** What all of them have in common, such as their viewers. */
  readonly note?: string;
  /** How many match the filters, if that is more than what is listed. */
  readonly matching?: number;
  readonly isBusy?: boolean;
  /** The buttons that act on the selected rows. */
  readonly children: ComponentChildren;
  onSelectMatching?(): void;
  onClear(): void;
};

/** What can be done with the selected rows, at the end of the window. The number is announced to screen readers. */
export function SelectionBar(props: SelectionBarProps) {
  const { count, note, matching, isBusy = false, children, onSelectMatching, onClear } = props;
  return (
    <>
      <p class="visually-hidden" role="status">
        {count === 0 ? '' : `${formatCount(count)} selected`}
      </p>
      {count === 0 ? null : (
        <section class="selection-bar row" aria-label="Selection">
          <strong class="number">
            {formatCount(count)} selected{note ? <small class="muted"> · {note}</small> : null}
          </strong>
          {matching !== undefined && matching > count ? (
            <Button kind="quiet" isSmall isBusy={isBusy} onClick={() => onSelectMatching?.()}>
              {`Select all ${formatCount(matching)}`}
            </Button>
          ) : null}
          {children}
          <Button kind="quiet" isSmall icon="close" label="Clear selection" onClick={onClear} />
        </section>
      )}
    </>
  );
}
