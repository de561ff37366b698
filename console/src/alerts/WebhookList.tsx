// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { NewWebhookResponse, WebhookResponse } from '../../../src/platform/alerts/contract/webhookContract.ts';
import { useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { SecretDialog } from '../components/dialogs/SecretDialog.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { ReceiverDialog } from './ReceiverDialog.tsx';
import { WebhookCard } from './WebhookCard.tsx';

/** Where events are sent. */
export function WebhookList() {
  const webhooks = useGet('/webhooks');
  const { data, reload } = webhooks;
  const [edited, setEdited] = useState<WebhookResponse | 'new'>();
  const [secret, setSecret] = useState<string>();
  const show = (created?: NewWebhookResponse) => {
    setEdited(undefined);
    setSecret(created?.secret);
    reload();
  };
  return (
    <>
      <div class="alert-filter">
        <Button kind="primary" icon="plus" onClick={() => setEdited('new')}>
          Add receiver
        </Button>
      </div>
      <LoadState of={webhooks} />
      {data?.length === 0 ? (
        <EmptyState icon="alert" title="No receivers">
          <p>E-mail, chats, paging services and webhooks receive the events of the rules that name them.</p>
        </EmptyState>
      ) : null}
      <ul class="stack">
        {data?.map((webhook) => (
          <WebhookCard
            key={webhook.id}
            webhook={webhook}
            onEdit={() => setEdited(webhook)}
            onRotated={show}
            onChanged={reload}
          />
        ))}
      </ul>
      {edited === undefined ? null : (
        <ReceiverDialog
          webhook={edited === 'new' ? undefined : edited}
          onSaved={show}
          onClose={() => setEdited(undefined)}
        />
      )}
      {secret === undefined ? null : (
        <SecretDialog title="Webhook secret" name="Secret" secret={secret} onClose={() => setSecret(undefined)} />
      )}
    </>
  );
}
