import { Link } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/consoleContract.ts';
import { useNow } from '../api/useNow.ts';
import { nameOfEntry } from '../logic/nameOfEntry.ts';
import { formatLength, sayLength } from '../logic/time.ts';
import { StateBadge } from '../parts/StateBadge.tsx';

/** One channel: how it is, what it shows, how far that has come, what is next. */
export function ChannelCard({ channel, fill }: { readonly channel: OnAirChannel; readonly fill: number | undefined }) {
  const { id, name, now, next, nextBreak, viewers, state, stateReason } = channel;
  const clock = useNow();
  const elapsed = now ? Math.min(now.duration, Math.max(0, (clock - Date.parse(now.startsAt)) / 1000)) : 0;
  const untilBreak = nextBreak ? (Date.parse(nextBreak.startsAt) - clock) / 1000 : undefined;
  return (
    <li class={`card channel ${state}`}>
      <header>
        <h2>
          <Link href={`/channels/${encodeURIComponent(id)}`}>{name || id}</Link>
        </h2>
        <StateBadge channel={channel} />
      </header>
      {stateReason ? <p class="reason">{stateReason}</p> : null}
      {now ? (
        <div class={`now ${now.kind}`}>
          <p>
            <span class="kind">{now.kind === 'break' ? 'Break' : 'Now'}</span>
            <strong>{nameOfEntry(now)}</strong>
            <span class="number">
              {formatLength(elapsed)} / {formatLength(now.duration)}
            </span>
          </p>
          <progress max={now.duration} value={elapsed} aria-label="How far it has come" />
        </div>
      ) : (
        <p class="quiet">{state === 'disabled' ? 'Nothing plays while the channel is off.' : 'Nothing plays yet.'}</p>
      )}
      <dl class="glance">
        <div>
          <dt>Watching</dt>
          <dd>{viewers}</dd>
        </div>
        <div>
          <dt>Fill, last hour</dt>
          <dd>{fill === undefined ? '–' : `${Math.round(fill * 100)} %`}</dd>
        </div>
        <div>
          <dt>Next</dt>
          <dd>{next ? nameOfEntry(next) : '–'}</dd>
        </div>
        <div>
          <dt>Next break</dt>
          <dd>
            {nextBreak && untilBreak !== undefined
              ? `${untilBreak > 0 ? `in ${formatLength(untilBreak)}` : 'now'}, ${sayLength(nextBreak.duration)}`
              : state === 'disabled'
                ? '–'
                : 'none within the hour'}
          </dd>
        </div>
      </dl>
    </li>
  );
}
