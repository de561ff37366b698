// SPDX-License-Identifier: Apache-2.0
// The responses of LEAP as its texts have them: the tables of Concurrent Streams 1.0.0 and Forecast 1.0.0, and of AdCOM 1.0, "Object:
// Content". What is required there is required here, and there are no other names.
import { type TProperties, Type } from 'typebox';

const table = <Fields extends TProperties>(fields: Fields) => Type.Object(fields, { additionalProperties: false });
const optional = Type.Optional;
const texts = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, optional(Type.String({ minLength: 1 }))]));
/** Milliseconds: a number of seconds would be a day of 1970. */
const time = Type.Integer({ minimum: 1e12 });
const bit = Type.Integer({ minimum: 0, maximum: 1 });
const count = Type.Integer({ minimum: 0 });

const content = table({
  ...texts('id', 'title', 'series', 'season', 'genre', 'rating', 'lang'),
  episode: optional(Type.Integer()),
  live: optional(bit),
  channel: optional(table(texts('id', 'name'))),
  data: optional(Type.Array(table({ ...texts('id', 'name'), cids: Type.Array(Type.String()) }))),
});

export const streamsText = table({
  version: Type.Literal('1.0.0'),
  timestamp: time,
  streamsdata: Type.Array(
    table({
      ...texts('sdp'),
      mediastreams: Type.Array(
        table({
          content: optional(content),
          eventstart: time,
          eventend: time,
          streamcount: optional(
            // At least one of both counts.
            Type.Array(table({ region: optional(Type.Integer()), sstreams: count, cstreams: optional(count) })),
          ),
        }),
      ),
    }),
  ),
});

export const forecastText = table({
  version: Type.Literal('1.0.0'),
  timestamp: time,
  events: Type.Array(
    table({
      ...texts('id'),
      scheduledstart: time,
      scheduledend: time,
      flexibleend: optional(bit),
      content: optional(content),
      eventstatus: optional(Type.Integer({ minimum: 1, maximum: 3 })),
      streamsdata: optional(
        Type.Array(
          table({
            country: optional(Type.String({ pattern: '^[A-Z]{3}$' })),
            expectedpeak: count,
            lowerbound: optional(count),
            ext: optional(Type.Object({})),
          }),
        ),
      ),
      inventoryconfig: optional(
        table({
          supportedmtype: optional(Type.Array(Type.Integer({ minimum: 1, maximum: 4 }))),
          totaladdurationsec: optional(count),
          expectedpodcount: optional(count),
          unplanned: optional(bit),
          ext: optional(Type.Object({})),
        }),
      ),
      lastmodifieddate: optional(time),
      ext: optional(Type.Object({})),
    }),
  ),
});
