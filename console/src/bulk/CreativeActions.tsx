// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Button } from '../components/buttons/Button.tsx';
import { type BulkAction, BulkDialog } from './BulkDialog.tsx';
import { planCreatives } from './playlistChanges.ts';

const actions = {
  retry: {
    noun: 'creative',
    verb: 'Retry',
    done: 'queued',
    consequence: 'Midroll prepares them again as soon as a worker is free.',
    isHarmless: true,
  },
  delete: {
    noun: 'creative',
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
export function CreativeActions({ selected, onChanged, onDone }: CreativeActionsProps) {
  const [asked, setAsked] = useState<keyof typeof actions>();
  return (
    <>
      <Button isSmall icon="refresh" requires="operate" onClick={() => setAsked('retry')}>
        Retry
      </Button>
      <Button isSmall kind="danger" requires="tenant" onClick={() => setAsked('delete')}>
        Delete…
      </Button>
      {asked === undefined ? null : (
        <BulkDialog
          action={actions[asked]}
          count={selected.length}
          target={{ kind: 'creative', channelIds: [...new Set(selected.flatMap(({ channels }) => channels))] }}
          plan={() => planCreatives(selected, asked)}
          onChanged={onChanged}
          onDone={onDone}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
