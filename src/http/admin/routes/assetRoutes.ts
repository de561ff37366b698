// SPDX-License-Identifier: Apache-2.0
// Assets: creatives and slate with their state. Creatives can be added before the first viewer needs them.

import { Type } from 'typebox';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { urlFaults } from '../../../channels/urlFaults.ts';
import { AppError, type FieldError, fieldError, validationError } from '../../../errors.ts';
import { withoutUndefined } from '../../../invariant.ts';
import { mayAccess } from '../../../platform/access/rules/scope.ts';
import {
  ASSET_ID,
  type AssetResponse,
  assetBody,
  assetFilter,
  assetResponse,
  assetsAdded,
} from '../../contract/assetContract.ts';
import { assetListFilter } from '../../contract/listContract.ts';
import { pageHeaderDocs, pageHeaders, readListCursor, readSort } from '../request/readListing.ts';
import { given, pageQuery, readQuery } from '../request/readQuery.ts';
import { type AdminRequest, type Caller, type KeyedRoute, ok } from '../request/route.ts';
import type { CoreApi } from './ports.ts';
import { idIn, readFields, recordNotFound } from './record.ts';

const path = '/api/v2/assets';
const one = `${path}/:id`;
const JPEG = 'image/jpeg';

const sources = ['mediaUrl', 'vastUrl', 'vast'] as const;
const assetQuery = Type.Object({ ...pageQuery.properties, ...assetFilter, ...assetListFilter });

/** Checks what the schema cannot express. */
function bodyFaults(value: unknown): FieldError[] {
  const fields = fieldsOf(value);
  const given = sources.filter((name) => fields[name] !== undefined);
  const faults: FieldError[] = [];
  if (given.length !== 1)
    faults.push(fieldError('oneOf', '', `must have exactly one of ${sources.join(', ')}; got ${given.length}`));
  return [
    ...faults,
    ...urlFaults(fields.mediaUrl, '/mediaUrl', 'format'),
    ...urlFaults(fields.vastUrl, '/vastUrl', 'format'),
  ];
}

/** For the audit log. */
const assetName = ({ kind, source }: Pick<AssetResponse, 'kind' | 'source'>): string | undefined =>
  source ?? (kind === 'slate' ? 'Built-in slate' : undefined);

/** Leaves out the ids of channels that the caller may not access. */
const showOwn = ({ channels, ...asset }: AssetResponse, caller: Caller): AssetResponse => ({
  ...asset,
  channels: channels.filter((id) => mayAccess(caller, id)),
});

