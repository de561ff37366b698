// SPDX-License-Identifier: Apache-2.0
// Webhooks. A secret is returned only when it is created.
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { urlFaults } from '../../../channels/urlFaults.ts';
import { AppError } from '../../../errors.ts';
import type { KeyedRoute } from '../../../http/admin/request/route.ts';
import { crudRoutes, type Kind } from '../../../http/admin/routes/crud.ts';
import { auditedChange, showRecord } from '../../../http/admin/routes/record.ts';
import { withoutSecrets } from '../../../http/admin/routes/withoutSecrets.ts';
import { readOnlyFields } from '../../../http/contract/commonContract.ts';
import { readFields } from '../../access/routes/readFields.ts';
import { listRoute } from '../../systems/routes/systemRoutes.ts';
import {
  newWebhookResponse,
  secretRotationBody,
  type WebhookBody,
  webhookBody,
  webhookResponse,
} from '../contract/webhookContract.ts';
import { MAX_WEBHOOKS, newWebhookSecret, rotateSecrets, type Webhook } from '../webhooks/webhook.ts';
import type { AlertDeps } from './alertPorts.ts';
import { deliveryRoutes } from './deliveryRoutes.ts';
import { tenantRecords } from './tenantRecords.ts';

/** A URL of a chat or paging service contains its token. */
const SECRETS = ['url'];
const DAY_SECONDS = 86_400;
const MAX_UPDATE_ATTEMPTS = 50;

const show = ({ secrets, ...webhook }: Webhook & { version: number }) => ({
  ...showRecord(webhook),
  secrets: secrets.length,
});

export function webhookRoutes(deps: AlertDeps): KeyedRoute[] {
  const { webhooks, now } = deps;
  const kind: Kind<Webhook, WebhookBody> = {
    ...tenantRecords('webhook', webhooks, MAX_WEBHOOKS),
    path: '/api/v2/webhooks',
    body: webhookBody,
    response: webhookResponse,
    ignored: [...readOnlyFields, 'secrets', 'disabledReason'],
    now,
    faults: async (fields) => urlFaults(fieldsOf(fields).url, '/url'),
    make: ({ id: _, enabled = true, ...fields }, previous) => ({
      ...fields,
      enabled,
      ...(enabled || previous?.disabledReason === undefined ? {} : { disabledReason: previous.disabledReason }),
      secrets: previous?.secrets ?? [{ secret: newWebhookSecret() }],
    }),
    show: async (webhook) => show(webhook),
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
      return { ...response, json: { ...(response.json as object), secret: webhook?.secrets[0]?.secret ?? '' } };
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
      const { overlapSeconds = DAY_SECONDS } = await readFields(body, 'rotation', secretRotationBody);
      const secret = newWebhookSecret();
      for (let attempt = 0; attempt < MAX_UPDATE_ATTEMPTS; attempt += 1) {
        const webhook = await find(request);
        const secrets = rotateSecrets(webhook.secrets, secret, now(), overlapSeconds * 1000);
        const { email: modifiedBy } = request.caller;
        const next = { ...webhook, secrets, modifiedBy, modifiedAt: new Date(now()).toISOString() };
        if (await webhooks.replace(next, request.audit.entry(auditedChange('webhook', webhook, next))))
          return { status: 201, json: { ...show({ ...next, version: webhook.version + 1 }), secret } };
      }
      throw new AppError('CONFLICT', 'Too many concurrent changes of the webhook. Retry.');
    },
  };

  const { create: _create, read, ...others } = routes;
  return [
    withoutSecrets(list, SECRETS),
    create,
    withoutSecrets(read, SECRETS),
    ...Object.values(others),
    rotate,
    ...deliveryRoutes(deps, kind.path, kind.example.id, find),
  ];
}
