// SPDX-License-Identifier: Apache-2.0

import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import type { PlaylistResponse } from '../../../src/http/contract/playlistContract.ts';
import type { FieldError } from '../api/apiError.ts';
import { callText } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { useGetAll } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { CopyButton } from '../components/buttons/CopyButton.tsx';
import { Dialog, DialogFooter } from '../components/dialogs/Dialog.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { errorWithin, otherErrors } from '../components/forms/fieldErrors.ts';
import { formFields } from '../components/forms/formFields.ts';
import { SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';
import { LabelsField } from '../components/pickers/LabelsField.tsx';
import { givenOnly } from '../format/givenOnly.ts';
import { plural } from '../format/numbers.ts';
import { DraftWarnings } from './DraftWarnings.tsx';
import type { Change } from './diffPlaylists.ts';
import { ItemList } from './ItemList.tsx';
import { findUrls, newItem, type PlaylistDraft, type PlaylistType } from './playlistDraft.ts';
import { playlistTypes } from './playlistTypes.ts';

type PlaylistEditorProps = {
  readonly draft: PlaylistDraft;
  readonly stored: PlaylistResponse | undefined;
  readonly changes: readonly Change[];
  readonly errors: readonly FieldError[];
  onChange(draft: PlaylistDraft): void;
};

/** The paths whose errors are shown at a field. */
const fieldPaths = [
  /^\/(name|id|labels(\/\d+)?|startDate|type)$/,
  /^\/contents\/\d+\/(url|duration)$/,
  /^\/contents\/\d+\/cuePoints\/\d+\/\w+$/,
];

/** The items and the details of a playlist, next to the changes that saving will make. */
export function PlaylistEditor({ draft, stored, changes, errors, onChange }: PlaylistEditorProps) {
  const [isPasting, setPasting] = useState(false);
  const set = (part: Partial<PlaylistDraft>) => onChange({ ...draft, ...part });
  const add = (...urls: readonly string[]) => set({ items: [...draft.items, ...urls.map((url) => newItem(url))] });
  const unplaced = otherErrors(errors, fieldPaths);
  return (
    <div class="columns">
      <div class="stack">
        {unplaced.length > 0 ? <Notice tone="bad">{unplaced.join('; ')}</Notice> : null}
        {draft.items.length === 0 ? (
          <EmptyState icon="playlist" title="No items yet">
            <p>Add the URL of an HLS or DASH manifest, then place ad breaks on it.</p>
          </EmptyState>
        ) : (
          <ItemList items={draft.items} errors={errors} onChange={(items) => set({ items })} />
        )}
        <div class="row">
          <Button icon="plus" kind={draft.items.length === 0 ? 'primary' : 'plain'} onClick={() => add('')}>
            Add item
          </Button>
          <Button onClick={() => setPasting(true)}>Paste URLs…</Button>
          <Button kind="quiet" onClick={() => set({ items: [...draft.items, newItem('', 'placeholder')] })}>
            Add placeholder
          </Button>
        </div>
        {isPasting ? <PasteUrls onPaste={(urls) => add(...urls)} onClose={() => setPasting(false)} /> : null}
      </div>
      <div class="stack sidebar">
        <PlaylistFields draft={draft} errors={errors} set={set} isNew={stored === undefined} />
        <DraftWarnings draft={draft} />
        <UnsavedChanges playlistId={stored?.id} type={draft.type} changes={changes} />
        {stored === undefined ? null : (
          <MrssFeed
            playlistId={stored.id}
            version={stored.__v}
            hasPlaceholder={draft.items.some(({ sourceType }) => sourceType === 'placeholder')}
          />
        )}
      </div>
    </div>
  );
}

type PasteUrlsProps = { onPaste(urls: readonly string[]): void; onClose(): void };

/** Adds many sources at once. */
function PasteUrls({ onPaste, onClose }: PasteUrlsProps) {
  const [text, setText] = useState('');
  const urls = findUrls(text);
  return (
    <Dialog title="Paste URLs" onClose={onClose}>
      <TextField
        label="Manifest URLs"
        rows={8}
        value={text}
        onInput={setText}
        hint="One per line, or any text that contains URLs. Items are added at the end, in this order."
      />
      <DialogFooter onClose={onClose}>
        <Button
          kind="primary"
          isDisabled={urls.length === 0}
          reason="The text contains no URL."
          onClick={() => {
            onPaste(urls);
            onClose();
          }}
        >
          {urls.length === 0 ? 'Add' : `Add ${plural(urls.length, 'item')}`}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

type MrssFeedProps = {
  readonly playlistId: string;
  /** The version of the stored playlist. */
  readonly version: number;
  readonly hasPlaceholder: boolean;
};

/** The stored playlist as MRSS. */
function MrssFeed({ playlistId, version, hasPlaceholder }: MrssFeedProps) {
  const [content, setContent] = useState('');
  const [loaded, setLoaded] = useState({ version, text: '' });
  // The feed of an earlier version is out of date.
  const feed = loaded.version === version ? loaded.text : '';
  const load = useAction(async () => {
    const query = givenOnly({ format: 'mrss', content: content.trim() } as const);
    const text = await callText('/playlists/{id}', { path: { id: playlistId }, query, accept: '*/*' });
    setLoaded({ version, text });
  });
  return (
    <section class="card stack">
      <div class="row between">
        <h2>MRSS feed</h2>
        {feed === '' ? null : <CopyButton text={feed} label="Copy feed" />}
      </div>
      {hasPlaceholder ? <TextField label="Placeholder URL" type="url" value={content} onInput={setContent} /> : null}
      <ErrorNotice error={load.error} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by the keyboard */}
      {feed === '' ? null : <pre tabIndex={0}>{feed}</pre>}
      <div>
        <Button icon="eye" action={load}>
          {feed === '' ? 'Show feed' : 'Refresh feed'}
        </Button>
      </div>
      <p class="small muted">Contains the saved version only.</p>
    </section>
  );
}

type PlaylistFieldsProps = {
  readonly draft: PlaylistDraft;
  readonly errors: readonly FieldError[];
  readonly isNew: boolean;
  set(part: Partial<PlaylistDraft>): void;
};

/** The fields of a playlist other than its items. */
const PlaylistFields = ({ draft, errors, isNew, set }: PlaylistFieldsProps) => {
  const { field, choice } = formFields(draft, errors, set);
  return (
    <section class="card form">
      <h2>Details</h2>
      <TextField label="Name" {...field('name')} />
      {isNew ? (
        <TextField label="ID" {...field('id')} hint="Cannot be changed later. Leave empty for a random ID." />
      ) : null}
      <SelectField
        label="Type"
        {...choice('type', playlistTypes)}
        hint="VoD channels do not play playlists of linear channels."
      />
      <LabelsField
        label="Labels"
        kind="playlists"
        labels={draft.labels}
        error={errorWithin(errors, '/labels')}
        onChange={(labels) => set({ labels })}
      />
      <Toggle label="Enabled" isOn={draft.isEnabled} onChange={(isEnabled) => set({ isEnabled })} />
      {draft.type === 'vod' ? null : (
        <details>
          <summary>Advanced settings</summary>
          <TextField
            label="Loop start"
            {...field('startDate')}
            placeholder="2026-03-01T20:00:00Z"
            hint="ISO 8601 with a time zone. The loop plays as if it had started then."
          />
        </details>
      )}
    </section>
  );
};

type UnsavedChangesProps = {
  readonly playlistId: string | undefined;
  readonly type: PlaylistType | '';
  readonly changes: readonly Change[];
};
const signs: Readonly<Record<Change['kind'], string>> = { added: '+', removed: '−', changed: '~' };
const kinds: Readonly<Record<Change['kind'], string>> = { added: 'Added', removed: 'Removed', changed: 'Changed' };

const channelQuery = (playlist: string, type: PlaylistType | '') =>
  new URLSearchParams({ playlist, ...(type === 'vod' ? { type } : {}) });

const namesOf = (channels: readonly OnAirChannel[]): string => channels.map(({ id, name }) => name || id).join(', ');

/** What saving will change, and on which channels. */
function UnsavedChanges({ playlistId, type, changes }: UnsavedChangesProps) {
  const { data } = useGetAll(playlistId === undefined ? null : '/on-air');
  const channels = (data ?? []).filter((channel) => channel.playlistId === playlistId);
  const enabled = channels.filter(({ state }) => state !== 'disabled');
  const onAir = enabled.filter((channel) => channel.type !== 'vod');
  const vod = enabled.filter((channel) => channel.type === 'vod');
  return (
    <section class="card">
      <h2>Unsaved changes</h2>
      {changes.length === 0 ? <p class="muted">None</p> : null}
      <ul class="changes">
        {changes.map(({ kind, text }, at) => (
          <li key={at} class={`${kind} wraps`}>
            <b aria-hidden="true">{signs[kind]}</b>
            <span>
              <span class="visually-hidden">{kinds[kind]}: </span>
              {text}
            </span>
          </li>
        ))}
      </ul>
      {changes.length > 0 && onAir.length > 0 ? (
        <p class="small muted">
          On air: {namesOf(onAir)}. Viewers get the changes about 10 s after you save. Segments that manifests already
          list do not change.
        </p>
      ) : null}
      {changes.length > 0 && vod.length > 0 ? (
        <p class="small muted">VoD: {namesOf(vod)}. New sessions get the changes. Open sessions do not change.</p>
      ) : null}
      {playlistId !== undefined && data !== undefined && channels.length === 0 ? (
        <p class="small muted">
          No channel uses this playlist.{' '}
          <Link href={`/channels/~new?${channelQuery(playlistId, type)}`}>Create channel</Link>
        </p>
      ) : null}
    </section>
  );
}
