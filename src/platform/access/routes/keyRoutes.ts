// SPDX-License-Identifier: Apache-2.0
// API keys of a tenant. A tenant can have several, so that keys can be rotated without interruption.

import { Type } from 'typebox';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { labelFaults } from '../../../channels/labels.ts';
import type { ChannelStore } from '../../../channels/ports.ts';
import { AppError, type FieldError, fieldError } from '../../../errors.ts';
import {
  type AdminRequest,
  type Caller,
  type KeyedRoute,
  type RouteResponse,
  tagged,
} from '../../../http/admin/request/route.ts';
import { auditedChange, readFields, recordNotFound } from '../../../http/admin/routes/record.ts';
import { isRecordId } from '../../../http/contract/commonContract.ts';
import type { Sent } from '../../../http/contract/matching.ts';
import { withoutUndefined } from '../../../invariant.ts';
import type { Millis } from '../../../time/units.ts';
import {
  type KeyResponse,
  keyBody,
  keyResponse,
  type NewKeyResponse,
  newKeyResponse,
  rotationBody,
} from '../contract/accessContract.ts';
import { type ApiKey, issueKey } from '../rules/apiKey.ts';
import { expiryFaults, type Grant, grantFaults, grantOf, requireGrant } from '../rules/grant.ts';
import type { ApiKeyStore } from '../rules/ports.ts';
import { isScope, MAX_KEY_CHANNELS } from '../rules/scope.ts';

const path = '/api/v2/keys';

/** What a new key may do. What the body omits is that of the request. The body is not yet validated. */
function wantedOf(own: Grant, value: unknown): Grant {
  const { expiresAt, channels, labels, scope } = fieldsOf(value);
  const { channels: ownChannels, labels: ownLabels, ...others } = own;
  const limits = {
    ...(Array.isArray(channels) ? { channels } : {}),
    ...(Array.isArray(labels) ? { labels } : {}),
  };
  const ownLimits = withoutUndefined({ channels: ownChannels, labels: ownLabels });
  const ends = typeof expiresAt === 'string' && !Number.isNaN(Date.parse(expiresAt)) ? expiresAt : own.expiresAt;
  return {
    ...others,
    ...(Object.keys(limits).length > 0 ? limits : ownLimits),
    ...(typeof scope === 'string' && isScope(scope) ? { scope } : {}),
    ...(ends === undefined ? {} : { expiresAt: new Date(ends).toISOString() }),
  };
}

/** What restricts it is at the end. */
const showKey = ({ channels, labels, ...key }: ApiKey): Sent<KeyResponse> => ({ ...key, channels, labels });

/** The response that contains the secret of a new key. */
const showNew = ({ key, secret }: ReturnType<typeof issueKey>): RouteResponse => ({
  status: 201,
  headers: { location: `${path}/${key.id}` },
  json: { ...showKey(key), key: secret } satisfies Sent<NewKeyResponse>,
});

type Deps = {
  readonly keys: ApiKeyStore;
  readonly channels: Pick<ChannelStore, 'find'>;
  readonly now: () => Millis;
};

