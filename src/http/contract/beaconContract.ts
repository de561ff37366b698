// SPDX-License-Identifier: Apache-2.0
// The contract of the beacon ledger.

import { type Static, Type } from 'typebox';
import { filterText, time } from './commonContract.ts';
import { MAX_BEACONS } from './listValues.ts';
import { named } from './named.ts';

const optional = Type.Optional;
const unsure = Type.Integer({ description: 'Attempts with an unknown outcome: the request may have arrived.' });
const outcome = Type.Enum(['pending', 'sent', 'failed']);

export const beaconRow = named(
  'Beacon',
  Type.Object({
    id: Type.Integer({ description: 'Sequential number of the row.' }),
    recordedAt: time,
    dueAt: Type.String({ description: 'When the event was due, ISO 8601, UTC. Retries do not change it.' }),
    settledAt: optional(time),
    channel: Type.String(),
    session: Type.String(),
    break: Type.String(),
    ad: optional(Type.String({ description: 'ID of the ad. Absent for events of the break itself.' })),
    event: Type.String({ description: '`impression`, or the event name of VAST or VMAP.' }),
    host: Type.String(),
    url: Type.String({ description: 'The tracking URL with macros replaced.' }),
    outcome,
    attempts: Type.Integer(),
    unsure,
    status: optional(Type.Integer({ description: 'HTTP status of the last response.' })),
    error: optional(Type.String({ description: 'Why the last attempt failed.' })),
  }),
);

const range = {
  from: optional(
    Type.String({
      maxLength: 40,
      description: 'Start of the range of `recordedAt`, ISO 8601 or UNIX seconds. Default: 24 hours before `to`.',
    }),
  ),
  to: optional(Type.String({ maxLength: 40, description: 'End of the range, exclusive. Default: now.' })),
};

export const beaconQuery = Type.Object({
  ...range,
  channel: filterText(128, 'ID of a channel.'),
  session: filterText(128, 'ID of a session.'),
  host: filterText(300, 'Host of the tracking URL, with the port if the URL has one.'),
  outcome: optional(outcome),
  limit: Type.Integer({
    minimum: 1,
    maximum: MAX_BEACONS,
    default: 100,
    description: 'Rows per page. Applies to JSON only.',
  }),
  cursor: optional(Type.String({ maxLength: 40, description: '`x-next-cursor` of the previous page.' })),
});

export const hostQuery = Type.Object(range);

export const hostRow = named(
  'BeaconHost',
  Type.Object({
    host: Type.String(),
    pending: Type.Integer(),
    sent: Type.Integer(),
    recovered: Type.Integer({ description: 'How many of those sent needed more than one attempt.' }),
    failed: Type.Integer({ description: 'Rejected with a 4xx, or given up after the last retry.' }),
    unsure,
    waitingSince: optional(time),
  }),
);

export type BeaconResponse = Static<typeof beaconRow>;
export type HostResponse = Static<typeof hostRow>;
