// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { serverNow } from '../api/serverClock.ts';
import { useAction } from '../api/useAction.ts';
import { FormDialog } from '../components/dialogs/FormDialog.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { NumberField } from '../components/forms/NumberField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { formatTimecode } from '../format/time.ts';
import { newId } from './programmeDraft.ts';
import { offerUndo } from './undoChange.ts';

/** Milliseconds: what is published stays. */
const LEAD = 10_000;

type GoLiveDialogProps = { readonly id: string; onStarted(): void; onClose(): void };

/** Puts a live origin on air at once, until it is ended by hand. */
export function GoLiveDialog({ id, onStarted, onClose }: GoLiveDialogProps) {
  const [title, setTitle] = useState('');
  const [url, setUrl] = useState('');
  const [plannedDuration, setDuration] = useState<number | undefined>(3600);
  const start = useAction(async () => {
    const entry = {
      id: newId(title || 'live'),
      start: new Date(serverNow() + LEAD).toISOString(),
      title: title || 'Live',
      source: {
        live: { sourceManifestUrl: url.trim(), plannedDuration: plannedDuration ?? 0, end: 'manual' as const },
      },
    };
    const { etag } = await call('PATCH', '/channels/{id}/schedule', { path: { id }, body: { entries: [entry] } });
    const text = `${entry.title} is on air in a few seconds.`;
    offerUndo({ id, etag, text, undone: 'Schedule restored.', onUndone: onStarted });
    onStarted();
    onClose();
  });
  const at = '/entries/0/source/live';
  return (
    <FormDialog title="Go live" label="Go live" action={start} requires="operate" onClose={onClose}>
      <TextField label="Title" value={title} placeholder="Press conference" onInput={setTitle} />
      <TextField
        label="Origin URL"
        type="url"
        value={url}
        error={fieldError(start.fields, `${at}/sourceManifestUrl`)}
        hint="HLS playlist or DASH manifest that fits the channel."
        onInput={setUrl}
      />
      <NumberField
        label="Planned duration (s)"
        value={plannedDuration}
        error={fieldError(start.fields, `${at}/plannedDuration`)}
        hint={`${plannedDuration ? `${formatTimecode(plannedDuration)}. ` : ''}It stays on air until you end it.`}
        onInput={setDuration}
      />
    </FormDialog>
  );
}
