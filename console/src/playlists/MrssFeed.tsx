// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { callText } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { CopyButton } from '../components/buttons/CopyButton.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { TextField } from '../components/forms/TextField.tsx';

type MrssFeedProps = {
  readonly playlistId: string;
  /** The version of the stored playlist. */
  readonly version: number;
  readonly hasPlaceholder: boolean;
};

/** The stored playlist as MRSS. */
export function MrssFeed({ playlistId, version, hasPlaceholder }: MrssFeedProps) {
  const [content, setContent] = useState('');
  const [loaded, setLoaded] = useState({ version, text: '' });
  // The feed of an earlier version is out of date.
  const feed = loaded.version === version ? loaded.text : '';
  const load = useAction(async () => {
    const query = new URLSearchParams({
      format: 'mrss',
      ...(content.trim() === '' ? {} : { content: content.trim() }),
    });
    const text = await callText(`/playlists/${encodeURIComponent(playlistId)}?${query}`, { accept: '*/*' });
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
        <Button icon="eye" isBusy={load.isBusy} onClick={() => void load.run()}>
          {feed === '' ? 'Show feed' : 'Refresh feed'}
        </Button>
      </div>
      <p class="small muted">Contains the saved version only.</p>
    </section>
  );
}
