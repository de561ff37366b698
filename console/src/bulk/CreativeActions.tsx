// SPDX-License-Identifier: Apache-2.0
import { BulkActions } from './BulkActions.tsx';
import type { BulkAction } from './BulkDialog.tsx';
import { planCreatives } from './playlistChanges.ts';

const actions = {
  retry: {
    noun: 'creative',
    button: 'Retry',
    verb: 'Retry',
    done: 'queued',
    consequence: 'Midroll prepares them again as soon as a worker is free.',
    isHarmless: true,
  },
  delete: {
    noun: 'creative',
    button: 'Delete…',
    verb: 'Delete',
    done: 'deleted',
    consequence: 'Breaks on air are not affected. Midroll prepares them again when an ad server returns them.',
    isHarmless: true,
  },
} as const satisfies Readonly<Record<string, BulkAction>>;

type CreativeActionsProps = {
  readonly selected: readonly { readonly id: string; readonly name: string; readonly channels: readonly string[] }[];
  onChanged(): void;
  /** After an action: nothing is selected any more. */
  onDone(): void;
};

/** What can be done with the selected creatives. */
export const CreativeActions = ({ selected, onChanged, onDone }: CreativeActionsProps) => (
  <BulkActions
    actions={actions}
    selected={selected}
    targetOf={(rows) => ({ kind: 'creative', channelIds: [...new Set(rows.flatMap(({ channels }) => channels))] })}
    rightOf={(name) => (name === 'retry' ? 'operate' : 'tenant')}
    plan={(name, rows) => planCreatives(rows, name)}
    onChanged={onChanged}
    onDone={onDone}
  />
);