export function keyRoutes({ keys, channels, now }: Deps): KeyedRoute[] {
  const timestamp = () => new Date(now()).toISOString();

  /** Checks what the schema cannot express. A misspelled channel would be a key that can access nothing. */
  async function keyFaults(caller: Caller, value: unknown): Promise<FieldError[]> {
    const { tenant } = caller;
    const { expiresAt, channels: ids, labels } = fieldsOf(value);
    const faults: FieldError[] = [];
    if (typeof expiresAt === 'string') faults.push(...expiryFaults(expiresAt, now()));
    const own = grantOf(caller);
    faults.push(...labelFaults(labels, '/labels'));
    faults.push(...grantFaults(own, wantedOf(own, value)));
    for (const [index, id] of (Array.isArray(ids) ? ids.slice(0, MAX_KEY_CHANNELS) : []).entries()) {
      // The schema rejects what is not an id.
      if (typeof id !== 'string' || !isRecordId(id) || (await channels.find(tenant, id)) !== undefined) continue;
      const message = `must be the id of a channel; got "${id}", which does not exist`;
      faults.push(fieldError('exists', `/channels/${index}`, message));
    }
    return faults;
  }

  async function find({ caller, params }: AdminRequest): Promise<ApiKey> {
    const { id = '' } = params;
    const key = /^[0-9a-f-]{36}$/.test(id) ? await keys.find(caller.tenant, id) : undefined;
    if (!key) throw recordNotFound('key', id);
    return key;
  }

  const one = { errors: [404] };
  const created = { status: 201, description: 'The new key, shown only in this response.', schema: newKeyResponse };
  const params = { id: '7d0f4c0e-3b52-4c0f-8a51-6a1f0e2f9d34' };
  return tagged('keys', [
    {
      method: 'GET',
      path,
      operationId: 'listKeys',
      summary: 'List the keys of the tenant, newest first',
      response: { status: 200, description: 'The keys, without their secrets.', schema: Type.Array(keyResponse) },
      handle: async ({ caller }) => ({ status: 200, json: (await keys.list(caller.tenant)).map(showKey) }),
    },
    {
      method: 'POST',
      path,
      operationId: 'createKey',
      summary: 'Create a key',
      description:
        'A key cannot grant more than it has: the scope, the channels, the labels and the expiry of the new key are at most those of the key that makes the request, and by default the same.',
      body: { schema: keyBody, isOptional: true },
      response: created,
      example: { body: { email: 'ci@example.com', name: 'CI', scope: 'operate' } },
      handle: async ({ caller, body = {}, audit }) => {
        const given = await readFields(body, 'key', keyBody, (value) => keyFaults(caller, value));
        const { tenant, email } = caller;
        const owner = { tenant, email, ...given, ...wantedOf(grantOf(caller), given) };
        const issued = issueKey(owner, email, timestamp());
        await keys.insert(issued.key, issued.hash, audit.entry(auditedChange('key', undefined, issued.key)));
        return showNew(issued);
      },
    },
    {
      ...one,
      method: 'GET',
      path: `${path}/:id`,
      operationId: 'getKey',
      summary: 'Read a key',
      response: { status: 200, description: 'The key, without its secret.', schema: keyResponse },
      example: { params },
      handle: async (request) => ({ status: 200, json: showKey(await find(request)) }),
    },
    {
      ...one,
      method: 'POST',
      path: `${path}/:id/rotate`,
      operationId: 'rotateKey',
      summary: 'Replace a key by a new one',
      description:
        'The new key has the owner, the name, the scope, the channels and the labels of the old one, and expires when the key that makes the request does. The old key expires immediately, or after overlapSeconds. A key cannot rotate one that expires later.',
      body: { schema: rotationBody, isOptional: true },
      response: created,
      example: { params, body: { overlapSeconds: 3600 } },
      handle: async (request) => {
        const { caller, body = {}, audit } = request;
        const { overlapSeconds = 0 } = await readFields(body, 'rotation', rotationBody);
        const previous = await find(request);
        const own = grantOf(caller);
        requireGrant(own, previous, `Key "${previous.id}" cannot be rotated by this one`);
        const { id, hint, createdBy, createdAt, lastUsedAt, expiresAt: end, ...owner } = previous;
        const expiry = own.expiresAt === undefined ? {} : { expiresAt: own.expiresAt };
        const next = issueKey({ ...owner, ...expiry }, caller.email, timestamp());
        const ends = new Date(now() + overlapSeconds * 1000).toISOString();
        const expiring = { ...previous, expiresAt: end && end < ends ? end : ends };
        const { before, after, ...record } = auditedChange('key', previous, expiring);
        // Which key replaces it.
        const entry = audit.entry({ ...record, before, after: { ...after, replacedBy: next.key.id } });
        await keys.rotate(next.key, next.hash, expiring, entry);
        return showNew(next);
      },
    },
    {
      ...one,
      method: 'DELETE',
      path: `${path}/:id`,
      operationId: 'revokeKey',
      summary: 'Revoke a key',
      response: { status: 204, description: 'Revoked. Requests with this key are rejected from now on.' },
      errors: [404, 409],
      example: { params },
      handle: async (request) => {
        const key = await find(request);
        const entry = request.audit.entry(auditedChange('key', key, undefined));
        if (await keys.removeUnlessLast(key.tenant, key.id, entry)) return { status: 204 };
        // Deleted in the meantime, or the last key: without it the tenant could not use this API any more.
        await find(request);
        throw new AppError(
          'CONFLICT',
          'This is the only key of the tenant with the scope "manage" that does not expire. Create another key first, or rotate this one.',
        );
      },
    },
  ]);
}
