// SPDX-License-Identifier: Apache-2.0
import { type BulkAction, BulkActions, commonActions, type SelectedProps } from './BulkActions.tsx';
import { planCreatives } from './recordChanges.ts';

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
    ...commonActions.delete,
    consequence: 'Breaks on air are not affected. Midroll prepares them again when an ad server returns them.',
    isHarmless: true,
  },
} as const satisfies Readonly<Record<string, BulkAction>>;

type Creative = { readonly id: string; readonly name: string; readonly channels: readonly string[] };

/** What can be done with the selected creatives. */
export const CreativeActions = (props: SelectedProps<Creative>) => (
  <BulkActions
    {...props}
    actions={actions}
    targetOf={(rows) => ({ kind: 'creative', channelIds: [...new Set(rows.flatMap(({ channels }) => channels))] })}
    rightOf={(name) => (name === 'retry' ? 'operate' : 'tenant')}
    plan={(name, rows) => planCreatives(rows, name)}
  />
);