export function assetRoutes({ creatives, problems }: CoreApi): KeyedRoute[] {
  /** Ads are lost on any channel, so who is restricted to channels is not told how many. */
  async function withLosses(asset: AssetResponse, { tenant, channels }: Caller): Promise<AssetResponse> {
    const { adId, creativeId, title } = asset;
    if (channels !== undefined || (creativeId ?? title) === undefined) return asset;
    const adsLost = await problems.adsLost(tenant, withoutUndefined({ adId, creativeId, title }));
    return adsLost === undefined ? asset : { ...asset, adsLost };
  }

  async function find(request: AdminRequest) {
    const { caller } = request;
    const id = idIn(request);
    const asset = ASSET_ID.test(id) ? await creatives.find(caller.tenant, id) : undefined;
    const isOwn = caller.channels === undefined || asset?.channels.some((channel) => mayAccess(caller, channel));
    if (!asset || !isOwn) throw recordNotFound('asset', id);
    return withLosses(showOwn(asset, caller), caller);
  }

  const params = { id: '0123456789abcdef0123456789abcdef' };
  const failedAsset = { id: 'fedcba9876543210fedcba9876543210' };
  const facts = { tag: 'assets', errors: [404] };
  const responseDoc = { description: 'The asset.', schema: assetResponse };

  return [
    {
      ...facts,
      channelAccess: { query: 'channel' },
      method: 'GET',
      path,
      operationId: 'listAssets',
      summary: 'List, filter, search and sort assets',
      description: 'Creatives and slate of your channels: ready, being prepared, or failed.',
      query: assetQuery,
      response: ok('A page of assets.', Type.Array(assetResponse), pageHeaderDocs),
      errors: [],
      example: { query: { state: 'waiting' } },
      handle: async ({ caller, query }) => {
        const { state, channel: channelId, kind, q, cursor, offset, limit, ...of } = readQuery(assetQuery, query);
        const filter = { ...withoutUndefined({ channelId }), ...given({ state, kind, search: q }) };
        const sort = readSort<'createdAt' | 'madeAt'>(of.sort);
        const after = readListCursor(cursor, sort);
        const page = await creatives.list(caller.tenant, filter, { offset, limit, sort, ...(after ? { after } : {}) });
        return {
          status: 200,
          headers: pageHeaders(sort, page),
          json: await Promise.all(page.items.map((asset) => withLosses(showOwn(asset, caller), caller))),
        };
      },
    },
    {
      ...facts,
      method: 'POST',
      path,
      operationId: 'addAssets',
      summary: 'Add creatives before a viewer needs them',
      description:
        'Responds immediately; poll the assets until their state is `ready`. Existing assets are returned unchanged. A channel that is not on air yet has no ladder, so the response is a 409.',
      body: { schema: assetBody },
      response: { status: 202, description: 'One asset for each creative and ladder.', schema: assetsAdded },
      errors: [409],
      example: { body: { mediaUrl: 'https://ads.example.com/spot.mp4', channels: ['channel-one'] } },
      handle: async ({ caller, body, audit }) => {
        const request = await readFields(body, 'asset', assetBody, bodyFaults);
        const added = await creatives.add(caller.tenant, request);
        if ('faults' in added) throw validationError('Invalid asset', added.faults);
        const { vast, ...given } = request;
        const ids = added.assets.map(({ id }) => id);
        const [only, ...others] = added.assets;
        audit.note({
          kind: 'asset',
          ...(only && others.length === 0 ? { id: only.id, name: assetName(only) } : {}),
          details: { ...given, ...(vast === undefined ? {} : { vast: `${vast.length} characters` }), assets: ids },
        });
        return { status: 202, json: added };
      },
    },
    {
      ...facts,
      channelAccess: 'filtered',
      method: 'GET',
      path: one,
      operationId: 'getAsset',
      summary: 'Read an asset',
      response: { status: 200, ...responseDoc },
      example: { params },
      handle: async (request) => ({ status: 200, json: await find(request) }),
    },
    {
      ...facts,
      channelAccess: 'filtered',
      method: 'GET',
      path: `${one}/thumbnail`,
      operationId: 'getAssetThumbnail',
      summary: 'Get a thumbnail of an asset',
      description:
        'A frame from the middle, at most 320 pixels wide. Available once the asset is ready, if it has video.',
      response: { status: 200, description: 'JPEG image.', bytes: JPEG },
      example: { params },
      handle: async (request) => {
        const { id } = await find(request);
        const picture = await creatives.thumbnail(request.caller.tenant, id);
        if (!picture)
          throw new AppError('NOT_FOUND', `Asset "${id}" has no thumbnail: it is not ready, or it has no video.`);
        return { status: 200, bytes: { contentType: JPEG, content: picture } };
      },
    },
    {
      ...facts,
      scope: 'operate',
      channelAccess: 'filtered',
      method: 'POST',
      path: `${one}/retry`,
      operationId: 'retryAsset',
      summary: 'Retry a failed asset now',
      response: { status: 202, ...responseDoc },
      errors: [404, 409],
      example: { params: failedAsset },
      handle: async (request) => {
        const asset = await find(request);
        const { id, state } = asset;
        if (state === 'ready')
          throw new AppError(
            'CONFLICT',
            `Asset "${id}" is already ready. Delete it to have it fetched again on the next request.`,
          );
        if (state !== 'preparing') await creatives.retry(request.caller.tenant, id);
        const outcome = state === 'preparing' ? 'unchanged' : 'done';
        request.audit.note({ kind: 'asset', id, name: assetName(asset), outcome, details: { state } });
        return { status: 202, json: await find(request) };
      },
    },
    {
      ...facts,
      method: 'DELETE',
      path: one,
      operationId: 'deleteAsset',
      summary: 'Delete an asset',
      description:
        'Breaks on air are not affected. The next request for the creative fetches and conditions it again; processes can use the old one for up to ten minutes.',
      response: { status: 204, description: 'Deleted.' },
      example: { params },
      handle: async (request) => {
        const asset = await find(request);
        const { id } = asset;
        if (!(await creatives.remove(request.caller.tenant, id))) throw recordNotFound('asset', id);
        const { kind, source, channels, duration, bytes } = asset;
        const before = { kind, source, channels, duration, bytes };
        request.audit.note({ kind: 'asset', id, name: assetName(asset), before });
        return { status: 204 };
      },
    },
  ];
}
