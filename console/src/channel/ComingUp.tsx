import type { TimelineAnswer } from '../../../src/http/airContract.ts';
import { useNow } from '../api/useNow.ts';
import { nameOfEntry } from '../logic/nameOfEntry.ts';
import { formatClock, sayLength } from '../logic/time.ts';
import { Badge, type Tone } from '../parts/Badge.tsx';

const SHOWN = 6;
const tones: Readonly<Record<'content' | 'break' | 'slate', readonly [Tone, string]>> = {
  content: ['info', 'Content'],
  break: ['ad', 'Break'],
  slate: ['calm', 'Slate'],
};

/** What is on and what follows, as a list; and the changes of the schedule that are still to come. */
export function ComingUp({ timeline }: { readonly timeline: TimelineAnswer }) {
  const now = useNow();
  const ahead = timeline.entries
    .filter(({ startsAt, duration }) => Date.parse(startsAt) + duration * 1000 > now)
    .slice(0, SHOWN);
  const changes = (timeline.editions ?? []).filter(({ number, startsAt }) => number > 0 && Date.parse(startsAt) > now);
  return (
    <>
      {changes.map(({ number, startsAt }) => (
        <p key={number} class="edition-note">
          <Badge tone="info">Change to come</Badge> From {formatClock(startsAt)} on, the channel plays the edited
          playlist.
        </p>
      ))}
      <ol class="coming">
        {ahead.map((entry) => (
          <li key={entry.startsAt}>
            <time dateTime={entry.startsAt}>
              {Date.parse(entry.startsAt) <= now ? 'Now' : formatClock(entry.startsAt)}
            </time>
            <Badge tone={tones[entry.kind][0]}>{tones[entry.kind][1]}</Badge>
            <span class="name">{nameOfEntry(entry)}</span>
            <span class="small quiet">
              {sayLength(entry.duration)}
              {entry.maxAds === undefined ? '' : `, at most ${entry.maxAds} ${entry.maxAds === 1 ? 'ad' : 'ads'}`}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
