// SPDX-License-Identifier: Apache-2.0
// What was sent to a webhook: the log, tests, and retries by hand.
import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { AppError } from '../../../errors.ts';
import { readQuery } from '../../../http/admin/request/readQuery.ts';
import type { AdminRequest, KeyedRoute } from '../../../http/admin/request/route.ts';
import { recordNotFound } from '../../../http/admin/routes/record.ts';
import type { Millis } from '../../../time/units.ts';
import { type DeliveryResponse, deliveryQuery, deliveryResponse } from '../contract/webhookContract.ts';
import { type Delivery, deliveryIdOf, messageOf, type NewDelivery } from '../webhooks/delivery.ts';
import type { Webhook } from '../webhooks/webhook.ts';
import type { AlertDeps } from './alertPorts.ts';
import { cursorDoc, pageOf, readCursor } from './readCursor.ts';

const iso = (at: Millis): string => new Date(at).toISOString();

const showDelivery = ({ id, type, state, createdAt, dueAt, attempts, log, body }: Delivery): DeliveryResponse => ({
  id,
  type,
  state,
  createdAt: iso(createdAt),
  ...(dueAt === undefined ? {} : { nextAttemptAt: iso(dueAt) }),
  attempts,
  log: log.map(({ at, ...attempt }) => ({ at: iso(at), ...attempt })),
  body,
});

const isDeliveryId = (text: string): boolean => /^msg_[\w-]{24}$/.test(text);

/** @param find the webhook of a request */
export function deliveryRoutes(
  { deliveries, now }: AlertDeps,
  path: string,
  exampleId: string,
  find: (request: AdminRequest) => Promise<Webhook>,
): KeyedRoute[] {
  /** @throws {AppError} CONFLICT, because nothing would be sent */
  async function findEnabled(request: AdminRequest): Promise<Webhook> {
    const webhook = await find(request);
    if (!webhook.enabled) throw new AppError('CONFLICT', `Webhook "${webhook.id}" is disabled. Enable it first.`);
    return webhook;
  }
  async function shown(tenant: string, webhookId: string, id: string): Promise<DeliveryResponse> {
    const delivery = isDeliveryId(id) ? await deliveries.find(tenant, webhookId, id) : undefined;
    if (!delivery) throw recordNotFound('delivery', id);
    return showDelivery(delivery);
  }
  const facts = { tag: 'webhooks', errors: [404] };
  const params = { id: exampleId };
  return [
    {
      ...facts,
      method: 'POST',
      path: `${path}/:id/test`,
      operationId: 'testWebhook',
      summary: 'Send a test event to a webhook',
      description:
        'The delivery is sent within a second or two, and retried like any other. Its log contains the outcome.',
      response: { status: 202, description: 'The delivery.', schema: deliveryResponse },
      errors: [404, 409],
      example: { params },
      handle: async (request) => {
        const { id: webhookId, tenant } = await findEnabled(request);
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
        return { status: 202, json: await shown(tenant, webhookId, delivery.id) };
      },
    },
    {
      ...facts,
      method: 'GET',
      path: `${path}/:id/deliveries`,
      operationId: 'listDeliveries',
      summary: 'List the deliveries to a webhook, newest first',
      description: 'Those of the last 7 days, at most 1,000.',
      query: deliveryQuery,
      response: {
        status: 200,
        description: 'A page of deliveries.',
        schema: Type.Array(deliveryResponse),
        headers: cursorDoc,
      },
      example: { params, query: { state: 'failed' } },
      handle: async (request) => {
        const { limit, cursor, state } = readQuery(deliveryQuery, request.query);
        const before = readCursor(cursor);
        const { tenant, id: webhookId } = await find(request);
        const filter = { tenant, webhookId, ...before, ...(state === undefined ? {} : { state }) };
        const { page, headers } = pageOf(await deliveries.list(filter, limit + 1), limit);
        return { status: 200, headers, json: page.map(showDelivery) };
      },
    },
    {
      ...facts,
      method: 'POST',
      path: `${path}/:id/deliveries/:delivery/retry`,
      operationId: 'retryDelivery',
      summary: 'Send a delivery again',
      description: 'Also one that was delivered. It has the same ID and body, and is retried for a day.',
      response: { status: 202, description: 'The delivery.', schema: deliveryResponse },
      errors: [404, 409],
      example: { params: { ...params, delivery: 'msg_AAAAAAAAAAAAAAAAAAAAAAAA' } },
      handle: async (request) => {
        const { tenant, id: webhookId } = await findEnabled(request);
        const { delivery: id = '' } = request.params;
        await shown(tenant, webhookId, id);
        if (!(await deliveries.retry(tenant, webhookId, id, now())))
          throw new AppError('CONFLICT', 'The delivery is being sent. Wait for the outcome of this attempt.');
        return { status: 202, json: await shown(tenant, webhookId, id) };
      },
    },
  ];
}
