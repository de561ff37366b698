// SPDX-License-Identifier: Apache-2.0
// A route of the live port as documentation. live/routes.ts serves it.
import { Type } from 'typebox';
import type { ResponseDoc, RouteFacts } from '../../request/route.ts';

export type LiveRoute = RouteFacts & {
  /** `always`: the request needs the key of the channel; `toOpen`: unless it belongs to an open session. `inHeader`: not in the query. */
  readonly key?: 'always' | 'toOpen' | 'inHeader';
  /** Whether other query parameters are variables for the ad server. */
  readonly hasAdVariables?: true;
  /** Whether the administrative port serves it, too. */
  readonly isOnBothPorts?: true;
  /** Other responses that are not errors, by status. */
  readonly alternatives?: Readonly<Record<number, ResponseDoc>>;
  /** Of the path, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
};

export const CHANNEL = { channelId: 'ID of the channel.' };
export const SESSION = { ...CHANNEL, sessionId: 'ID of the session.' };
export const sample = { channelId: 'channel-one', sessionId: '3f2b8c1e-5d4a-4b6f-9c7d-0e1f2a3b4c5d' };

const optional = Type.Optional;

/** Parameters of the requests that open a session. */
export const openingQuery = Type.Object({
  'api-key': Type.String({ description: 'The `apiKey` of the channel.' }),
  start: optional(
    Type.String({
      description:
        'Where to start. Linear channels: ISO 8601, UNIX seconds, or negative seconds before now, within the `timeShiftWindow`. VoD: seconds of content.',
    }),
  ),
  content: optional(
    Type.String({
      description:
        'VoD: URL of an HLS or DASH manifest for the placeholders of the playlist. Its host must be one of `contentHosts`.',
    }),
  ),
  exp: optional(
    Type.Integer({ description: 'UNIX seconds until which `sig` is valid. For channels with a `signingSecret`.' }),
  ),
  sig: optional(
    Type.String({ description: 'HMAC-SHA256 of `<channelId>:<exp>` with the `signingSecret`, in hexadecimal.' }),
  ),
});

/** 404 while the channel is off air, 409 if it is not available in the format, 503 while it is being prepared. */
export const openingErrors = [401, 403, 404, 409, 422, 429, 503] as const;
export const sessionErrors = [404, 409, 503] as const;
