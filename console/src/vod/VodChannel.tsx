// SPDX-License-Identifier: Apache-2.0

import { useState } from 'preact/hooks';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { useGet } from '../api/useGet.ts';
import { ChannelProblems } from '../channels/ChannelProblems.tsx';
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { PlaybackUrls } from '../player/PlaybackUrls.tsx';
import { type Format, type VodTarget, vodParameters } from '../player/playbackUrls.ts';
import { PlaylistItems } from '../playlists/PlaylistItems.tsx';
import { LatestSessions } from '../sessions/LatestSessions.tsx';
import './vod.css';
import { Link } from 'wouter-preact';
import { sourceName } from '../../../src/channels/sourceName.ts';
import type { OpenedSession } from '../../../src/http/contract/airContract.ts';
import type { TitleImport } from '../../../src/http/contract/statusContract.ts';
import { useInstallation } from '../api/installation.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { CopyButton } from '../components/buttons/CopyButton.tsx';
import { StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { orDash } from '../format/numbers.ts';
import { formatDateTime, formatTimecode } from '../format/time.ts';
import { openSession } from '../player/openSession.ts';
import { formats, PreviewCard, type PreviewCardProps, PreviewStatus } from '../player/PreviewCard.tsx';
import { usePreview } from '../player/usePreview.ts';
import type { SeekMessage } from '../preview/messages.ts';
import { ContentBar } from './ContentBar.tsx';

/** A preview of a VoD channel, its playback URLs, its titles and the items of its playlist. */
export function VodChannel({ channel }: { readonly channel: ChannelResponse }) {
  const { playlistId, state, titles = [] } = channel;
  const playlist = useGet('/playlists/{id}', playlistId === undefined ? null : { path: { id: playlistId } });
  const [target, setTarget] = useState<VodTarget>({ content: '', start: '' });
  const hasPlaceholder =
    playlistId === undefined || (playlist.data?.contents ?? []).some(({ sourceType }) => sourceType === 'placeholder');
  const parameters = vodParameters(target);
  const [isCompared, setCompared] = useState(channel.insertion === 'guided');
  return (
    <div class="stack">
      {state === 'disabled' ? <Notice tone="info">This channel is disabled. Players cannot open it.</Notice> : null}
      <ChannelProblems channel={channel} />
      <VodTargetFields channel={channel} target={target} hasPlaceholder={hasPlaceholder} onChange={setTarget} />
      <div class="columns">
        <div class="stack">
          <VodPreview channel={channel} target={parameters} comparison={{ isOn: isCompared, set: setCompared }} />
          <ViewResponse channel={channel} target={parameters} />
        </div>
        <div class="stack">
          {isCompared ? <GuidedVodPreview channel={channel} target={parameters} /> : null}
          <PlaybackUrls channel={channel} target={parameters} />
          <LatestSessions channelId={channel.id} />
        </div>
      </div>
      {playlistId === undefined ? null : <PlaylistItems channel={channel} />}
      {hasPlaceholder || titles.length > 0 ? <TitleImports titles={titles} /> : null}
    </div>
  );
}

type VodTargetFieldsProps = {
  readonly channel: ChannelResponse;
  readonly target: VodTarget;
  /** Whether the playlist has a placeholder, or the channel has no playlist. */
  readonly hasPlaceholder: boolean;
  onChange(target: VodTarget): void;
};

const describeHosts = ({ contentHosts = [] }: ChannelResponse): string =>
  contentHosts.length === 0
    ? 'This channel has no content hosts. Add them under Settings.'
    : `Fills the placeholder. Allowed hosts: ${contentHosts.join(', ')}.`;

/** What sessions play, and from where: for the preview, the URLs and the view response. */
const VodTargetFields = ({ channel, target, hasPlaceholder, onChange }: VodTargetFieldsProps) => (
  <section class="card vod-target" aria-label="Content">
    {hasPlaceholder ? (
      <TextField
        label="Content URL"
        type="url"
        value={target.content}
        placeholder="https://media.example.com/film/master.m3u8"
        hint={describeHosts(channel)}
        onInput={(content) => onChange({ ...target, content })}
      />
    ) : null}
    <TextField
      label="Start (s)"
      inputMode="decimal"
      value={target.start}
      hint="Seconds of content to skip."
      onInput={(start) => onChange({ ...target, start })}
    />
  </section>
);

type TargetProps = {
  readonly channel: ChannelResponse;
  /** `content` and `start` of the URL. */
  readonly target: Readonly<Record<string, string>>;
};
/** A seek of one session. */
type Seek = SeekMessage & { readonly sessionId: string };

/** Plays a title as a viewer, with a seek bar in content time. */
function VodPreview({ channel, target, comparison }: TargetProps & Pick<PreviewCardProps, 'comparison'>) {
  const preview = usePreview(channel, 'stitched', target);
  const { opened, playback, failure } = preview;
  const [seek, setSeek] = useState<Seek>();
  const startAt = opened?.startSeconds ?? 0;
  return (
    <PreviewCard
      preview={preview}
      comparison={comparison}
      startAt={startAt}
      seek={seek?.sessionId === opened?.sessionId ? seek : undefined}
    >
      {opened === undefined ? null : (
        <ContentBar
          breaks={(opened.breaks ?? []).filter(({ duration }) => duration > 0)}
          duration={opened.contentDurationSeconds ?? 0}
          position={playback?.position ?? startAt}
          onSeek={(to) => {
            setSeek({ type: 'seek', to, sessionId: opened.sessionId });
            if (playback) preview.handleMessage({ ...playback, position: to });
          }}
        />
      )}
      <PreviewStatus playback={playback} failure={failure} />
    </PreviewCard>
  );
}

/** The timeline of its player is content time, because ads are not part of the stream. */
function GuidedVodPreview({ channel, target }: TargetProps) {
  const preview = usePreview(channel, 'guided', target);
  return (
    <PreviewCard preview={preview}>
      <PreviewStatus playback={preview.playback} failure={preview.failure} />
    </PreviewCard>
  );
}

const titleStatuses: Statuses<TitleImport['state']> = {
  importing: ['info', 'Importing'],
  ready: ['good', 'Ready'],
  failed: ['bad', 'Failed'],
};

const columns: readonly Column[] = [
  { label: 'Title' },
  { label: 'Status' },
  { label: 'Duration' },
  { label: 'Requested', kind: 'wide' },
];

/** The contents that playback URLs have named, and the progress of their imports. */
const TitleImports = ({ titles }: { readonly titles: readonly TitleImport[] }) => (
  <section class="stack tight">
    <h2>Title imports</h2>
    {titles.length === 0 ? (
      <p class="muted">None. Content that playback URLs name is listed here if its import takes long or fails.</p>
    ) : (
      <Table columns={columns} isFocusable>
        {titles.map(({ url, state, reason, duration, startedAt }) => (
          <tr key={url}>
            <td class="name">
              <strong>{sourceName(url)}</strong>
              <div class="wide">
                <small class="url">{url}</small>
              </div>
              {reason ? <p class="small">{reason}</p> : null}
            </td>
            <td>
              <StatusBadge status={titleStatuses[state]} />
            </td>
            <td>{orDash(duration, formatTimecode)}</td>
            <td class="wide">{formatDateTime(startedAt)}</td>
          </tr>
        ))}
      </Table>
    )}
  </section>
);

/** Opens a session and shows the response that an app receives. */
function ViewResponse({ channel, target }: TargetProps) {
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
        <Button icon="eye" action={open}>
          Open session
        </Button>
        {opened ? <Link href={`/sessions/${opened.sessionId}`}>View session</Link> : null}
      </div>
      <p class="small muted">Opening a session requests its ads.</p>
    </section>
  );
}
