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
import { FormDialog } from '../components/dialogs/FormDialog.tsx';
import { errorWithin } from '../components/forms/fieldErrors.ts';
import { formFields } from '../components/forms/formFields.ts';
import { SelectField } from '../components/forms/SelectField.tsx';
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
  const { field, choice } = formFields(form, save.fields, change);
  return (
    <FormDialog title={webhook === undefined ? 'Add receiver' : 'Edit receiver'} action={save} onClose={onClose}>
      <SelectField
        label="Type"
        {...choice('type', receiverLabels)}
        onChange={(next: ReceiverType) => change({ type: next, grouped: next !== 'webhook' })}
      />
      {type === 'email' ? (
        <TextField
          label="Addresses"
          {...field('to')}
          hint="Separated by commas."
          error={errorWithin(save.fields, '/to')}
          placeholder="on-call@example.com"
        />
      ) : null}
      {type === 'pagerduty' ? <TextField label="Routing key" {...field('routingKey')} /> : null}
      {type === 'email' ? null : (
        <TextField
          label="URL"
          type="url"
          {...field('url')}
          {...(urlHints[type] === undefined ? {} : { hint: urlHints[type] })}
          placeholder="https://example.com/midroll"
        />
      )}
      <TextField label="Description" {...field('description')} />
      <Toggle label="Group alerts of a rule" isOn={form.grouped} onChange={(grouped) => change({ grouped })} />
      <Toggle label="Enabled" isOn={form.enabled} onChange={(enabled) => change({ enabled })} />
    </FormDialog>
  );
}
