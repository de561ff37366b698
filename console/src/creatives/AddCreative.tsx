// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { AssetBody } from '../../../src/http/contract/assetContract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { FormDialog } from '../components/dialogs/FormDialog.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { addWarnings } from './addWarnings.ts';

type Source = keyof Pick<AssetBody, 'mediaUrl' | 'vastUrl'>;
const sources: readonly (readonly [Source, string])[] = [
  ['mediaUrl', 'Video'],
  ['vastUrl', 'VAST document'],
];
const urlLabels: Readonly<Record<Source, string>> = { mediaUrl: 'Video or manifest URL', vastUrl: 'VAST URL' };

/** Prepares creatives before an ad server returns them. */
export function AddCreative({ onClose }: { onClose(): void }) {
  const [source, setSource] = useState<Source>('mediaUrl');
  const [url, setUrl] = useState('');
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const add = useAction(async () => {
    const body: AssetBody = { [source]: url.trim() };
    const { body: added } = await call('POST', '/assets', { body });
    const reported = addWarnings(added);
    if (reported.length === 0) onClose();
    setWarnings(reported);
  });
  return (
    <FormDialog
      title="Add creative"
      action={add}
      label="Add"
      dismiss={warnings.length > 0 ? 'Close' : 'Cancel'}
      requires="tenant"
      onClose={onClose}
    >
      <p class="muted">Midroll fetches the creative and conditions it for every channel on air.</p>
      <SegmentedControl label="Source" value={source} options={sources} onChange={(next: Source) => setSource(next)} />
      <TextField
        label={urlLabels[source]}
        type="url"
        value={url}
        error={fieldError(add.fields, `/${source}`)}
        onInput={setUrl}
      />
      {warnings.length === 0 ? null : (
        <Notice tone="warn">
          {warnings.map((each, at) => (
            <p key={at}>{each}</p>
          ))}
        </Notice>
      )}
    </FormDialog>
  );
}
