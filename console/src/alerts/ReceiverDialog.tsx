// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { ReceiverType } from '../../../src/platform/alerts/contract/alertValues.ts';
import type {
  NewWebhookResponse,
  WebhookBody,
  WebhookResponse,
} from '../../../src/platform/alerts/contract/webhookContract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { Dialog, DialogButtons } from '../components/dialogs/Dialog.tsx';
import { Form, FormError } from '../components/forms/Form.tsx';
import { errorWithin, fieldError } from '../components/forms/fieldErrors.ts';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';
import { receiverLabels } from './alertRules.ts';
import { type ReceiverForm, receiverBody, receiverForm } from './receiverForm.ts';

type ReceiverDialogProps = {
  readonly webhook: WebhookResponse | undefined;
  /** @param created a new receiver, a webhook with its secret */
  onSaved(created?: NewWebhookResponse): void;
  onClose(): void;
};

const urlHints = {
  webhook: undefined,
  slack: 'Of an incoming webhook of Slack, Mattermost and others.',
  pagerduty: 'Of the Events API v2, if not that of PagerDuty.',
} as const;

/** Creates or edits a receiver. @param webhook undefined for a new one */
export function ReceiverDialog({ webhook, onSaved, onClose }: ReceiverDialogProps) {
  const [form, setForm] = useState(receiverForm(webhook));
  const change = (changes: Partial<ReceiverForm>) => setForm({ ...form, ...changes });
  const { type } = form;
  const save = useAction(async () => {
    const body: WebhookBody = receiverBody(form);
    if (webhook === undefined) return onSaved((await call('POST', '/webhooks', { body })).body);
    await call('PUT', '/webhooks/{id}', { path: { id: webhook.id }, body });
    onSaved();
  });
  const error = (field: string) => fieldError(save.fields, field);
  return (
    <Dialog title={webhook === undefined ? 'Add receiver' : 'Edit receiver'} onClose={onClose}>
      <Form onSubmit={() => void save.run()}>
        <SelectField
          label="Type"
          value={type}
          options={toOptions(receiverLabels)}
          error={error('/type')}
          onChange={(next: ReceiverType) => change({ type: next, grouped: next !== 'webhook' })}
        />
        {type === 'email' ? (
          <TextField
            label="Addresses"
            value={form.to}
            hint="Separated by commas."
            error={errorWithin(save.fields, '/to')}
            onInput={(to) => change({ to })}
            placeholder="on-call@example.com"
          />
        ) : null}
        {type === 'pagerduty' ? (
          <TextField
            label="Routing key"
            value={form.routingKey}
            error={error('/routingKey')}
            onInput={(routingKey) => change({ routingKey })}
          />
        ) : null}
        {type === 'email' ? null : (
          <TextField
            label="URL"
            type="url"
            value={form.url}
            {...(urlHints[type] === undefined ? {} : { hint: urlHints[type] })}
            error={error('/url')}
            onInput={(url) => change({ url })}
            placeholder="https://example.com/midroll"
          />
        )}
        <TextField
          label="Description"
          value={form.description}
          error={error('/description')}
          onInput={(description) => change({ description })}
        />
        <Toggle label="Group alerts of a rule" isOn={form.grouped} onChange={(grouped) => change({ grouped })} />
        <Toggle label="Enabled" isOn={form.enabled} onChange={(enabled) => change({ enabled })} />
        <FormError error={save.error} />
        <DialogButtons isBusy={save.isBusy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
