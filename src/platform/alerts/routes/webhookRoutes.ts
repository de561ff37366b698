// SPDX-License-Identifier: Apache-2.0
// Receivers of events, and what was sent to them. The secret of a webhook is returned only when it is created.
import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { AppError } from '../../../errors.ts';
import { readQuery } from '../../../http/admin/request/readQuery.ts';
import { type AdminRequest, type KeyedRoute, ok } from '../../../http/admin/request/route.ts';
import { crudRoutes, type Kind, listRoute, withoutSecrets } from '../../../http/admin/routes/crud.ts';
import { auditedChange, readFields, recordNotFound } from '../../../http/admin/routes/record.ts';
import { readOnlyFields } from '../../../http/contract/commonContract.ts';
import { withoutUndefined } from '../../../invariant.ts';
import { isoText } from '../../../time/units.ts';
import {
  DEFAULT_OVERLAP_SECONDS,
  type DeliveryResponse,
  deliveryQuery,
  deliveryResponse,
  newWebhookResponse,
  secretRotationBody,
  type WebhookBody,
  webhookBody,
  webhookResponse,
} from '../contract/webhookContract.ts';
import { shownBody } from '../webhooks/compose.ts';
import { type Delivery, deliveryIdOf, messageOf, type NewDelivery } from '../webhooks/delivery.ts';
import { MAX_WEBHOOKS, newWebhookSecret, rotateSecrets, type Webhook } from '../webhooks/webhook.ts';
import type { AlertDeps } from './alertPorts.ts';
import { cursorDoc, pageOf, readCursor } from './readCursor.ts';
import { hasNoSecret, makeReceiver, receiverFaults, showReceiver } from './receivers.ts';
import { tenantRecords } from './tenantRecords.ts';

/** A URL of a chat or paging service contains its token. */
const SECRETS = ['url', 'routingKey'];
const MAX_UPDATE_ATTEMPTS = 50;

