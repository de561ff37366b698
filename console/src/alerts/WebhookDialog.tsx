// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type {
  NewWebhookResponse,
  WebhookBody,
  WebhookResponse,
} from '../../../src/platform/alerts/contract/webhookContract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { Dialog } from '../components/dialogs/Dialog.tsx';
import { DialogButtons } from '../components/dialogs/DialogButtons.tsx';
import { Form } from '../components/forms/Form.tsx';
import { FormError } from '../components/forms/FormError.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { TextField } from '../components/forms/TextField.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';

type WebhookDialogProps = {
  readonly webhook: WebhookResponse | undefined;
  /** @param created a new webhook, with its secret */
  onSaved(created?: NewWebhookResponse): void;
  onClose(): void;
};

/** Creates or edits a webhook. @param webhook undefined for a new one */
export function WebhookDialog({ webhook, onSaved, onClose }: WebhookDialogProps) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true);
  const save = useAction(async () => {
    const body: WebhookBody = { url: url.trim(), enabled, ...(description === '' ? {} : { description }) };
    if (webhook === undefined) return onSaved((await call<NewWebhookResponse>('POST', '/webhooks', { body })).body);
    await call('PUT', `/webhooks/${encodeURIComponent(webhook.id)}`, { body });
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
