// SPDX-License-Identifier: Apache-2.0
import type { DeliveryResponse } from '../../../src/platform/alerts/contract/webhookContract.ts';
import { call } from '../api/call.ts';
import { POLL } from '../api/pollIntervals.ts';
import { useAction } from '../api/useAction.ts';
import { useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { Badge } from '../components/feedback/Badge.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { formatDateTime } from '../format/time.ts';

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
  const [tone, label] = states[state];
  const last = log.at(-1);
  const outcome = last?.status === undefined ? last?.reason : `Status ${last.status}`;
  return (
    <tr>
      <td>
        <Badge tone={tone}>{label}</Badge>
      </td>
      <td>
        {type}
        <br />
        <small>{formatDateTime(createdAt)}</small>
      </td>
      <td class="name">
        {outcome ?? 'None'}
        {last?.durationMs === undefined ? '' : `, ${last.durationMs} ms`}
        {attempts > 1 ? `, ${attempts} attempts` : ''}
        {last?.excerpt === undefined ? null : (
          <>
            <br />
            <small>{last.excerpt}</small>
          </>
        )}
        {nextAttemptAt === undefined || attempts === 0 ? null : (
          <>
            <br />
            <small>Next attempt {formatDateTime(nextAttemptAt)}</small>
          </>
        )}
        <ErrorNotice error={action.error} />
      </td>
      <td>
        <Button isSmall isBusy={action.isBusy} onClick={() => void action.run()}>
          Retry
        </Button>
      </td>
    </tr>
  );
}

/** The latest deliveries to a webhook. @param path of the webhook */
export function DeliveryLog({ path }: { readonly path: string }) {
  const deliveries = useGet<DeliveryResponse[]>(`${path}/deliveries?limit=20`, POLL.urgent);
  const retry = async (id: string) => {
    await call('POST', `${path}/deliveries/${id}/retry`);
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
