// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type {
  DeliveryResponse,
  NewWebhookResponse,
  SecretRotationBody,
  WebhookResponse,
} from '../../../src/platform/alerts/contract/webhookContract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { ConfirmButton } from '../components/dialogs/ConfirmButton.tsx';
import { Badge, StatusBadge } from '../components/feedback/Badge.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { type Column, SecondLine, Table } from '../components/layout/Table.tsx';
import { formatDateTime } from '../format/time.ts';
import { receiverLabels, webhookName } from './alertRules.ts';

type WebhookCardProps = {
  readonly webhook: WebhookResponse;
  onEdit(): void;
  onRotated(rotated: NewWebhookResponse): void;
  onChanged(): void;
};

/** How long the old secret signs deliveries, too. */
const OVERLAP_HOURS = 24;

/** A webhook and what was sent to it. */
export function WebhookCard({ webhook, onEdit, onRotated, onChanged }: WebhookCardProps) {
  const { id, type, url, to, enabled, grouped, disabledReason } = webhook;
  const path = { id };
  const [isOpen, setOpen] = useState(false);
  const [tests, setTests] = useState(0);
  const test = useAction(async () => {
    await call('POST', '/webhooks/{id}/test', { path });
    setOpen(true);
    setTests((count) => count + 1);
  });
  const rotate = async () => {
    const body: SecretRotationBody = { overlapSeconds: OVERLAP_HOURS * 3600 };
    return (await call('POST', '/webhooks/{id}/rotate', { path, body })).body;
  };
  const remove = async () => {
    await call('DELETE', '/webhooks/{id}', { path });
    onChanged();
  };
  return (
    <li class="card stack webhook">
      <header>
        <h2>
          {webhookName(webhook)} <Badge tone={enabled ? 'good' : 'calm'}>{enabled ? 'Enabled' : 'Disabled'}</Badge>
        </h2>
        <span class="small muted">
          {receiverLabels[type]}
          {grouped ? ', grouped ' : ' '}
          <code class="wraps">{to?.join(', ') ?? url}</code>
        </span>
        {disabledReason === undefined ? null : <p class="small reason">{disabledReason}</p>}
      </header>
      <div class="row">
        <Button isDisabled={!enabled} reason="This receiver is off." action={test}>
          Send test
        </Button>
        <Button isPressed={isOpen} onClick={() => setOpen(!isOpen)}>
          Deliveries
        </Button>
        <Button onClick={onEdit}>Edit</Button>
        {type === 'webhook' ? (
          <ConfirmButton
            label="Rotate secret"
            kind="plain"
            title="Rotate the secret?"
            message={`Creates a new secret and shows it once. For ${OVERLAP_HOURS} hours, deliveries are also signed with the old secret.`}
            act={rotate}
            onDone={onRotated}
          />
        ) : null}
        <ConfirmButton
          label="Delete"
          kind="quiet"
          title={`Delete ${webhookName(webhook)}?`}
          message="Its deliveries are deleted, including those that wait for a retry."
          act={remove}
        />
      </div>
      <ErrorNotice error={test.error} />
      {isOpen ? <DeliveryLog key={tests} webhook={id} /> : null}
    </li>
  );
}

const states = { pending: ['warn', 'Pending'], delivered: ['good', 'Delivered'], failed: ['bad', 'Failed'] } as const;

const columns: readonly Column[] = [
  { label: 'State' },
  { label: 'Event' },
  { label: 'Last attempt' },
  { label: 'Actions', isHidden: true },
];

type RowProps = { readonly delivery: DeliveryResponse; retry(id: string): Promise<unknown> };

function DeliveryRow({ delivery: { id, state, type, createdAt, attempts, log, nextAttemptAt }, retry }: RowProps) {
  const action = useAction(() => retry(id));
  const last = log.at(-1);
  const outcome = last?.status === undefined ? last?.reason : `Status ${last.status}`;
  return (
    <tr>
      <td>
        <StatusBadge status={states[state]} />
      </td>
      <td>
        {type}
        <SecondLine>{formatDateTime(createdAt)}</SecondLine>
      </td>
      <td class="name">
        {outcome ?? 'None'}
        {last?.durationMs === undefined ? '' : `, ${last.durationMs} ms`}
        {attempts > 1 ? `, ${attempts} attempts` : ''}
        {last?.excerpt === undefined ? null : <SecondLine>{last.excerpt}</SecondLine>}
        {nextAttemptAt === undefined || attempts === 0 ? null : (
          <SecondLine>Next attempt {formatDateTime(nextAttemptAt)}</SecondLine>
        )}
        <ErrorNotice error={action.error} />
      </td>
      <td>
        <Button isSmall action={action}>
          Retry
        </Button>
      </td>
    </tr>
  );
}

/** The latest deliveries to a webhook. @param webhook its id */
function DeliveryLog({ webhook }: { readonly webhook: string }) {
  const deliveries = useGet('/webhooks/{id}/deliveries', { path: { id: webhook }, query: { limit: 20 } }, POLL.urgent);
  const retry = async (id: string) => {
    await call('POST', '/webhooks/{id}/deliveries/{delivery}/retry', { path: { id: webhook, delivery: id } });
    deliveries.reload();
  };
  return (
    <>
      <LoadState of={deliveries} />
      {deliveries.data?.length === 0 ? <p class="muted">No deliveries.</p> : null}
      {deliveries.data?.length ? (
        <Table columns={columns}>
          {deliveries.data.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} retry={retry} />
          ))}
        </Table>
      ) : null}
    </>
  );
}
