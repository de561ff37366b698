// SPDX-License-Identifier: Apache-2.0
// The distributors of a channel and their keys. A key is returned only when it is created.
import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import type { ChannelStore, Versioned } from '../../../channels/ports.ts';
import { urlFaults } from '../../../channels/urlFaults.ts';
import type { Written } from '../../../channels/written.ts';
import { AppError, type FieldError } from '../../../errors.ts';
import { checkIfMatch } from '../../../http/admin/request/entityTag.ts';
import { type AdminRequest, type KeyedRoute, type RouteResponse, tagged } from '../../../http/admin/request/route.ts';
import { crudRoutes, type Kind } from '../../../http/admin/routes/crud.ts';
import { findChannel } from '../../../http/admin/routes/findChannel.ts';
import {
  auditedChange,
  idIn,
  readBody,
  readFields,
  recordNotFound,
  recordResponse,
  showRecord,
} from '../../../http/admin/routes/record.ts';
import { isRecordId, readOnlyFields } from '../../../http/contract/commonContract.ts';
import { defined, withoutUndefined } from '../../../invariant.ts';
import { isoText, type Millis, millis } from '../../../time/units.ts';
import { expiryFaults } from '../../access/rules/grant.ts';
import {
  type DistributorBody,
  distributorBody,
  distributorKeyBody,
  distributorResponse,
  newDistributorKeyResponse,
  newDistributorResponse,
} from '../contract/distributorContract.ts';
import {
  type Distributor,
  type DistributorKey,
  isExpired,
  issueDistributorKey,
  MAX_DISTRIBUTORS,
  MAX_KEYS,
  rotated,
} from '../rules/distributor.ts';
import type { DistributorStore, KeyUses } from '../rules/ports.ts';

export type DistributorDeps = {
  readonly distributors: DistributorStore;
  readonly channels: Pick<ChannelStore, 'find'>;
  readonly now: () => Millis;
  /** Called after a change was stored. */
  readonly changed: () => void;
};

const PATH = '/api/v2/channels/:id/distributors';
const ONE = `${PATH}/:distributorId`;
const IGNORED = [...readOnlyFields, 'keys', 'channelId', 'lastRequestAt', 'key'];
/** An attempt fails only if another request's succeeded, so this many concurrent requests all succeed. */
const MAX_ATTEMPTS = 50;
const MINUTE_MS = 60_000;

/** Uses are noted once a minute. */
const usedAt = (uses: KeyUses, keys: readonly DistributorKey[]): string | undefined => {
  const times = keys.flatMap(({ secretHash }) => uses.get(secretHash) ?? []);
  return times.length === 0 ? undefined : isoText(millis(Math.floor(Math.max(...times) / MINUTE_MS) * MINUTE_MS));
};

const showKey = ({ secretHash: _, ...key }: DistributorKey, lastUsedAt?: string) => ({
  ...key,
  ...withoutUndefined({ lastUsedAt }),
});

function show(distributor: Versioned<Distributor>, uses: KeyUses) {
  const { channelId: _, ...record } = showRecord(distributor);
  const keys = distributor.keys.map((key) => showKey(key, usedAt(uses, [key])));
  return { ...record, ...withoutUndefined({ lastRequestAt: usedAt(uses, distributor.keys) }), keys };
}

