// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Right } from '../api/lackingRight.ts';
import { Button } from '../components/buttons/Button.tsx';
import type { ConfirmationTarget } from '../confirmations/affectedChannels.ts';
import { type BulkAction, BulkDialog } from './BulkDialog.tsx';
import type { Plan } from './bulkPlan.ts';

type BulkActionsProps<Name extends string, Row> = {
  /** In the order of their buttons. */
  readonly actions: Readonly<Record<Name, BulkAction>>;
  readonly selected: readonly Row[];
  targetOf(rows: readonly Row[]): ConfirmationTarget;
  rightOf(name: Name): Right;
  /** What is chosen before it is done. */
  fieldsOf?(name: Name): ComponentChildren;
  /** Why it cannot be done yet. */
  lacks?(name: Name): string | undefined;
  /** @param isForced whether the operator has confirmed that viewers may be affected */
  plan(name: Name, rows: readonly Row[], isForced: boolean): Promise<Plan> | Plan;
  /** Reads the list again. */
  onChanged(): void;
  /** After an action: nothing is selected any more. */
  onDone(): void;
};

/** The buttons for the selected records. Each asks once. */
export function BulkActions<Name extends string, Row>(props: BulkActionsProps<Name, Row>) {
  const { actions, selected, targetOf, rightOf, fieldsOf, lacks, plan, onChanged, onDone } = props;
  // What was selected when the dialog opened, whatever the list shows meanwhile.
  const [asked, setAsked] = useState<{ readonly name: Name; readonly rows: readonly Row[] }>();
  return (
    <>
      {(Object.keys(actions) as Name[]).map((name) => (
        <Button
          key={name}
          isSmall
          kind={name === 'delete' ? 'danger' : 'plain'}
          requires={rightOf(name)}
          onClick={() => setAsked({ name, rows: selected })}
        >
          {actions[name].button}
        </Button>
      ))}
      {asked === undefined ? null : (
        <BulkDialog
          action={actions[asked.name]}
          count={asked.rows.length}
          target={targetOf(asked.rows)}
          lacks={lacks?.(asked.name)}
          plan={(isForced) => plan(asked.name, asked.rows, isForced)}
          onChanged={onChanged}
          onDone={onDone}
          onClose={() => setAsked(undefined)}
        >
          {fieldsOf?.(asked.name)}
        </BulkDialog>
      )}
    </>
  );
}
