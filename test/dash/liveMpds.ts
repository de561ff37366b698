// SPDX-License-Identifier: Apache-2.0
// Live MPDs, and what is read from them.
import type { LiveMpd, LiveRepresentation } from '../../src/dash/read/live/liveMpd.ts';
import { type LiveReading, readLiveMpd } from '../../src/dash/read/live/readLiveMpd.ts';
import { flicks, flicksToSeconds, millis } from '../../src/time/units.ts';
import type { Instant } from '../../src/timeline/programme/span.ts';

const source = 'https://o.example/live/main/manifest.mpd?token=a';
export const START = 'availabilityStartTime="2026-01-01T00:00:00Z"';
export const mpd = (attributes: string, ...content: string[]): string =>
  `<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" ${attributes}>\n${content.join('\n')}\n</MPD>`;
export const video = (segments: string): string =>
  `<AdaptationSet id="1" mimeType="video/mp4"><Representation id="v" bandwidth="900000" codecs="avc1.64001f">${segments}</Representation></AdaptationSet>`;
export const period = (segments: string, attributes = 'start="PT0S"'): string =>
  `<Period ${attributes}>${video(segments)}</Period>`;
export const timeline = (entries: string, attributes = 'timescale="1" media="$Number$.m4s"'): string =>
  `<SegmentTemplate ${attributes}><SegmentTimeline>${entries}</SegmentTimeline></SegmentTemplate>`;

export const secondOf = (second: number): Instant => ({
  millis: millis(Date.UTC(2026, 0, 1) + 1000 * second),
  rest: flicks(0),
});
/** @param second of the first day of 2026 */
export const readOrRefuse = (text: string, second: number, more: Partial<LiveReading> = {}) =>
  readLiveMpd(text, source, { now: secondOf(second), ...more });

export function read(text: string, second: number, more: Partial<LiveReading> = {}): LiveMpd {
  const result = readOrRefuse(text, second, more);
  if ('refused' in result) throw new Error(result.refused);
  return result;
}
export const only = (result: LiveMpd): LiveRepresentation => result.periods[0]!.representations[0]!;
/** Number, time, start, duration and URL of each segment. */
export const listing = ({ segments: { segments } }: LiveRepresentation) =>
  segments.map(({ number, time, startsAt, duration, media }) => [
    number,
    Number(time),
    new Date(startsAt.millis).toISOString().slice(11, 23),
    flicksToSeconds(duration),
    media.url.replace('https://o.example/live/', ''),
  ]);
export const numbers = (result: LiveMpd) => listing(only(result)).map(([number]) => number);
export const places = (result: LiveMpd) => listing(only(result)).map(([number, time]) => `${number}/${time}`);
