// SPDX-License-Identifier: Apache-2.0
import type { LinearChannel } from '../../channels/channel.ts';
import type { ScheduleSettings } from '../../scheduling/schedule.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { ladderOf } from '../../timeline/ladder/ladderOf.ts';
import { type Measure, slotsOfEntry } from './scheduleWindow.ts';

/** The length of what an entry plays on a channel with this ladder, or on one of its own. */
export const measureWith =
  (ladder: Ladder | undefined, { breakDuration }: LinearChannel, { breaks }: ScheduleSettings): Measure =>
  (entry, media) => {
    const assets =
      media.kind === 'asset' ? [media.found] : media.kind === 'playlist' ? media.items.map(({ found }) => found) : [];
    const [first, ...others] = assets.flatMap((found) => (found.ok ? [found.asset] : []));
    if (first === undefined) return undefined;
    const own = ladder ?? ladderOf([first, ...others]);
    const maker = { ladder: own, rate: own.frameRate, slate: undefined, breakDuration, breaks };
    const outcome = slotsOfEntry(entry, media, maker);
    return outcome.ok ? outcome.length : undefined;
  };