export function distributorRoutes({ distributors, channels, now, changed }: DistributorDeps): KeyedRoute[] {
  async function requireChannel(request: AdminRequest): Promise<void> {
    const { id, type } = await findChannel(request, channels);
    if (type !== 'vod') return;
    throw new AppError('CONFLICT', `Channel "${id}" must have type "vod2live" or "live"; its type is "vod".`);
  }

  const channelIn = ({ caller: { tenant }, params }: AdminRequest): ChannelRef => ({ tenant, id: idIn({ params }) });
  const usesOf = ({ tenant, channelId }: Distributor) => distributors.uses({ tenant, id: channelId });
  const faults = (fields: unknown): FieldError[] => {
    const { slateManifestUrl } = fieldsOf(fields);
    return typeof slateManifestUrl === 'string' ? urlFaults(slateManifestUrl, '/slateManifestUrl') : [];
  };
  const params = { id: 'channel-one' };
  const kind: Kind<Distributor, DistributorBody> = {
    noun: 'distributor',
    path: PATH,
    param: 'distributorId',
    body: distributorBody,
    response: distributorResponse,
    ignored: IGNORED,
    store: { ...distributors, find: (_, id, request) => distributors.find(channelIn(request), id) },
    discard: async (record, { audit }) =>
      (await distributors.remove(record, audit.entry(auditedChange('distributor', record, undefined))))
        ? {}
        : undefined,
    discarding: { headers: {} },
    now,
    newId: randomUUID,
    isId: isRecordId,
    faults: async (fields) => faults(fields),
    make: (body, previous) => settingsOf(body, defined(previous, 'distributors are created with a key')),
    show: async (record) => show(record, await usesOf(record)),
    changed,
    example: {
      id: 'samsung',
      params,
      body: { name: 'Samsung TV Plus' },
      patch: { guide: { listFiller: true } },
    },
  };
  const { find, ...routes } = crudRoutes(kind);

  /** @throws {AppError} CONFLICT if the id is in use, or the channel has the most */
  async function insert(distributor: Distributor, { audit }: AdminRequest): Promise<void> {
    if (await distributors.insert(distributor, audit.entry(auditedChange('distributor', undefined, distributor))))
      return;
    const { tenant, channelId, id } = distributor;
    const isTaken = (await distributors.find({ tenant, id: channelId }, id)) !== undefined;
    throw new AppError(
      'CONFLICT',
      isTaken
        ? `Distributor "${id}" already exists. Choose another id, or update it.`
        : `A channel can have ${MAX_DISTRIBUTORS} distributors. Delete one first.`,
    );
  }

  /** Changes the keys of a distributor until no other request has changed it in between. */
  async function changeKeys(
    request: AdminRequest,
    change: (keys: readonly DistributorKey[], distributor: Distributor) => DistributorKey[],
  ): Promise<void> {
    const { caller, audit, headers } = request;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const previous = await find(request);
      checkIfMatch(headers['if-match'], previous);
      const written = { modifiedBy: caller.email, modifiedAt: isoText(now()) };
      const next = { ...previous, ...written, keys: change(previous.keys, previous) };
      if (!(await distributors.replace(next, audit.entry(auditedChange('distributor', previous, next))))) continue;
      request.afterwards(changed);
      return;
    }
    throw new AppError('CONFLICT', 'Too many concurrent changes of the distributor. Retry.');
  }

  const create: KeyedRoute = {
    ...routes.create,
    description: 'The response has its first key, which is not shown again.',
    response: {
      ...routes.create.response,
      description: 'The distributor with its key.',
      schema: newDistributorResponse,
    },
    handle: async (request) => {
      const { tenant, email } = request.caller;
      const rules = { noun: kind.noun, schema: distributorBody, ignored: IGNORED };
      const body = (await readBody(request.body, rules, faults)) as DistributorBody & { id?: string };
      const createdAt = isoText(now());
      const { key, secret } = issueDistributorKey(createdAt);
      const owner = { id: body.id ?? randomUUID(), tenant, createdBy: email, createdAt };
      const own = { channelId: idIn(request), keys: [key] };
      const distributor: Distributor = { ...settingsOf(body, own), ...owner };
      await insert(distributor, request);
      request.afterwards(changed);
      const record = { ...distributor, version: 0 };
      const { headers, ...response } = recordResponse(201, record, { ...show(record, new Map()), key: secret });
      const location = `${PATH.replace(':id', own.channelId)}/${owner.id}`;
      return { ...response, headers: { ...headers, location } };
    },
  };

  const ifMatch = { 'if-match': 'ETag of the expected version. The response is a 412 if the record has changed.' };
  const own: Omit<KeyedRoute, 'tag'>[] = [
    {
      method: 'POST',
      path: `${ONE}/keys`,
      operationId: 'addDistributorKey',
      summary: 'Give a distributor a further key',
      description:
        'Both keys work until the old one is revoked or expires; with `overlapSeconds`, the others expire. Expired keys are removed.',
      headers: ifMatch,
      body: { schema: distributorKeyBody, isOptional: true },
      response: { status: 201, description: 'The new key.', schema: newDistributorKeyResponse },
      errors: [404, 412],
      example: { params: { ...params, distributorId: 'samsung' }, body: { overlapSeconds: 86_400 } },
      handle: async (request) => {
        const { body = {} } = request;
        const { expiresAt, overlapSeconds } = await readFields(body, 'key', distributorKeyBody, (value) => {
          const { expiresAt: end } = fieldsOf(value);
          return typeof end === 'string' ? expiryFaults(end, now()) : [];
        });
        const ends = expiresAt === undefined ? undefined : new Date(expiresAt).toISOString();
        const { key, secret } = issueDistributorKey(isoText(now()), ends);
        const othersEnd = overlapSeconds === undefined ? undefined : isoText(millis(now() + overlapSeconds * 1000));
        await changeKeys(request, (keys, { id }) => {
          if (keys.filter((one) => !isExpired(one, now())).length < MAX_KEYS)
            return rotated(keys, key, now(), othersEnd);
          throw new AppError('CONFLICT', `Distributor "${id}" has ${MAX_KEYS} keys. Revoke one first.`);
        });
        return { status: 201, json: { ...showKey(key), key: secret } };
      },
    },
    {
      method: 'DELETE',
      path: `${ONE}/keys/:keyId`,
      operationId: 'revokeDistributorKey',
      summary: 'Revoke a key of a distributor',
      headers: ifMatch,
      response: { status: 204, description: 'Revoked. Requests with this key are rejected within a second.' },
      errors: [404, 412],
      example: { params: { ...params, distributorId: 'samsung', keyId: '7d0f4c0e-3b52-4c0f-8a51-6a1f0e2f9d34' } },
      handle: async (request) => {
        const { keyId = '' } = request.params;
        await changeKeys(request, (keys) => {
          const others = keys.filter(({ id }) => id !== keyId);
          if (others.length === keys.length) throw recordNotFound('key', keyId);
          return others;
        });
        return { status: 204 };
      },
    },
  ];
  const list: KeyedRoute = {
    tag: 'distributors',
    method: 'GET',
    path: PATH,
    operationId: 'listDistributors',
    summary: 'List the distributors of a channel',
    response: {
      status: 200,
      description: 'Newest first, without their keys.',
      schema: Type.Array(distributorResponse),
    },
    errors: [404],
    example: { params },
    handle: async (request) => {
      const channel = channelIn(request);
      const [all, uses] = await Promise.all([distributors.list(channel), distributors.uses(channel)]);
      return { status: 200, json: all.map((one) => show(one, uses)) };
    },
  };
  return tagged('distributors', [list, create, routes.read, routes.replace, routes.patch, routes.remove, ...own]).map(
    (route) => ({
      ...route,
      channelAccess: { param: 'id' },
      errors: [...new Set([...(route.errors ?? []), 404, 409])],
      handle: async (request: AdminRequest): Promise<RouteResponse> => {
        await requireChannel(request);
        return route.handle(request);
      },
    }),
  );
}

/** What a request sets, and what it does not. */
function settingsOf(
  { id: _, state = 'enabled', markersOut = 'both', ...fields }: DistributorBody & { id?: string },
  { channelId, keys }: Pick<Distributor, 'channelId' | 'keys'>,
): Omit<Distributor, keyof Written> {
  return { ...fields, state, markersOut, channelId, keys };
}
