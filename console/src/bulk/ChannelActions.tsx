// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import { callAll } from '../api/call.ts';
import { Button } from '../components/buttons/Button.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { RecordPicker } from '../components/pickers/RecordPicker.tsx';
import { type BulkAction, BulkDialog } from './BulkDialog.tsx';
import { missingFrom, type Plan } from './bulkPlan.ts';
import { type ChannelAction, planChannels } from './channelChanges.ts';
import { LabelChanges, lacksLabels, noLabels } from './LabelChanges.tsx';

type Name = 'enable' | 'disable' | 'ad-server' | 'playlist' | 'labels' | 'delete';

const noun = 'channel';
const actions: Readonly<Record<Name, BulkAction & { readonly button: string }>> = {
  enable: {
    noun,
    button: 'Enable',
    verb: 'Enable',
    done: 'enabled',
    consequence: 'They go on air as soon as they are prepared.',
    isHarmless: true,
  },
  disable: {
    noun,
    button: 'Disable',
    verb: 'Disable',
    done: 'disabled',
    consequence: 'Playback stops. Sessions continue if you enable the channels again within some minutes.',
  },
  'ad-server': {
    noun,
    button: 'Ad server…',
    verb: 'Change ad server of',
    done: 'changed',
    consequence: 'The next break of each channel uses it. Parameters, headers and timeouts stay as they are.',
    isHarmless: true,
  },
  playlist: {
    noun,
    button: 'Playlist…',
    verb: 'Change playlist of',
    done: 'changed',
    consequence: 'Linear channels change to it at the end of the current item.',
  },
  labels: {
    noun,
    button: 'Labels…',
    verb: 'Change labels of',
    done: 'changed',
    consequence: 'Labels of ad sources stay as they are.',
    isHarmless: true,
  },
  delete: {
    noun,
    button: 'Delete…',
    verb: 'Delete',
    done: 'deleted',
    consequence: 'Playback ends for all viewers. You can restore the channels for 24 hours.',
  },
};

type ChannelActionsProps = {
  readonly selected: readonly OnAirChannel[];
  onChanged(): void;
  /** After an action: nothing is selected any more. */
  onDone(): void;
};

/** What can be done with the selected channels. */
export function ChannelActions({ selected, onChanged, onDone }: ChannelActionsProps) {
  const [asked, setAsked] = useState<Name>();
  return (
    <>
      {(Object.keys(actions) as Name[]).map((name) => (
        <Button
          key={name}
          isSmall
          kind={name === 'delete' ? 'danger' : 'plain'}
          requires={name === 'enable' || name === 'disable' ? 'operate' : 'manage'}
          onClick={() => setAsked(name)}
        >
          {actions[name].button}
        </Button>
      ))}
      {asked === undefined ? null : (
        <ChannelDialog
          key={asked}
          name={asked}
          selected={selected}
          onChanged={onChanged}
          onDone={onDone}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

type ChannelDialogProps = ChannelActionsProps & { readonly name: Name; onClose(): void };

function ChannelDialog({ name, selected: listed, onChanged, onDone, onClose }: ChannelDialogProps) {
  // What was selected when the dialog opened, whatever the list shows meanwhile.
  const [selected] = useState(listed);
  const [url, setUrl] = useState('');
  const [playlistId, setPlaylistId] = useState('');
  const [labels, setLabels] = useState(noLabels);
  const actionOf = (isForced: boolean): ChannelAction => {
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
  const plan = async (isForced: boolean): Promise<Plan> => {
    const { body } = await callAll('/channels');
    const ids = new Set(selected.map(({ id }) => id));
    const stored = body.filter(({ id }) => ids.has(id));
    const made = planChannels(stored, actionOf(isForced));
    const named = selected.map(({ id, name: title }) => ({ id, name: title || id }));
    return { ...made, left: [...made.left, ...missingFrom(named, stored)] };
  };
  return (
    <BulkDialog
      action={actions[name]}
      count={selected.length}
      target={{ kind: 'channels', ids: selected.map(({ id }) => id) }}
      lacks={name === 'labels' ? lacksLabels(labels) : undefined}
      plan={plan}
      onChanged={onChanged}
      onDone={onDone}
      onClose={onClose}
    >
      {name === 'ad-server' ? (
        <TextField
          label="Ad server URL"
          type="url"
          value={url}
          placeholder="https://ads.example.com/vast?len=[BREAK_DURATION]"
          hint="Leave empty to show slate."
          onInput={setUrl}
        />
      ) : null}
      {name === 'playlist' ? (
        <RecordPicker
          label="Playlist"
          kind="playlists"
          value={playlistId}
          placeholder="None (slate only)"
          onChange={setPlaylistId}
        />
      ) : null}
      {name === 'labels' ? <LabelChanges kind="channels" value={labels} onChange={setLabels} /> : null}
    </BulkDialog>
  );
}
