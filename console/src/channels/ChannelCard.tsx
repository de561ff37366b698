// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import { AlertsOf } from '../alerts/AlertsOf.tsx';
import { useNow } from '../api/serverClock.ts';
import { Figure } from '../components/layout/Facts.tsx';
import { formatCount, formatPercent, orDash } from '../format/numbers.ts';
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

const enabledTexts: Readonly<Record<OnAirChannel['type'], string>> = {
  vod2live: 'Starting…',
  live: 'Live from its origin',
  vod: 'Plays on request',
};

const idleText = ({ type, state }: OnAirChannel): string => {
  if (state === 'enabled') return enabledTexts[type];
  return state === 'failed' ? 'Not playing' : type === 'vod' ? 'Disabled' : 'Off air';
};

/** What is on, in as many lines for each type, so that cards next to each other have no gaps. */
function NowPlaying({ channel }: { readonly channel: OnAirChannel }) {
  const clock = useNow();
  const { now } = channel;
  if (now === undefined) return <p class="muted">{idleText(channel)}</p>;
  const elapsed = Math.min(now.duration, Math.max(0, (clock - Date.parse(now.startsAt)) / 1000));
  return (
    <div class={`now ${now.kind}`}>
      <p>
        <span class="kind small muted">{now.kind === 'break' ? 'Break' : 'Now'}</span>
        <strong class="ellipsis">{entryName(now)}</strong>
        <span class="number small muted">
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
      <Figure name="Up next">{channel.next ? entryName(channel.next) : '–'}</Figure>
      <Figure name="Next break">{nextBreakText(channel, clock)}</Figure>
    </>
  );
}

/** The status of one channel: what it plays now and, on a linear channel, what is next. */
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
      <NowPlaying channel={channel} />
      <dl class="facts-row">
        <Figure name="Viewers">{formatCount(viewers)}</Figure>
        <Figure name="Fill rate, 1 h">{orDash(fillRate, formatPercent)}</Figure>
        {type !== 'vod2live' ? (
          <Figure name="Type">{type === 'vod' ? 'VoD' : 'Live'}</Figure>
        ) : (
          <UpNext channel={channel} />
        )}
      </dl>
    </li>
  );
}
