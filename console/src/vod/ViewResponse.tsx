// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { OpenedSession } from '../../../src/http/contract/airContract.ts';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { useInstallation } from '../api/installation.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { CopyButton } from '../components/buttons/CopyButton.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { openSession } from '../player/openSession.ts';
import { formats } from '../player/PreviewCard.tsx';
import type { Format } from '../player/playbackUrls.ts';

type ViewResponseProps = {
  readonly channel: ChannelResponse;
  readonly target: Readonly<Record<string, string>>;
};

/** Opens a session and shows the response that an app receives. */
export function ViewResponse({ channel, target }: ViewResponseProps) {
  const { liveUrl } = useInstallation();
  const [format, setFormat] = useState<Format>('hls');
  const [opened, setOpened] = useState<OpenedSession>();
  const open = useAction(async () => {
    setOpened(undefined);
    setOpened(await openSession(liveUrl, format, channel, target));
  });
  const text = opened && JSON.stringify(opened, null, 2);
  return (
    <section class="card stack">
      <div class="row between">
        <h2>View response</h2>
        {text === undefined ? null : <CopyButton text={text} label="Copy response" />}
      </div>
      <ErrorNotice error={open.error} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by the keyboard */}
      {text === undefined ? null : <pre tabIndex={0}>{text}</pre>}
      <div class="row">
        <SegmentedControl
          label="Response format"
          value={format}
          options={formats}
          onChange={(next) => setFormat(next)}
        />
        <Button icon="eye" isBusy={open.isBusy} onClick={() => void open.run()}>
          Open session
        </Button>
        {opened ? <Link href={`/sessions/${opened.sessionId}`}>View session</Link> : null}
      </div>
      <p class="small muted">Opening a session requests its ads.</p>
    </section>
  );
}
