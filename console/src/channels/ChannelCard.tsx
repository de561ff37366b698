// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import { AlertsOf } from '../alerts/AlertsOf.tsx';
import { useNow } from '../api/serverClock.ts';
import { formatCount, formatPercent } from '../format/numbers.ts';
import { formatDuration, formatTimecode } from '../format/time.ts';
import { ChannelBadge } from './ChannelBadge.tsx';
import { ProblemTexts } from './ChannelProblems.tsx';
import { entryName } from './entryName.ts';

type ChannelCardProps = { readonly channel: OnAirChannel; readonly fillRate: number | undefined };

function nextBreakText({ nextBreak, state }: OnAirChannel, clock: number): string {
  if (nextBreak === undefined) return state === 'disabled' ? '–' : 'None within 1 h';
  const seconds = (Date.parse(nextBreak.startsAt) - clock) / 1000;
  return `${seconds > 0 ? `in ${formatTimecode(seconds)}` : 'now'}, ${formatDuration(nextBreak.duration)}`;
}

const idleTexts: Readonly<Record<OnAirChannel['state'], string>> = {
  disabled: 'Off air',
  enabled: 'Starting…',
  failed: 'Not playing',
};

function NowPlaying({ channel: { now, state } }: { readonly channel: OnAirChannel }) {
  const clock = useNow();
  if (now === undefined) return <p class="muted">{idleTexts[state]}</p>;
  const elapsed = Math.min(now.duration, Math.max(0, (clock - Date.parse(now.startsAt)) / 1000));
  return (
    <div class={`now ${now.kind}`}>
      <p>
        <span class="kind">{now.kind === 'break' ? 'Break' : 'Now'}</span>
        <strong>{entryName(now)}</strong>
        <span class="number">
          {formatTimecode(elapsed)} / {formatTimecode(now.duration)}
        </span>
      </p>
      <progress max={now.duration} value={elapsed} aria-label="Elapsed" />
    </div>
  );
}

function UpNext({ channel }: { readonly channel: OnAirChannel }) {
  const clock = useNow();
  return (
    <>
      <div>
        <dt>Up next</dt>
        <dd>{channel.next ? entryName(channel.next) : '–'}</dd>
      </div>
      <div>
        <dt>Next break</dt>
        <dd>{nextBreakText(channel, clock)}</dd>
      </div>
    </>
  );
}

/** The status of one channel. A linear channel also has what it plays now and what is next. */
export function ChannelCard({ channel, fillRate }: ChannelCardProps) {
  const { id, name, type, viewers, state } = channel;
  return (
    <li class={`card channel ${state}`}>
      <header>
        <h2>
          <Link href={`/channels/${encodeURIComponent(id)}`}>{name || id}</Link>
        </h2>
        <ChannelBadge channel={channel} />
      </header>
      <ProblemTexts channel={channel} />
      <AlertsOf channels={[id]} isCompact />
      {type === 'vod2live' ? <NowPlaying channel={channel} /> : null}
      <dl class="facts-row">
        <div>
          <dt>Viewers</dt>
          <dd>{formatCount(viewers)}</dd>
        </div>
        <div>
          <dt>Fill rate, 1 h</dt>
          <dd>{fillRate === undefined ? '–' : formatPercent(fillRate)}</dd>
        </div>
        {type !== 'vod2live' ? (
          <div>
            <dt>Type</dt>
            <dd>{type === 'vod' ? 'VoD' : 'Live'}</dd>
          </div>
        ) : (
          <UpNext channel={channel} />
        )}
      </dl>
    </li>
  );
}
