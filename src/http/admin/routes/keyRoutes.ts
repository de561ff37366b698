// SPDX-License-Identifier: Apache-2.0
// API keys of a tenant. A tenant can have several, so that keys can be rotated without interruption.
import { Type } from 'typebox';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { AppError, type FieldError, fieldError } from '../../../errors.ts';
import { type ApiKey, issueKey } from '../../../tenants/apiKey.ts';
import { expiryFaults } from '../../../tenants/expiryFaults.ts';
import { includesScope, isScope, MAX_KEY_CHANNELS } from '../../../tenants/scope.ts';
import { isRecordId } from '../../contract/commonContract.ts';
import {
  type KeyBody,
  type KeyResponse,
  keyBody,
  keyResponse,
  type NewKeyResponse,
  newKeyResponse,
  type RotationBody,
  rotationBody,
} from '../../contract/tenantContract.ts';
import type { AdminRequest, Caller, KeyedRoute } from '../request/route.ts';
import { auditedChange } from './auditedChange.ts';
import type { AdminDeps } from './ports.ts';
import { readBody, recordNotFound } from './record.ts';

const path = '/api/v2/keys';
const noFaults = async () => [];

/** A key as it is shown: `channels` is an array that the caller may change. */
const showKey = ({ channels, ...key }: ApiKey): KeyResponse => ({
  ...key,
  ...(channels === undefined ? {} : { channels: [...channels] }),
});

export function keyRoutes({ keys, channels, now }: AdminDeps): KeyedRoute[] {
  const timestamp = () => new Date(now()).toISOString();

  /** Checks what the schema cannot express. A misspelled channel would be a key that can access nothing. */
  async function keyFaults({ tenant, scope: own }: Caller, value: unknown): Promise<FieldError[]> {
    const { expiresAt, channels: ids, scope } = fieldsOf(value);
    const faults: FieldError[] = [];
    if (typeof expiresAt === 'string') faults.push(...expiryFaults(expiresAt, now()));
    if (typeof scope === 'string' && isScope(scope) && !includesScope(own, scope))
      faults.push(fieldError('scope', '/scope', `must be at most "${own}", the scope of this request; got "${scope}"`));
    for (const [index, id] of (Array.isArray(ids) ? ids.slice(0, MAX_KEY_CHANNELS) : []).entries()) {
      const isKnown = typeof id !== 'string' || !isRecordId(id) || (await channels.find(tenant, id)) !== undefined;
      if (!isKnown)
        faults.push(
          fieldError('exists', `/channels/${index}`, `must be the id of a channel; got "${id}", which does not exist`),
        );
    }
    return faults;
  }

  async function find({ caller, params }: AdminRequest): Promise<ApiKey> {
    const id = params.id!;
    const key = /^[0-9a-f-]{36}$/.test(id) ? await keys.find(caller.tenant, id) : undefined;
    if (!key) throw recordNotFound('key', id);
    return key;
  }

  const one = { tag: 'keys', errors: [404] };
  const created = { status: 201, description: 'The new key, shown only in this response.', schema: newKeyResponse };
  const params = { id: '7d0f4c0e-3b52-4c0f-8a51-6a1f0e2f9d34' };
  return [
    {
      tag: 'keys',
      method: 'GET',
      path,
      operationId: 'listKeys',
      summary: 'List the keys of the tenant, newest first',
      response: { status: 200, description: 'The keys, without their secrets.', schema: Type.Array(keyResponse) },
      errors: [],
      example: {},
      handle: async ({ caller }) => ({
        status: 200,
        json: (await keys.list(caller.tenant)).map(showKey),
      }),
    },
    {
      tag: 'keys',
      method: 'POST',
      path,
      operationId: 'createKey',
      summary: 'Create a key',
      body: { schema: keyBody, isOptional: true },
      response: created,
      errors: [],
      example: { body: { email: 'ci@example.com', name: 'CI', scope: 'operate' } },
      handle: async ({ caller, body, audit }) => {
        const rules = { noun: 'key', schema: keyBody, ignored: [] };
        const given = (await readBody(body === undefined ? {} : body, rules, (value) =>
          keyFaults(caller, value),
        )) as KeyBody;
        const { email = caller.email, expiresAt, scope = caller.scope, ...rest } = given;
        const expiry = expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() };
        const owner = { tenant: caller.tenant, email, scope, ...rest, ...expiry };
        const { key, secret, hash } = issueKey(owner, caller.email, timestamp());
        await keys.insert(key, hash, audit.entry(auditedChange('key', undefined, key)));
        return {
          status: 201,
          headers: { location: `${path}/${key.id}` },
          json: { ...showKey(key), key: secret } satisfies NewKeyResponse,
        };
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
        'The new key has the owner, the name, the scope and the channels of the old one, and no expiry. The old key expires immediately, or after overlapSeconds.',
      body: { schema: rotationBody, isOptional: true },
      response: created,
      example: { params, body: { overlapSeconds: 3600 } },
      handle: async (request) => {
        const rules = { noun: 'rotation', schema: rotationBody, ignored: [] };
        const rotation = request.body === undefined ? {} : request.body;
        const { overlapSeconds } = (await readBody(rotation, rules, noFaults)) as RotationBody;
        const { caller } = request;
        const previous = await find(request);
        const { tenant, email, name, scope, channels: only } = previous;
        const next = issueKey(
          {
            ...{ tenant, email, scope },
            ...(name === undefined ? {} : { name }),
            ...(only === undefined ? {} : { channels: only }),
          },
          caller.email,
          timestamp(),
        );
        const ends = new Date(now() + (overlapSeconds ?? 0) * 1000).toISOString();
        const expiresAt = previous.expiresAt && previous.expiresAt < ends ? previous.expiresAt : ends;
        const expiring = { ...previous, expiresAt };
        const { before, after, ...record } = auditedChange('key', previous, expiring);
        // Which key replaces it.
        const entry = request.audit.entry({ ...record, before, after: { ...after, replacedBy: next.key.id } });
        await keys.rotate(next.key, next.hash, expiring, entry);
        return {
          status: 201,
          headers: { location: `${path}/${next.key.id}` },
          json: { ...showKey(next.key), key: next.secret } satisfies NewKeyResponse,
        };
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
  ];
}
