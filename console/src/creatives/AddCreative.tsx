import { useState } from 'preact/hooks';
import type { AssetsAdded } from '../../../src/http/assetContract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { errorAt } from '../logic/fieldErrors.ts';
import { tellAdded } from '../logic/tellAdded.ts';
import { Button } from '../parts/Button.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { FormError } from '../parts/FormError.tsx';
import { Notice } from '../parts/Notice.tsx';
import { Segments } from '../parts/Segments.tsx';
import { TextField } from '../parts/TextField.tsx';

type Kind = 'mediaUrl' | 'vastUrl';
const kinds: readonly (readonly [Kind, string])[] = [
  ['mediaUrl', 'A video'],
  ['vastUrl', 'All of a VAST document'],
];

/** Has creatives made before the first viewer comes. */
export function AddCreative({ onClose }: { onClose(): void }) {
  const [kind, setKind] = useState<Kind>('mediaUrl');
  const [url, setUrl] = useState('');
  const [told, setTold] = useState<readonly string[]>([]);
  const add = useAction(async () => {
    const { body } = await call<AssetsAdded>('POST', '/assets', { body: { [kind]: url.trim() } });
    const remarks = tellAdded(body);
    if (remarks.length === 0) onClose();
    setTold(remarks);
  });
  return (
    <Dialog title="Prepare a creative" onClose={onClose}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void add.run();
        }}
      >
        <p class="quiet">
          It is fetched and made to fit every channel that is on air, so that its first viewer need not wait.
        </p>
        <Segments label="What is given" value={kind} options={kinds} onChange={(next: Kind) => setKind(next)} />
        <TextField
          label={kind === 'mediaUrl' ? 'Address of a video file or manifest' : 'Address of a VAST document'}
          type="url"
          value={url}
          error={errorAt(add.fields, `/${kind}`)}
          onInput={setUrl}
        />
        {told.length === 0 ? null : (
          <Notice tone="warn">
            {told.map((each, at) => (
              <p key={at}>{each}</p>
            ))}
          </Notice>
        )}
        <FormError error={add.error} />
        <footer>
          <Button type="submit" kind="primary" isBusy={add.isBusy}>
            Prepare
          </Button>
          <Button onClick={onClose}>{told.length > 0 ? 'Close' : 'Cancel'}</Button>
        </footer>
      </form>
    </Dialog>
  );
}
