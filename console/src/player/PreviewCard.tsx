// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { Button } from '../components/buttons/Button.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import type { PlayerName, SeekMessage } from '../preview/messages.ts';
import { PreviewFrame } from './PreviewFrame.tsx';
import type { Format } from './playbackUrls.ts';
import type { PreviewSession } from './usePreview.ts';
import './player.css';

type PreviewCardProps = {
  readonly preview: PreviewSession;
  readonly startAt?: number | undefined;
  readonly seek?: SeekMessage | undefined;
  /** The state of the preview, below the picture. */
  readonly children: ComponentChildren;
};

const players: readonly (readonly [PlayerName, string])[] = [
  ['hls.js', 'hls.js'],
  ['shaka', 'Shaka'],
];
export const formats: readonly (readonly [Format, string])[] = [
  ['hls', 'HLS'],
  ['dash', 'DASH'],
];

/** The picture of a preview and its controls. */
export function PreviewCard({ preview, startAt, seek, children }: PreviewCardProps) {
  const { format, player, opened, start } = preview;
  return (
    <section class="card preview" aria-label="Preview">
      <div class="screen">
        {opened === undefined ? (
          <div class="overlay">
            <Button kind="primary" icon="play" isBusy={start.isBusy} onClick={() => void start.run(format)}>
              Start preview
            </Button>
            Previews are not counted or tracked.
          </div>
        ) : (
          <PreviewFrame
            key={`${opened.mediaURL} ${player}`}
            url={opened.mediaURL}
            {...{ player, startAt, seek }}
            onMessage={preview.handleMessage}
          />
        )}
      </div>
      <ErrorNotice error={start.error} />
      {opened === undefined ? null : children}
      <div class="controls">
        <SegmentedControl
          label="Format"
          value={format}
          isDisabled={start.isBusy}
          options={formats}
          onChange={preview.changeFormat}
        />
        <SegmentedControl
          label="Player"
          value={player}
          options={format === 'dash' ? players.slice(1) : players}
          onChange={preview.setPlayer}
        />
        {opened === undefined ? null : (
          <>
            <Button icon="refresh" isBusy={start.isBusy} onClick={() => void start.run(format)}>
              Restart
            </Button>
            <Button icon="stop" onClick={preview.stop}>
              Stop
            </Button>
            <Link href={`/sessions/${opened.sessionId}`}>View session</Link>
          </>
        )}
      </div>
      <details>
        <summary>Ad parameters</summary>
        <TextField
          label="Parameters"
          rows={3}
          value={preview.parameters}
          onInput={preview.setParameters}
          placeholder={'viewer: test\nconsent: yes'}
          hint='One "name: value" per line. The ad server URL refers to them as [PLAYER.name]. Restart to apply.'
        />
      </details>
    </section>
  );
}
