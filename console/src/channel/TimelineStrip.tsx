// SPDX-License-Identifier: Apache-2.0
import type { TimelineEntry, TimelineResponse } from '../../../src/http/contract/airContract.ts';
import { useNow } from '../api/useNow.ts';
import { entryKinds, entryName } from '../channels/entryName.ts';
import { placeOnScale, scaleMarks } from '../channels/timelineScale.ts';
import { formatDuration, formatMark, formatTimeOfDay } from '../format/time.ts';

type TimelineStripProps = {
  readonly timeline: TimelineResponse;
  /** Milliseconds from one end to the other. */
  readonly range: number;
  readonly pictureAt: number | undefined;
};

/** The share of the strip that shows the past. */
const PAST = 0.25;
const REDRAW_MS = 500;
/** Per cent of the strip; narrower entries have no text. */
const MIN_TEXT_WIDTH = 4;

const describe = (entry: TimelineEntry): string =>
  `${entryKinds[entry.kind][1]}: ${entryName(entry)}, ${formatTimeOfDay(entry.startsAt)}, ${formatDuration(entry.duration)}`;

/** The schedule to scale, moving with the clock. Screen readers have the list below it. */
export function TimelineStrip({ timeline, range, pictureAt }: TimelineStripProps) {
  const now = useNow(REDRAW_MS);
  const from = now - range * PAST;
  const leftOf = (time: number) => ({ left: `${((time - from) / range) * 100}%` });
  const isVisible = (time: number) => time > from && time < from + range;
  return (
    <div class="strip" aria-hidden="true">
      <div class="marks">
        {scaleMarks(from, range).map((mark) => (
          <span key={mark} style={leftOf(mark)}>
            {formatMark(mark)}
          </span>
        ))}
      </div>
      <div class="lane">
        {timeline.entries.map((entry) => {
          const placed = placeOnScale(Date.parse(entry.startsAt), entry.duration, from, range);
          if (placed === undefined) return null;
          return (
            <div
              key={entry.startsAt}
              class={`entry ${entry.kind}`}
              style={{ left: `${placed.left}%`, width: `${placed.width}%` }}
              title={describe(entry)}
            >
              {placed.width > MIN_TEXT_WIDTH ? entryName(entry) : ''}
            </div>
          );
        })}
        {(timeline.editions ?? [])
          .filter(({ kind, startsAt }) => kind === 'edit' && isVisible(Date.parse(startsAt)))
          .map(({ number, startsAt }) => (
            <div
              key={number}
              class="edition"
              style={leftOf(Date.parse(startsAt))}
              title={`Schedule change ${number}`}
            />
          ))}
      </div>
      <div class="cursor" style={leftOf(now)}>
        <span>Now</span>
      </div>
      {pictureAt !== undefined && isVisible(pictureAt) ? (
        <div class="cursor picture" style={leftOf(pictureAt)}>
          <span>Preview</span>
        </div>
      ) : null}
    </div>
  );
}
