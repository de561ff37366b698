// SPDX-License-Identifier: Apache-2.0
// The contract of the beacon ledger.
import { type Static, Type } from 'typebox';
import { MAX_BEACONS } from './channelValues.ts';
import { filterText, integer, text, time, timeText } from './commonContract.ts';
import { namedObject } from './named.ts';

const optional = Type.Optional;
const unsure = integer('Attempts with an unknown outcome: the request may have arrived.');
const outcome = Type.Enum(['pending', 'sent', 'failed']);

export const beaconRow = namedObject('Beacon', {
  id: integer('Sequential number of the row.'),
  recordedAt: time,
  dueAt: text('When the event was due, ISO 8601, UTC. Retries do not change it.'),
  settledAt: optional(time),
  channel: Type.String(),
  session: Type.String(),
  break: Type.String(),
  ad: optional(text('ID of the ad. Absent for events of the break itself.')),
  event: text('`impression`, or the event name of VAST or VMAP.'),
  host: Type.String(),
  url: text('The tracking URL with macros replaced.'),
  outcome,
  attempts: Type.Integer(),
  unsure,
  status: optional(integer('HTTP status of the last response.')),
  error: optional(text('Why the last attempt failed.')),
});

const range = {
  from: timeText('Start of the range of `recordedAt`, ISO 8601 or UNIX seconds. Default: 24 hours before `to`.'),
  to: timeText('End of the range, exclusive. Default: now.'),
};

export const beaconQuery = Type.Object({
  ...range,
  channel: filterText(128, 'ID of a channel.'),
  session: filterText(128, 'ID of a session.'),
  host: filterText(300, 'Host of the tracking URL, with the port if the URL has one.'),
  outcome: optional(outcome),
  limit: integer('Rows per page. Applies to JSON only.', { minimum: 1, maximum: MAX_BEACONS, default: 100 }),
  cursor: optional(text('`x-next-cursor` of the previous page.', { maxLength: 40 })),
});

export const hostQuery = Type.Object(range);

export const hostRow = namedObject('BeaconHost', {
  host: Type.String(),
  pending: Type.Integer(),
  sent: Type.Integer(),
  recovered: integer('How many of those sent needed more than one attempt.'),
  failed: integer('Rejected with a 4xx, or given up after the last retry.'),
  unsure,
  waitingSince: optional(time),
});

export type BeaconResponse = Static<typeof beaconRow>;
export type HostResponse = Static<typeof hostRow>;
