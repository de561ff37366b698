import { useState } from 'preact/hooks';
import { callText } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../parts/Button.tsx';
import { CopyButton } from '../parts/CopyButton.tsx';
import { ErrorNotice } from '../parts/Notice.tsx';
import { TextField } from '../parts/TextField.tsx';

type FeedProps = {
  readonly playlistId: string;
  /** Of the playlist as it is stored. */
  readonly version: number;
  readonly hasPlaceholder: boolean;
};

/** The stored playlist as MRSS. */
export function Feed({ playlistId, version, hasPlaceholder }: FeedProps) {
  const [content, setContent] = useState('');
  const [shown, setShown] = useState({ version, text: '' });
  // What was shown of an earlier version is no longer so.
  const feed = shown.version === version ? shown.text : '';
  const show = useAction(async () => {
    const query = new URLSearchParams({
      format: 'mrss',
      ...(content.trim() === '' ? {} : { content: content.trim() }),
    });
    const text = await callText(`/playlists/${encodeURIComponent(playlistId)}?${query}`, { accept: '*/*' });
    setShown({ version, text });
  });
  return (
    <section class="card stack">
      <div class="row between">
        <h2>As MRSS</h2>
        {feed === '' ? null : <CopyButton text={feed} label="Copy the feed" />}
      </div>
      {hasPlaceholder ? (
        <TextField label="In place of placeholders" type="url" value={content} onInput={setContent} />
      ) : null}
      <ErrorNotice error={show.error} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      {feed === '' ? null : <pre tabIndex={0}>{feed}</pre>}
      <div>
        <Button icon="eye" isBusy={show.isBusy} onClick={() => void show.run()}>
          {feed === '' ? 'Show the feed' : 'Show it anew'}
        </Button>
      </div>
      <p class="small quiet">The feed of what is stored, without what is being edited.</p>
    </section>
  );
}
