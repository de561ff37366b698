// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { PlaylistResponse } from '../../../src/http/contract/playlistContract.ts';
import type { FieldError } from '../api/apiError.ts';
import { Button } from '../components/buttons/Button.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { otherErrors } from '../components/forms/fieldErrors.ts';
import { DraftWarnings } from './DraftWarnings.tsx';
import type { Change } from './diffPlaylists.ts';
import { ItemList } from './ItemList.tsx';
import { MrssFeed } from './MrssFeed.tsx';
import { PasteUrls } from './PasteUrls.tsx';
import { PlaylistFields } from './PlaylistFields.tsx';
import { newItem, type PlaylistDraft } from './playlistDraft.ts';
import { UnsavedChanges } from './UnsavedChanges.tsx';

type PlaylistEditorProps = {
  readonly draft: PlaylistDraft;
  readonly stored: PlaylistResponse | undefined;
  readonly changes: readonly Change[];
  readonly errors: readonly FieldError[];
  onChange(draft: PlaylistDraft): void;
};

/** The paths whose errors are shown at a field. */
const fieldPaths = [
  /^\/(name|id|startDate|type)$/,
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
        <PlaylistFields {...{ draft, errors, set }} isNew={stored === undefined} />
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
