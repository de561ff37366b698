// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type {
  NewWebhookResponse,
  WebhookBody,
  WebhookResponse,
} from '../../../src/platform/alerts/contract/webhookContract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { Dialog, DialogButtons } from '../components/dialogs/Dialog.tsx';
import { SecretDialog } from '../components/dialogs/SecretDialog.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { Form, FormError } from '../components/forms/Form.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { TextField } from '../components/forms/TextField.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';
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
          Add webhook
        </Button>
      </div>
      <LoadState of={webhooks} />
      {data?.length === 0 ? (
        <EmptyState icon="alert" title="No webhooks">
          <p>A webhook receives the events of the rules that name it.</p>
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
        <WebhookDialog
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

type WebhookDialogProps = {
  readonly webhook: WebhookResponse | undefined;
  /** @param created a new webhook, with its secret */
  onSaved(created?: NewWebhookResponse): void;
  onClose(): void;
};

/** Creates or edits a webhook. @param webhook undefined for a new one */
function WebhookDialog({ webhook, onSaved, onClose }: WebhookDialogProps) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true);
  const save = useAction(async () => {
    const body: WebhookBody = { url: url.trim(), enabled, ...(description === '' ? {} : { description }) };
    if (webhook === undefined) return onSaved((await call('POST', '/webhooks', { body })).body);
    await call('PUT', '/webhooks/{id}', { path: { id: webhook.id }, body });
    onSaved();
  });
  return (
    <Dialog title={webhook === undefined ? 'Add webhook' : 'Edit webhook'} onClose={onClose}>
      <Form onSubmit={() => void save.run()}>
        <TextField
          label="URL"
          type="url"
          value={url}
          error={fieldError(save.fields, '/url')}
          onInput={setUrl}
          placeholder="https://example.com/midroll"
        />
        <TextField
          label="Description"
          value={description}
          error={fieldError(save.fields, '/description')}
          onInput={setDescription}
        />
        <Toggle label="Enabled" isOn={enabled} onChange={setEnabled} />
        <FormError error={save.error} />
        <DialogButtons isBusy={save.isBusy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
