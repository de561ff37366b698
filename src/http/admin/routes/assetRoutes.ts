// Assets: creatives and slate, what became of each, and those that are to be made before a viewer comes.
import { Type } from 'typebox';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { isHttpUrl } from '../../../channels/isHttpUrl.ts';
import { AppError, type FieldError, fieldError } from '../../../errors.ts';
import { ASSET_ID, type AssetBody, assetAnswer, assetBody, assetFilter, assetsAdded } from '../../assetContract.ts';
import { pageQuery, readQuery, refuse } from '../request/readQuery.ts';
import type { AdminRequest, KeyedRoute } from '../request/route.ts';
import type { AdminDeps } from './ports.ts';
import { readBody } from './record.ts';

const path = '/api/v2/assets';
const one = `${path}/:id`;
const JPEG = 'image/jpeg';

const sources = ['mediaUrl', 'vastUrl', 'vast'] as const;
const assetQuery = Type.Object({ ...pageQuery.properties, ...assetFilter });
const rules = { noun: 'asset', schema: assetBody, ignored: [] };

/** What the schema cannot say. */
function bodyFaults(value: unknown): FieldError[] {
  const fields = fieldsOf(value);
  const given = sources.filter((name) => fields[name] !== undefined);
  const faults: FieldError[] = [];
  if (given.length !== 1)
    faults.push(fieldError('oneOf', '', `must have exactly one of ${sources.join(', ')}; it has ${given.length}`));
  for (const name of ['mediaUrl', 'vastUrl'] as const) {
    const url = fields[name];
    if (typeof url === 'string' && !isHttpUrl(url))
      faults.push(fieldError('format', `/${name}`, 'must be an http(s) URL'));
  }
  return faults;
}

export function assetRoutes({ creatives }: AdminDeps): KeyedRoute[] {
  const missing = (id: string) => new AppError('NOT_FOUND', `There is no asset with the id "${id.slice(0, 200)}".`);

  async function find({ caller, params }: AdminRequest) {
    const id = params.id!;
    const asset = ASSET_ID.test(id) ? await creatives.find(caller.tenant, id) : undefined;
    if (!asset) throw missing(id);
    return asset;
  }

  const params = { id: '0123456789abcdef0123456789abcdef' };
  const ofFailed = { id: 'fedcba9876543210fedcba9876543210' };
  const facts = { tag: 'assets', errors: [404] };
  const shown = { description: 'the asset', schema: assetAnswer };

  return [
    {
      ...facts,
      method: 'GET',
      path,
      operationId: 'listAssets',
      summary: 'List assets, newest first',
      description: 'Creatives and slate that were made for your channels, are being made, or cannot be made.',
      query: assetQuery,
      answer: {
        status: 200,
        description: 'a page of assets',
        schema: Type.Array(assetAnswer),
        headers: { 'x-total-count': 'how many there are on all pages' },
      },
      errors: [],
      example: { query: { state: 'waiting' } },
      handle: async ({ caller, query }) => {
        const { state, channel, ...page } = readQuery(assetQuery, query);
        const filter = { ...(state ? { state } : {}), ...(channel === undefined ? {} : { channelId: channel }) };
        const { total, items } = await creatives.list(caller.tenant, filter, page);
        return { status: 200, headers: { 'x-total-count': String(total) }, json: items };
      },
    },
    {
      ...facts,
      method: 'POST',
      path,
      operationId: 'addAssets',
      summary: 'Have creatives made before a viewer comes',
      description:
        'Answers at once; the states tell when they are ready. What is known already is answered as it stands. A channel that is not on air yet has no ladder: 409.',
      body: { schema: assetBody },
      answer: { status: 202, description: 'an asset for each creative and ladder', schema: assetsAdded },
      errors: [409],
      example: { body: { mediaUrl: 'https://ads.example.com/spot.mp4', channels: ['channel-one'] } },
      handle: async ({ caller, body }) => {
        const wanted = (await readBody(body, rules, async (fields) => bodyFaults(fields))) as AssetBody;
        const added = await creatives.add(caller.tenant, wanted);
        if ('faults' in added) refuse(added.faults, 'This cannot be made.');
        return { status: 202, json: added };
      },
    },
    {
      ...facts,
      method: 'GET',
      path: one,
      operationId: 'getAsset',
      summary: 'Read an asset',
      answer: { status: 200, ...shown },
      example: { params },
      handle: async (request) => ({ status: 200, json: await find(request) }),
    },
    {
      ...facts,
      method: 'GET',
      path: `${one}/thumbnail`,
      operationId: 'getAssetThumbnail',
      summary: 'A picture of an asset',
      description: 'A frame from the middle of it, at most 320 pixels wide. Only of what is ready and has pictures.',
      answer: { status: 200, description: 'the picture', bytes: JPEG },
      example: { params },
      handle: async (request) => {
        const { id } = await find(request);
        const picture = await creatives.thumbnail(request.caller.tenant, id);
        if (!picture)
          throw new AppError('NOT_FOUND', `The asset ${id} has no picture: it is not ready, or only sound.`);
        return { status: 200, bytes: { contentType: JPEG, content: picture } };
      },
    },
    {
      ...facts,
      method: 'POST',
      path: `${one}/retry`,
      operationId: 'retryAsset',
      summary: 'Try again now what failed',
      answer: { status: 202, ...shown },
      errors: [404, 409],
      example: { params: ofFailed },
      handle: async (request) => {
        const { id, state } = await find(request);
        if (state === 'ready')
          throw new AppError(
            'CONFLICT',
            `The asset ${id} is ready. Delete it to have it made anew when it is asked for.`,
          );
        if (state !== 'preparing') await creatives.retry(request.caller.tenant, id);
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
        'What is on air plays on. When it is asked for again, it is fetched and made anew; processes may believe in the old one for ten minutes.',
      answer: { status: 204, description: 'it is gone' },
      example: { params },
      handle: async (request) => {
        const { id } = await find(request);
        if (!(await creatives.remove(request.caller.tenant, id))) throw missing(id);
        return { status: 204 };
      },
    },
  ];
}
