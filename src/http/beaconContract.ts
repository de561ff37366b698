// The shapes of the ledger of beacons.
import { type Static, Type } from 'typebox';
import { filterText, time } from './contract.ts';

const optional = Type.Optional;
const outcome = Type.Enum(['pending', 'sent', 'failed']);

export const beaconRow = Type.Object({
  id: Type.Integer({ description: 'counts the rows of the ledger' }),
  recordedAt: time,
  dueAt: Type.String({ description: 'when the event was due, ISO 8601, UTC; attempts do not change it' }),
  settledAt: optional(time),
  channel: Type.String(),
  session: Type.String(),
  break: Type.String(),
  ad: optional(Type.String({ description: 'absent where the event is the break’s own' })),
  event: Type.String({ description: 'impression, or as VAST and VMAP call it' }),
  host: Type.String(),
  url: Type.String({ description: 'as it is sent, macros filled in' }),
  outcome,
  attempts: Type.Integer(),
  unsure: Type.Integer({ description: 'attempts of which nobody knows whether they arrived' }),
  status: optional(Type.Integer({ description: 'of the last answer' })),
  error: optional(Type.String({ description: 'of the last attempt, said of the server' })),
});

const stretch = {
  from: optional(
    Type.String({ maxLength: 40, description: 'ISO 8601 or UNIX seconds, of recordedAt; a day ago when omitted' }),
  ),
  to: optional(Type.String({ maxLength: 40, description: 'likewise, excluded; now when omitted' })),
};

export const beaconQuery = Type.Object({
  ...stretch,
  channel: filterText(128, 'id of a channel'),
  session: filterText(128, 'id of a session'),
  host: filterText(300, 'host and, where it is told, port'),
  outcome: optional(outcome),
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'rows a page; of JSON only' }),
  cursor: optional(Type.String({ maxLength: 40, description: 'x-next-cursor of the page before' })),
});

export const hostQuery = Type.Object(stretch);

export const hostRow = Type.Object({
  host: Type.String(),
  pending: Type.Integer(),
  sent: Type.Integer(),
  recovered: Type.Integer({ description: 'of those sent: after more than one attempt' }),
  failed: Type.Integer({ description: 'refused with a 4xx, or given up' }),
  unsure: Type.Integer({ description: 'attempts of which nobody knows whether they arrived' }),
  waitingSince: optional(time),
});

export type BeaconAnswer = Static<typeof beaconRow>;
