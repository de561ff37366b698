// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import { callAll } from '../api/call.ts';
import { TextField } from '../components/forms/TextField.tsx';
import { RecordPicker } from '../components/pickers/RecordPicker.tsx';
import { type BulkAction, BulkActions, commonActions, type SelectedProps } from './BulkActions.tsx';
import { missingFrom, type Plan } from './bulkPlan.ts';
import { LabelChanges, lacksLabels, noLabels } from './LabelChanges.tsx';
import { type ChannelAction, planChannels } from './recordChanges.ts';

type Name = 'enable' | 'disable' | 'ad-server' | 'playlist' | 'labels' | 'delete';

const actions: Readonly<Record<Name, BulkAction>> = {
  enable: { ...commonActions.enable, consequence: 'They go on air as soon as they are prepared.' },
  disable: {
    ...commonActions.disable,
    consequence: 'Playback stops. Sessions continue if you enable the channels again within some minutes.',
  },
  'ad-server': {
    button: 'Ad server…',
    verb: 'Change ad server of',
    done: 'changed',
    consequence: 'The next break of each channel uses it. Parameters, headers and timeouts stay as they are.',
    isHarmless: true,
  },
  playlist: {
    button: 'Playlist…',
    verb: 'Change playlist of',
    done: 'changed',
    consequence: 'Linear channels change to it at the end of the current item.',
  },
  labels: { ...commonActions.labels, consequence: 'Labels of ad sources stay as they are.' },
  delete: {
    ...commonActions.delete,
    consequence: 'Playback ends for all viewers. You can restore the channels for 24 hours.',
  },
};

/** What can be done with the selected channels. */
export function ChannelActions(props: SelectedProps<OnAirChannel>) {
  const [url, setUrl] = useState('');
  const [playlistId, setPlaylistId] = useState('');
  const [labels, setLabels] = useState(noLabels);
  const actionOf = (name: Name, isForced: boolean): ChannelAction => {
    switch (name) {
      case 'enable':
        return { kind: 'state', state: 'enabled' };
      case 'disable':
        return { kind: 'state', state: 'disabled' };
      case 'ad-server':
        return { kind: 'ad-server', url: url.trim() };
      case 'playlist':
        return { kind: 'playlist', playlistId };
      case 'labels':
        return { kind: 'labels', ...labels };
      case 'delete':
        return { kind: 'delete', isForced };
    }
  };
  const plan = async (name: Name, rows: readonly OnAirChannel[], isForced: boolean): Promise<Plan> => {
    const { body } = await callAll('/channels');
    const ids = new Set(rows.map(({ id }) => id));
    const stored = body.filter(({ id }) => ids.has(id));
    const made = planChannels(stored, actionOf(name, isForced));
    const named = rows.map(({ id, name: title }) => ({ id, name: title || id }));
    return { ...made, left: [...made.left, ...missingFrom(named, stored)] };
  };
  const fieldsOf = (name: Name) => {
    if (name === 'ad-server')
      return (
        <TextField
          label="Ad server URL"
          type="url"
          value={url}
          placeholder="https://ads.example.com/vast?len=[BREAK_DURATION]"
          hint="Leave empty to show slate."
          onInput={setUrl}
        />
      );
    if (name === 'playlist')
      return (
        <RecordPicker
          label="Playlist"
          kind="playlists"
          value={playlistId}
          placeholder="None (slate only)"
          onChange={setPlaylistId}
        />
      );
    return name === 'labels' ? <LabelChanges kind="channels" value={labels} onChange={setLabels} /> : null;
  };
  return (
    <BulkActions
      {...props}
      noun="channel"
      actions={actions}
      targetOf={(rows) => ({ kind: 'channels', ids: rows.map(({ id }) => id) })}
      rightOf={(name) => (name === 'enable' || name === 'disable' ? 'operate' : 'manage')}
      fieldsOf={fieldsOf}
      lacks={(name) => (name === 'labels' ? lacksLabels(labels) : undefined)}
      plan={plan}
    />
  );
}
