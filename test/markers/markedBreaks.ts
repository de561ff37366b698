// SPDX-License-Identifier: Apache-2.0
// SCTE-35 messages, and the breaks that the markers of a manifest state.
import { readMpd } from '../../src/dash/read/readMpd.ts';
import { readMedia } from '../../src/hls/readMedia.ts';
import { collectBreaks } from '../../src/markers/breakFold.ts';
import type { MarkedBreak, MarkerOptions } from '../../src/markers/markerSignal.ts';
import { placeEvents } from '../../src/markers/placeEvents.ts';
import { placeTags } from '../../src/markers/placeTags.ts';
import { type Flicks, flicks, flicksToSeconds, secondsToFlicks } from '../../src/time/units.ts';
import {
  type EncodedInsert,
  encodeSection,
  insertFields,
  segmentationDescriptor,
  spliceTime,
} from '../scte35/encodeSection.ts';

const lasting = (seconds: number | undefined) => (seconds ? { duration: seconds * 90_000 } : {});

/** A splice_insert. @param seconds its length. @param more has no time unless it states one */
export const insert = (isOut: boolean, seconds?: number, more: Partial<EncodedInsert> = { time: 900_000 }) =>
  encodeSection({ type: 5, command: insertFields({ id: 100, isOut, ...lasting(seconds), ...more }) });

export type Segmentation = readonly [typeId: number, id: number, seconds?: number, num?: number, expected?: number];

export const segmentation = ([typeId, id, seconds, num = 1, expected = 1]: Segmentation) =>
  segmentationDescriptor({ id, typeId, ...lasting(seconds), segments: [num, expected] });

/** A time_signal. */
export const message = (...of: readonly Segmentation[]) =>
  encodeSection({ type: 6, command: spliceTime(900_000), descriptors: of.map(segmentation) });

const seconds = (time: Flicks | undefined): string => (time === undefined ? '' : `${flicksToSeconds(time)}`);

/** `at–until/duration`, in seconds. */
export const inSeconds = ({ at, until, duration }: Pick<MarkedBreak, 'at' | 'until' | 'duration'>): string =>
  `${seconds(at)}–${seconds(until)}/${seconds(duration)}`;

/** Lines of a playlist. A number stands for as many segments. */
export type Items = readonly (string | number)[];

/** @param segment the lines of a segment */
export function linesOf(items: Items, segment: (index: number) => string): string {
  let count = 0;
  const written = (item: string | number) =>
    typeof item === 'string' ? [item] : Array.from({ length: item }, () => segment(count++));
  return items.flatMap(written).join('\n');
}

/** Reads a media playlist, also of a window of a live stream. */
export function readTags(text: string) {
  const media = readMedia(text);
  if ('refused' in media) throw new Error(media.refused);
  const borders = [flicks(0)];
  for (const { micros } of media.segments) borders.push(flicks(borders.at(-1)! + secondsToFlicks(micros / 1e6)));
  const dates = media.segments.map((each) => each.programDateTime);
  return { end: borders.at(-1)!, ...collectBreaks(placeTags(media.markers, { borders, dates }), flicks(0)) };
}

export function readEvents(text: string, options?: MarkerOptions) {
  const mpd = readMpd(text, 'http://a/b.mpd');
  if ('refused' in mpd) throw new Error(mpd.refused);
  const periods = mpd.periods.map(({ start, events = [] }) => ({ start, events }));
  const { breaks, warnings } = collectBreaks(placeEvents(periods, options), flicks(0));
  return { breaks, warnings: [...mpd.warnings, ...warnings] };
}