export function webhookRoutes({ webhooks, deliveries, now, adminUrl, hasMail }: AlertDeps): KeyedRoute[] {
  const showDelivery = (delivery: Delivery, webhook: Webhook): DeliveryResponse => {
    const { id, type, state, createdAt, dueAt, attempts, log } = delivery;
    return {
      id,
      type,
      state,
      createdAt: isoText(createdAt),
      ...(dueAt === undefined ? {} : { nextAttemptAt: isoText(dueAt) }),
      attempts,
      log: log.map(({ at, ...attempt }) => ({ at: isoText(at), ...attempt })),
      body: shownBody(delivery, webhook, { now: now(), adminUrl }),
    };
  };

  const kind: Kind<Webhook, WebhookBody> = {
    ...tenantRecords('webhook', webhooks, MAX_WEBHOOKS),
    path: '/api/v2/webhooks',
    body: webhookBody,
    response: webhookResponse,
    ignored: [...readOnlyFields, 'secrets', 'disabledReason'],
    now,
    faults: async (fields, _caller, previous) => receiverFaults(fields, previous, hasMail),
    make: makeReceiver,
    show: async (webhook) => showReceiver(webhook),
    example: {
      id: 'operations',
      body: { url: 'https://example.com/midroll', description: 'On call' },
      patch: { description: 'On call, second floor' },
    },
  };
  const { find, ...routes } = crudRoutes(kind);

  const list = listRoute(kind, webhooks.list, 'All webhooks of the tenant, newest first.');
  const create: KeyedRoute = {
    ...routes.create,
    response: { ...routes.create.response, description: 'The webhook with its secret.', schema: newWebhookResponse },
    handle: async (request) => {
      const response = await routes.create.handle(request);
      const webhook = await webhooks.find(request.caller.tenant, (response.json as { id: string }).id);
      const secret = webhook?.type === 'webhook' ? webhook.secrets[0]?.secret : undefined;
      return { ...response, json: { ...(response.json as object), ...withoutUndefined({ secret }) } };
    },
  };

  const rotate: KeyedRoute = {
    tag: 'webhooks',
    method: 'POST',
    path: `${kind.path}/:id/rotate`,
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook by a new one',
    description: 'Until the overlap ends, deliveries have one signature for each secret.',
    body: { schema: secretRotationBody, isOptional: true },
    response: { status: 201, description: 'The webhook with its new secret.', schema: newWebhookResponse },
    errors: [404, 409],
    example: { params: { id: kind.example.id }, body: { overlapSeconds: 3600 } },
    handle: async (request) => {
      const { body = {} } = request;
      const { overlapSeconds = DEFAULT_OVERLAP_SECONDS } = await readFields(body, 'rotation', secretRotationBody);
      const secret = newWebhookSecret();
      for (let attempt = 0; attempt < MAX_UPDATE_ATTEMPTS; attempt += 1) {
        const webhook = await find(request);
        if (webhook.type !== 'webhook') throw hasNoSecret(webhook);
        const secrets = rotateSecrets(webhook.secrets, secret, now(), overlapSeconds * 1000);
        const { email: modifiedBy } = request.caller;
        const next = { ...webhook, secrets, modifiedBy, modifiedAt: isoText(now()) };
        if (await webhooks.replace(next, request.audit.entry(auditedChange('webhook', webhook, next))))
          return { status: 201, json: { ...showReceiver({ ...next, version: webhook.version + 1 }), secret } };
      }
      throw new AppError('CONFLICT', 'Too many concurrent changes of the webhook. Retry.');
    },
  };

  // What was sent to a webhook: the log, tests, and retries by hand.

  /** @throws {AppError} CONFLICT, because nothing would be sent */
  async function findEnabled(request: AdminRequest): Promise<Webhook> {
    const webhook = await find(request);
    if (!webhook.enabled) throw new AppError('CONFLICT', `Webhook "${webhook.id}" is disabled. Enable it first.`);
    return webhook;
  }
  async function shown(webhook: Webhook, id: string): Promise<DeliveryResponse> {
    const isId = /^msg_[\w-]{24}$/.test(id);
    const delivery = isId ? await deliveries.find(webhook.tenant, webhook.id, id) : undefined;
    if (!delivery) throw recordNotFound('delivery', id);
    return showDelivery(delivery, webhook);
  }
  const facts = { tag: 'webhooks', errors: [404] };
  const params = { id: kind.example.id };
  const ofDeliveries: KeyedRoute[] = [
    {
      ...facts,
      method: 'POST',
      path: `${kind.path}/:id/test`,
      operationId: 'testWebhook',
      summary: 'Send a test event to a webhook',
      description:
        'The delivery is sent within a second or two, and retried like any other. Its log contains the outcome.',
      response: { status: 202, description: 'The delivery.', schema: deliveryResponse },
      errors: [404, 409],
      example: { params },
      handle: async (request) => {
        const webhook = await findEnabled(request);
        const { id: webhookId, tenant } = webhook;
        const createdAt = now();
        const text = 'This is a test event of Midroll.';
        const delivery: NewDelivery = {
          id: deliveryIdOf(randomUUID(), webhookId),
          tenant,
          webhookId,
          type: 'test',
          createdAt,
          body: messageOf('test', createdAt, { text, requestedBy: request.caller.email }),
        };
        await deliveries.add([delivery]);
        return { status: 202, json: await shown(webhook, delivery.id) };
      },
    },
    {
      ...facts,
      method: 'GET',
      path: `${kind.path}/:id/deliveries`,
      operationId: 'listDeliveries',
      summary: 'List the deliveries to a webhook, newest first',
      description: 'Those of the last 7 days, at most 1,000.',
      query: deliveryQuery,
      response: ok('A page of deliveries.', Type.Array(deliveryResponse), cursorDoc),
      example: { params, query: { state: 'failed' } },
      handle: async (request) => {
        const { limit, cursor, state } = readQuery(deliveryQuery, request.query);
        const before = readCursor(cursor);
        const webhook = await find(request);
        const { tenant, id: webhookId } = webhook;
        const filter = { tenant, webhookId, ...before, ...(state === undefined ? {} : { state }) };
        const { page, headers } = pageOf(await deliveries.list(filter, limit + 1), limit);
        return { status: 200, headers, json: page.map((one) => showDelivery(one, webhook)) };
      },
    },
    {
      ...facts,
      method: 'POST',
      path: `${kind.path}/:id/deliveries/:delivery/retry`,
      operationId: 'retryDelivery',
      summary: 'Send a delivery again',
      description: 'Also one that was delivered. It has the same ID and body, and is retried for a day.',
      response: { status: 202, description: 'The delivery.', schema: deliveryResponse },
      errors: [404, 409],
      example: { params: { ...params, delivery: 'msg_AAAAAAAAAAAAAAAAAAAAAAAA' } },
      handle: async (request) => {
        const webhook = await findEnabled(request);
        const { delivery: id = '' } = request.params;
        await shown(webhook, id);
        if (!(await deliveries.retry(webhook.tenant, webhook.id, id, now())))
          throw new AppError('CONFLICT', 'The delivery is being sent. Wait for the outcome of this attempt.');
        return { status: 202, json: await shown(webhook, id) };
      },
    },
  ];

  const { create: _create, read, ...others } = routes;
  return [
    withoutSecrets(list, SECRETS),
    create,
    withoutSecrets(read, SECRETS),
    ...Object.values(others),
    rotate,
    ...ofDeliveries,
  ];
}
