// SPDX-License-Identifier: Apache-2.0
// The token with which an operator plays a channel without counted impressions.
import { PREVIEW_PARAMETER } from '../../../../ads/request/preview.ts';
import type { Channel } from '../../../../channels/channel.ts';
import { previewResponse } from '../../../contract/tryContract.ts';
import type { AdminRequest, KeyedRoute } from '../../request/route.ts';
import type { AdminDeps } from '../ports.ts';

/** @param find the channel of a request */
export function previewRoute(
  { previewTokens }: Pick<AdminDeps, 'previewTokens'>,
  path: string,
  find: (request: AdminRequest) => Promise<Channel>,
): KeyedRoute {
  return {
    tag: 'channels',
    scope: 'read',
    channelAccess: { param: 'id' },
    method: 'POST',
    isReadOnly: true,
    path: `${path}/:id/preview`,
    operationId: 'previewChannel',
    summary: 'Get a token for previews of a channel',
    description: `Add the token to a playback URL as \`${PREVIEW_PARAMETER}\`. The session that the URL opens is a preview: its ad requests have the header \`x-midroll-preview: 1\`, no tracking or Error URL is called, and reports do not contain its breaks.`,
    response: { status: 200, description: 'The token.', schema: previewResponse },
    errors: [404],
    example: { params: { id: 'channel-one' } },
    handle: async (request) => {
      const { token, expiresAt } = previewTokens.create(await find(request));
      return { status: 200, json: { token, expiresAt: new Date(expiresAt).toISOString() } };
    },
  };
}
