import type { TimelineAnswer, TimelineEntry } from '../../../src/http/airContract.ts';
import { useNow } from '../api/useNow.ts';
import { nameOfEntry } from '../logic/nameOfEntry.ts';
import { marksOn, placeOnStrip } from '../logic/placeOnStrip.ts';
import { formatClock, sayLength } from '../logic/time.ts';

type TimelineStripProps = {
  readonly timeline: TimelineAnswer;
  /** Milliseconds from one end to the other. */
  readonly shown: number;
  readonly pictureAt: number | undefined;
};

/** A quarter of the strip is past. */
const PAST = 0.25;
const words = { content: 'Content', break: 'Break', slate: 'Slate' } as const;

const about = (entry: TimelineEntry): string =>
  `${words[entry.kind]}: ${nameOfEntry(entry)}, ${formatClock(entry.startsAt)}, ${sayLength(entry.duration)}`;

/** The schedule drawn to scale; it moves under the clock. Screen readers have the list below it. */
export function TimelineStrip({ timeline, shown, pictureAt }: TimelineStripProps) {
  const now = useNow(500);
  const from = now - shown * PAST;
  const at = (time: number) => ({ left: `${((time - from) / shown) * 100}%` });
  const isInSight = (time: number) => time > from && time < from + shown;
  return (
    <div class="strip" aria-hidden="true">
      <div class="marks">
        {marksOn(from, shown).map((mark) => (
          <span key={mark} style={at(mark)}>
            {new Date(mark).toLocaleTimeString('en-GB', {
              hour: '2-digit',
              minute: '2-digit',
              ...(mark % 60_000 === 0 ? {} : { second: '2-digit' }),
            })}
          </span>
        ))}
      </div>
      <div class="lane">
        {timeline.entries.map((entry) => {
          const placed = placeOnStrip(Date.parse(entry.startsAt), entry.duration, from, shown);
          if (placed === undefined) return null;
          return (
            <div
              key={entry.startsAt}
              class={`entry ${entry.kind}`}
              style={{ left: `${placed.left}%`, width: `${placed.width}%` }}
              title={about(entry)}
            >
              {placed.width > 4 ? nameOfEntry(entry) : ''}
            </div>
          );
        })}
        {(timeline.editions ?? [])
          .filter(({ number, startsAt }) => number > 0 && isInSight(Date.parse(startsAt)))
          .map(({ number, startsAt }) => (
            <div key={number} class="edition" style={at(Date.parse(startsAt))} title={`Change ${number} airs`} />
          ))}
      </div>
      <div class="cursor" style={at(now)}>
        <span>now</span>
      </div>
      {pictureAt !== undefined && isInSight(pictureAt) ? (
        <div class="cursor picture" style={at(pictureAt)}>
          <span>picture</span>
        </div>
      ) : null}
    </div>
  );
}
