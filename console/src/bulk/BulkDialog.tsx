// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ConfirmationTarget } from '../confirmations/affectedChannels.ts';
import { ConfirmationDialog } from '../confirmations/ConfirmationDialog.tsx';
import { formatCount, plural } from '../format/numbers.ts';
import type { Plan } from './bulkPlan.ts';
import { runPlan, type Words } from './runPlan.ts';

/** An action on all selected records. */
export type BulkAction = Words & {
  /** On the button in the list. */
  readonly button: string;
  /** The button that acts, such as `Disable`. */
  readonly verb: string;
  /** What happens, in a sentence or two. */
  readonly consequence: string;
  /** Viewers do not notice it. */
  readonly isHarmless?: boolean;
};

type BulkDialogProps = {
  readonly action: BulkAction;
  readonly count: number;
  readonly target: ConfirmationTarget;
  /** What is chosen before it is done. */
  readonly children?: ComponentChildren;
  /** Why it cannot be done yet. */
  readonly lacks?: string | undefined;
  /** @param isForced whether the operator has confirmed that viewers may be affected */
  plan(isForced: boolean): Promise<Plan> | Plan;
  /** Reads the list again. */
  onChanged(): void;
  /** After all changes were sent. */
  onDone(): void;
  onClose(): void;
};

/** Asks once before many records are changed, with the sum of their viewers. */
export function BulkDialog(props: BulkDialogProps) {
  const { action, count, target, children, lacks, plan, onChanged, onDone, onClose } = props;
  const { noun, verb, consequence, isHarmless = false } = action;
  const [progress, setProgress] = useState<{ readonly sent: number; readonly of: number }>();
  const act = async (isForced: boolean) => {
    const made = await plan(isForced);
    const of = made.changes.length;
    await runPlan(made, action, onChanged, (sent) => setProgress({ sent, of }));
    onDone();
  };
  return (
    <ConfirmationDialog
      title={`${verb} ${plural(count, noun)}?`}
      target={target}
      name={String(count)}
      consequence={consequence}
      verb={`${verb} ${plural(count, noun)}`}
      isHarmless={isHarmless}
      lacks={lacks}
      act={act}
      onClose={onClose}
    >
      {children}
      {progress === undefined ? null : (
        <progress
          max={progress.of}
          value={progress.sent}
          aria-label={`${formatCount(progress.sent)} of ${formatCount(progress.of)} sent`}
        />
      )}
    </ConfirmationDialog>
  );
}
