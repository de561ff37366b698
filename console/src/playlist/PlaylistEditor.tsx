import { useState } from 'preact/hooks';
import type { PlaylistAnswer } from '../../../src/http/contract.ts';
import type { FieldError } from '../api/apiError.ts';
import type { Change } from '../logic/diffPlaylists.ts';
import { errorAt, otherErrors } from '../logic/fieldErrors.ts';
import { newItem, type PlaylistDraft } from '../logic/playlistDraft.ts';
import { Button } from '../parts/Button.tsx';
import { Choice } from '../parts/Choice.tsx';
import { Empty } from '../parts/Empty.tsx';
import { Notice } from '../parts/Notice.tsx';
import { TextField } from '../parts/TextField.tsx';
import { Toggle } from '../parts/Toggle.tsx';
import { Changes } from './Changes.tsx';
import { Feed } from './Feed.tsx';
import { ItemList } from './ItemList.tsx';
import { PasteUrls } from './PasteUrls.tsx';

type PlaylistEditorProps = {
  readonly draft: PlaylistDraft;
  readonly stored: PlaylistAnswer | undefined;
  readonly changes: readonly Change[];
  readonly errors: readonly FieldError[];
  onChange(draft: PlaylistDraft): void;
};

const types = [
  { value: 'vod2live', text: 'for channels (vod2live)' },
  { value: 'vod', text: 'for feeds (vod)' },
  { value: '', text: 'not said' },
];
const shownErrors = [
  /^\/(name|id|startDate|type)$/,
  /^\/contents\/\d+\/(url|duration)$/,
  /^\/contents\/\d+\/cuePoints\/\d+\/\w+$/,
];

/** All that can be edited of a playlist, beside what the edit changes. */
export function PlaylistEditor({ draft, stored, changes, errors, onChange }: PlaylistEditorProps) {
  const [isPasting, setPasting] = useState(false);
  const set = (part: Partial<PlaylistDraft>) => onChange({ ...draft, ...part });
  const add = (...urls: readonly string[]) => set({ items: [...draft.items, ...urls.map((url) => newItem(url))] });
  const elsewhere = otherErrors(errors, shownErrors);
  return (
    <div class="columns">
      <div class="stack">
        {elsewhere.length > 0 ? <Notice tone="bad">{elsewhere.join('; ')}</Notice> : null}
        {draft.items.length === 0 ? (
          <Empty icon="playlist" title="No items yet">
            <p>An item is a film: the address of its HLS or DASH manifest, and the places where ads may be shown.</p>
          </Empty>
        ) : (
          <ItemList items={draft.items} errors={errors} onChange={(items) => set({ items })} />
        )}
        <div class="row">
          <Button icon="plus" kind={draft.items.length === 0 ? 'primary' : 'plain'} onClick={() => add('')}>
            Add an item
          </Button>
          <Button onClick={() => setPasting(true)}>Paste a list …</Button>
          <Button kind="quiet" onClick={() => set({ items: [...draft.items, newItem('', 'placeholder')] })}>
            Add a placeholder
          </Button>
        </div>
        {isPasting ? <PasteUrls onPaste={(urls) => add(...urls)} onClose={() => setPasting(false)} /> : null}
      </div>
      <div class="stack beside">
        <section class="card form">
          <h2>Playlist</h2>
          <TextField
            label="Name"
            value={draft.name}
            error={errorAt(errors, '/name')}
            onInput={(name) => set({ name })}
          />
          {stored === undefined ? (
            <TextField
              label="Id"
              value={draft.id}
              error={errorAt(errors, '/id')}
              hint="Random when empty."
              onInput={(id) => set({ id })}
            />
          ) : null}
          <Toggle
            label="Enabled: channels may play it"
            isOn={draft.isEnabled}
            onChange={(isEnabled) => set({ isEnabled })}
          />
          <details>
            <summary>More: type, start of the loop</summary>
            <div class="form">
              <Choice
                label="Type"
                value={draft.type}
                options={types}
                error={errorAt(errors, '/type')}
                onChange={(type) => set({ type: type as PlaylistDraft['type'] })}
              />
              <TextField
                label="The loop started at"
                value={draft.startDate}
                error={errorAt(errors, '/startDate')}
                placeholder="2026-03-01T20:00:00Z"
                hint="A time with a zone: so the loop is where it would be had it run since then."
                onInput={(startDate) => set({ startDate })}
              />
            </div>
          </details>
        </section>
        <Changes playlistId={stored?.id} changes={changes} />
        {stored === undefined ? null : (
          <Feed
            playlistId={stored.id}
            version={stored.__v}
            hasPlaceholder={draft.items.some(({ sourceType }) => sourceType === 'placeholder')}
          />
        )}
      </div>
    </div>
  );
}
