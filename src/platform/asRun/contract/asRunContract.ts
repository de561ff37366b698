// SPDX-License-Identifier: Apache-2.0
// The contract of the as-run log.
import { type Static, Type } from 'typebox';
import {
  flag,
  integer,
  list,
  number,
  object,
  oneOf,
  text,
  time,
  timeText,
} from '../../../http/contract/commonContract.ts';
import { namedObject } from '../../../http/contract/named.ts';

const optional = Type.Optional;
const shows = {
  programme: 'an entry of the schedule, or an item of the playlist',
  break: 'a break of the schedule or the playlist',
  filler: 'what fills the time between entries',
  slate: 'nothing could be played',
  insertedBreak: 'a break by hand',
  blackout: 'a blackout by hand',
} as const;
export const asRunKinds = Object.keys(shows) as [keyof typeof shows, ...(keyof typeof shows)[]];

const asRunRow = namedObject('AsRunRow', {
  id: text('Identifies the row. Unique in the log of a channel.'),
  from: time,
  to: optional(text('ISO 8601, UTC; exclusive. Absent for the row on air.')),
  isOnAir: optional(flag('`true` for the row on air.')),
  kind: oneOf(
    asRunKinds,
    `What was on air. ${Object.entries(shows)
      .map(([kind, meaning]) => `\`${kind}\`: ${meaning}.`)
      .join(' ')}`,
  ),
  entryId: optional(text('ID of the entry of the schedule.')),
  title: optional(text('Title of the entry when it was aired.')),
  upid: optional(
    object('What identified the entry in the markers of manifests.', { type: Type.String(), value: Type.String() }),
  ),
  plannedStart: optional(text('When the entry was to start, if the schedule states it.')),
  asset: optional(
    object('What was played.', {
      url: Type.String(),
      in: number('Seconds of the asset at `from`.'),
      out: optional(number('Seconds of the asset at `to`.')),
    }),
  ),
  breakId: optional(text('ID of the break, as in traces of sessions.')),
  insertedId: optional(text('ID of the break or blackout by hand.')),
  markers: optional(oneOf(['none', 'daterange', 'cue', 'both'], 'Of a break: how manifests marked it (`markersOut`).')),
  differences: list(Type.String(), 'How it differs from the plan, in sentences.'),
});

export const asRunPage = Type.Object({
  total: integer('Number of rows in the range.'),
  items: list(asRunRow, 'In the order of time.'),
});

export const asRunQuery = {
  from: timeText('Start of the range, ISO 8601 or UNIX seconds. Default: 24 hours before `to`.'),
  to: timeText('End of the range, exclusive. Default: now.'),
  format: optional(oneOf(['json', 'csv'], 'Default: as `Accept` states, else JSON.')),
};

export type AsRunPage = Static<typeof asRunPage>;
