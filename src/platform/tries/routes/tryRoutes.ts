// SPDX-License-Identifier: Apache-2.0
// Trying an ad request of a channel, before an ad tag is saved.

import type { AdSource, Channel } from '../../../channels/channel.ts';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import type { ChannelStore } from '../../../channels/ports.ts';
import { urlFaults } from '../../../channels/urlFaults.ts';
import { AppError } from '../../../errors.ts';
import { requireScope } from '../../../http/admin/request/authorize.ts';
import type { KeyedRoute } from '../../../http/admin/request/route.ts';
import { readBody, recordNotFound } from '../../../http/admin/routes/record.ts';
import { withoutHeaders } from '../../../http/admin/routes/withoutHeaders.ts';
import type { DeepReadonly } from '../../../http/contract/matching.ts';
import { adTry, type AdTry as Response, type TryBody, tryBody } from '../contract/tryContract.ts';
import type { AdTries } from '../rules/adTries.ts';
import type { AdTry } from '../rules/tryAdRequest.ts';

export const busy = (): AppError =>
  new AppError('TOO_MANY_REQUESTS', 'Too many tries and replays are under way. Retry in a few seconds.', {
    retryAfter: 2,
  });

function showLadder({ formats, ladder, breaks }: AdTry['ladders'][number]): DeepReadonly<Response['ladders'][number]> {
  const { container, frameRate, rungs } = ladder;
  return {
    formats,
    container,
    framesPerSecond: Math.round((frameRate.n / frameRate.d) * 1000) / 1000,
    rungs: rungs.map(({ kind, codecs, bandwidth, width, height }) => ({
      kind,
      codecs,
      bandwidth,
      ...(width === undefined ? {} : { width }),
      ...(height === undefined ? {} : { height }),
    })),
    breaks,
  };
}

const show = ({ requestedAt, ladders, ...rest }: AdTry): DeepReadonly<Response> => ({
  requestedAt: new Date(requestedAt).toISOString(),
  ...rest,
  ladders: ladders.map(showLadder),
});

function sourceOf({ id, adSource }: Channel, url: string | undefined): AdSource {
  if (url !== undefined) return { ...adSource, url };
  if (adSource !== undefined) return adSource;
  throw new AppError('CONFLICT', `Channel "${id}" has no adSource. Send the url of an ad tag.`);
}

export type TryDeps = { readonly adTries: AdTries; readonly channels: Pick<ChannelStore, 'find'> };

export function tryRoute({ adTries, channels }: TryDeps): KeyedRoute {
  const rules = { noun: 'try', schema: tryBody, ignored: [] };
  return {
    tag: 'channels',
    scope: 'operate',
    channelAccess: { param: 'id' },
    method: 'POST',
    isReadOnly: true,
    path: '/api/v2/channels/:id/try',
    operationId: 'tryAdRequest',
    summary: 'Try the ad request of a channel',
    description:
      'Makes a real ad request with the macros of a viewer, follows redirects and wrappers, and reports what viewers would be shown. An ad server that fails is part of the report; the status is 200 nevertheless. Every request has the header `x-midroll-preview: 1`. Nothing is counted or tracked and no session is stored. Creatives are queued only with `prepare`. At most 4 tries and replays of a tenant run at once on one node; others get a 429. Without the scope `manage`, the values of the headers in `adSource` are masked.',
    body: { schema: tryBody },
    response: { status: 200, description: 'The exchanges, and a verdict for every ad.', schema: adTry },
    errors: [404, 409, 429],
    example: { params: { id: 'channel-one' }, body: { parameters: { genre: 'news' }, breakDuration: 30 } },
    handle: async (request) => {
      const channel = await channels.find(request.caller.tenant, request.params.id ?? '');
      if (channel === undefined) throw recordNotFound('channel', request.params.id ?? '');
      const body = (await readBody(request.body, rules, async (fields) =>
        urlFaults(fieldsOf(fields).url, '/url'),
      )) as TryBody;
      const { url, parameters = {}, userAgent = '', address = '', breakDuration, maxAds, format, prepare } = body;
      // The headers of the channel's requests can contain a credential, which would be sent to that host.
      if (url !== undefined) requireScope(request.caller, 'manage', 'Trying another URL');
      const result = await adTries.try(channel, sourceOf(channel, url), format, {
        parameters,
        viewer: { address, userAgent },
        isPreparing: prepare === true,
        ...(breakDuration === undefined ? {} : { breakDuration }),
        ...(maxAds === undefined ? {} : { maxAds }),
      });
      if (result === 'busy') throw busy();
      return { status: 200, json: withoutHeaders(show(result), request.caller, channel.adSource ?? {}) };
    },
  };
}
