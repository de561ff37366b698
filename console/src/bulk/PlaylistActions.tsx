// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { PlaylistResponse } from '../../../src/http/contract/playlistContract.ts';
import { Button } from '../components/buttons/Button.tsx';
import { type BulkAction, BulkDialog } from './BulkDialog.tsx';
import { LabelChanges, lacksLabels, noLabels } from './LabelChanges.tsx';
import { type PlaylistAction, planPlaylists } from './playlistChanges.ts';

type Name = 'enable' | 'disable' | 'labels' | 'delete';

const noun = 'playlist';
const NOT_PLAYED = 'Linear channels that use them show slate, and VoD channels do not play.';
const actions: Readonly<Record<Name, BulkAction & { readonly button: string }>> = {
  enable: {
    noun,
    button: 'Enable',
    verb: 'Enable',
    done: 'enabled',
    consequence: 'Channels that use them play them.',
    isHarmless: true,
  },
  disable: { noun, button: 'Disable', verb: 'Disable', done: 'disabled', consequence: NOT_PLAYED },
  labels: {
    noun,
    button: 'Labels…',
    verb: 'Change labels of',
    done: 'changed',
    consequence: 'Labels are for finding playlists; playback does not change.',
    isHarmless: true,
  },
  delete: {
    noun,
    button: 'Delete…',
    verb: 'Delete',
    done: 'deleted',
    consequence: `${NOT_PLAYED} You can restore them for 24 hours.`,
  },
};

type PlaylistActionsProps = {
  readonly selected: readonly PlaylistResponse[];
  onChanged(): void;
  /** After an action: nothing is selected any more. */
  onDone(): void;
};

/** What can be done with the selected playlists. */
export function PlaylistActions({ selected, onChanged, onDone }: PlaylistActionsProps) {
  const [asked, setAsked] = useState<Name>();
  const [labels, setLabels] = useState(noLabels);
  const actionOf = (name: Name, isForced: boolean): PlaylistAction => {
    switch (name) {
      case 'enable':
        return { kind: 'status', status: 'enabled' };
      case 'disable':
        return { kind: 'status', status: 'disabled' };
      case 'labels':
        return { kind: 'labels', ...labels };
      case 'delete':
        return { kind: 'delete', isForced };
    }
  };
  return (
    <>
      {(Object.keys(actions) as Name[]).map((name) => (
        <Button
          key={name}
          isSmall
          kind={name === 'delete' ? 'danger' : 'plain'}
          requires="tenant"
          onClick={() => setAsked(name)}
        >
          {actions[name].button}
        </Button>
      ))}
      {asked === undefined ? null : (
        <BulkDialog
          action={actions[asked]}
          count={selected.length}
          target={{ kind: 'playlists', ids: selected.map(({ id }) => id) }}
          lacks={asked === 'labels' ? lacksLabels(labels) : undefined}
          plan={(isForced) => planPlaylists(selected, actionOf(asked, isForced))}
          onChanged={onChanged}
          onDone={onDone}
          onClose={() => setAsked(undefined)}
        >
          {asked === 'labels' ? <LabelChanges kind="playlists" value={labels} onChange={setLabels} /> : null}
        </BulkDialog>
      )}
    </>
  );
}
