// SPDX-License-Identifier: Apache-2.0
// The messages by which Midroll announces its own breaks: splice_insert, which every reader of markers knows. They have no time:
// the place of their tag or event is that of the break (docs/decisions/054-markers-out.md).
import { crc32 } from '../mpegts/packet.ts';
import { MPEG_TIMESCALE } from '../time/mpegClock.ts';
import { type Flicks, flicksToTicks, type Millis } from '../time/units.ts';
import { writeSection } from './writeSection.ts';

type AnnouncedBreak = {
  /** Unique in the life of a channel. */
  readonly id: string;
  readonly startsAt: Millis;
  /** Undefined if its end is not known. */
  readonly duration: Flicks | undefined;
};

/** The splice_event_id of a break: 32 bits that are the same on every node. Lives of a channel use ids of breaks again. */
export const eventIdOf = ({ id, startsAt }: Pick<AnnouncedBreak, 'id' | 'startsAt'>): number =>
  crc32(new TextEncoder().encode(`${startsAt} ${id}`));

const insert = (one: AnnouncedBreak, isOut: boolean, length: { readonly duration?: number }): Uint8Array =>
  writeSection({
    command: { kind: 'insert', eventId: eventIdOf(one), isCancelled: false, isOut, ...length },
    segmentations: [],
  });

export const breakStart = (one: AnnouncedBreak): Uint8Array =>
  insert(one, true, one.duration === undefined ? {} : { duration: flicksToTicks(one.duration, MPEG_TIMESCALE) });

export const breakEnd = (one: AnnouncedBreak): Uint8Array => insert(one, false, {});
