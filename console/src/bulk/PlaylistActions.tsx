// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { PlaylistResponse } from '../../../src/http/contract/playlistContract.ts';
import { type BulkAction, BulkActions, commonActions, type SelectedProps } from './BulkActions.tsx';
import { LabelChanges, lacksLabels, noLabels } from './LabelChanges.tsx';
import { type PlaylistAction, planPlaylists } from './recordChanges.ts';

type Name = 'enable' | 'disable' | 'labels' | 'delete';

const NOT_PLAYED = 'Linear channels that use them show slate, and VoD channels do not play.';
const actions: Readonly<Record<Name, BulkAction>> = {
  enable: { ...commonActions.enable, consequence: 'Channels that use them play them.' },
  disable: { ...commonActions.disable, consequence: NOT_PLAYED },
  labels: {
    ...commonActions.labels,
    consequence: 'Labels are for finding playlists; playback does not change.',
  },
  delete: { ...commonActions.delete, consequence: `${NOT_PLAYED} You can restore them for 24 hours.` },
};

/** What can be done with the selected playlists. */
export function PlaylistActions(props: SelectedProps<PlaylistResponse>) {
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
    <BulkActions
      {...props}
      noun="playlist"
      actions={actions}
      targetOf={(rows) => ({ kind: 'playlists', ids: rows.map(({ id }) => id) })}
      rightOf={() => 'tenant'}
      fieldsOf={(name) =>
        name === 'labels' ? <LabelChanges kind="playlists" value={labels} onChange={setLabels} /> : null
      }
      lacks={(name) => (name === 'labels' ? lacksLabels(labels) : undefined)}
      plan={(name, rows, isForced) => planPlaylists(rows, actionOf(name, isForced))}
    />
  );
}
