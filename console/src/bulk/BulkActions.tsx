// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { errorMessage } from '../api/apiError.ts';
import { call } from '../api/call.ts';
import type { Right } from '../api/lackingRight.ts';
import { Button } from '../components/buttons/Button.tsx';
import { showToast } from '../components/feedback/Toasts.tsx';
import type { ConfirmationTarget } from '../confirmations/affectedChannels.ts';
import { ConfirmationDialog } from '../confirmations/ConfirmationDialog.tsx';
import { formatCount, plural } from '../format/numbers.ts';
import { bulkReport } from './BulkReport.tsx';
import { batchesOf, type Outcome, outcomeOf, type Plan, type Result, undoPlan } from './bulkPlan.ts';

/** An action on all selected records. */
export type BulkAction = Pick<Words, 'done'> & {
  /** On the button in the list. */
  readonly button: string;
  /** The button that acts, such as `Disable`. */
  readonly verb: string;
  /** What happens, in a sentence or two. */
  readonly consequence: string;
  /** Viewers do not notice it. */
  readonly isHarmless?: boolean;
};

/** Actions on records of any kind. */
export const commonActions = {
  enable: { button: 'Enable', verb: 'Enable', done: 'enabled', isHarmless: true },
  disable: { button: 'Disable', verb: 'Disable', done: 'disabled' },
  labels: { button: 'Labels…', verb: 'Change labels of', done: 'changed', isHarmless: true },
  delete: { button: 'Delete…', verb: 'Delete', done: 'deleted' },
} as const;

/** What a list says about its selected records. */
export type SelectedProps<Row> = {
  readonly selected: readonly Row[];
  /** Reads the list again. */
  onChanged(): void;
  /** After an action: nothing is selected any more. */
  onDone(): void;
};

type BulkActionsProps<Name extends string, Row> = SelectedProps<Row> & {
  /** What one of them is called. */
  readonly noun: string;
  /** In the order of their buttons. */
  readonly actions: Readonly<Record<Name, BulkAction>>;
  targetOf(rows: readonly Row[]): ConfirmationTarget;
  rightOf(name: Name): Right;
  /** What is chosen before it is done. */
  fieldsOf?(name: Name): ComponentChildren;
  /** Why it cannot be done yet. */
  lacks?(name: Name): string | undefined;
  /** @param isForced whether the operator has confirmed that viewers may be affected */
  plan(name: Name, rows: readonly Row[], isForced: boolean): Promise<Plan> | Plan;
};

/** The buttons for the selected records. Each asks once. */
export function BulkActions<Name extends string, Row>(props: BulkActionsProps<Name, Row>) {
  const { actions, selected, rightOf } = props;
  // What was selected when the dialog opened, whatever the list shows meanwhile.
  const [asked, setAsked] = useState<{ readonly name: Name; readonly selected: readonly Row[] }>();
  return (
    <>
      {(Object.keys(actions) as Name[]).map((name) => (
        <Button
          key={name}
          isSmall
          kind={name === 'delete' ? 'danger' : 'plain'}
          requires={rightOf(name)}
          onClick={() => setAsked({ name, selected })}
        >
          {actions[name].button}
        </Button>
      ))}
      {asked === undefined ? null : <BulkDialog {...props} {...asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

type BulkDialogProps<Name extends string, Row> = BulkActionsProps<Name, Row> & { readonly name: Name; onClose(): void };

/** Asks once before many records are changed, with the sum of their viewers. */
function BulkDialog<Name extends string, Row>(props: BulkDialogProps<Name, Row>) {
  const { noun, actions, name, selected, targetOf, fieldsOf, lacks, plan, onChanged, onDone, onClose } = props;
  const action = actions[name];
  const [progress, setProgress] = useState<{ readonly sent: number; readonly of: number }>();
  const act = async (isForced: boolean) => {
    const made = await plan(name, selected, isForced);
    const of = made.changes.length;
    await runPlan(made, { noun, done: action.done }, onChanged, (sent) => setProgress({ sent, of }));
    onDone();
  };
  const verb = `${action.verb} ${plural(selected.length, noun)}`;
  return (
    <ConfirmationDialog
      title={`${verb}?`}
      target={targetOf(selected)}
      name={String(selected.length)}
      consequence={action.consequence}
      verb={verb}
      isHarmless={action.isHarmless ?? false}
      lacks={lacks?.(name)}
      act={act}
      onClose={onClose}
    >
      {fieldsOf?.(name)}
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

// Sends the changes of a plan, says what came of them, and offers to undo all of it at once.

/** The end of `3 channels …`, and what they are called. */
type Words = { readonly noun: string; readonly done: string };

/** Called with how many changes have been sent. */
type Progress = (sent: number) => void;

/** After a failed request, nothing more is sent: its changes and those that follow are reported. */
async function send({ changes }: Plan, onProgress: Progress): Promise<Result[]> {
  const results: Result[] = [];
  for (const batch of batchesOf(changes)) {
    try {
      const { body } = await call('POST', '/batch', { body: { changes: [...batch] } });
      results.push(...body.results);
    } catch (error) {
      results.push(...batch.map(() => ({ status: 0, error: { message: errorMessage(error) } })));
      break;
    }
    onProgress(results.length);
  }
  return results;
}

const textOf = ({ done, left }: Outcome, { noun, done: verb }: Words): string => {
  if (done.length === 0 && left.length === 0) return `Nothing to change: already ${verb}.`;
  if (left.length === 0) return `${plural(done.length, noun)} ${verb}.`;
  return `${formatCount(done.length)} of ${plural(done.length + left.length, noun)} ${verb}.`;
};

/** @param onChanged reads the list again */
async function runPlan(
  plan: Plan,
  words: Words,
  onChanged: () => void,
  onProgress: Progress = () => {},
): Promise<void> {
  const outcome = outcomeOf(plan, await send(plan, onProgress));
  const back = undoPlan(outcome);
  const undo = () => runPlan(back, { ...words, done: 'restored' }, onChanged);
  showToast({
    text: textOf(outcome, words),
    ...(outcome.done.length === 0 && outcome.left.length > 0 ? { tone: 'bad' } : {}),
    ...(back.changes.length > 0 && words.done !== 'restored' ? { undo } : {}),
  });
  if (outcome.left.length > 0) bulkReport.write({ ...words, left: outcome.left });
  onChanged();
}
