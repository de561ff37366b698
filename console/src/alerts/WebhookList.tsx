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
import { useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { FormDialog } from '../components/dialogs/FormDialog.tsx';
import { SecretDialog } from '../components/dialogs/SecretDialog.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { errorWithin } from '../components/forms/fieldErrors.ts';
import { formFields } from '../components/forms/formFields.ts';
import { SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';
import { receiverLabels } from './alertRules.ts';
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
function ReceiverDialog({ webhook, onSaved, onClose }: ReceiverDialogProps) {
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

// A receiver as a form. It keeps what was typed for other types until it is saved.

type ReceiverForm = ReturnType<typeof receiverForm>;

/** @param webhook undefined for a new one */
const receiverForm = (webhook: WebhookResponse | undefined) => ({
  type: webhook?.type ?? 'webhook',
  url: webhook?.url ?? '',
  /** Addresses, separated by commas. */
  to: webhook?.to?.join(', ') ?? '',
  routingKey: webhook?.routingKey ?? '',
  description: webhook?.description ?? '',
  grouped: webhook?.grouped ?? false,
  enabled: webhook?.enabled ?? true,
});

const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter((one) => one !== '');

/** The fields of its type. */
function receiverBody({ type, url, to, routingKey, description, grouped, enabled }: ReceiverForm): WebhookBody {
  return {
    type,
    grouped,
    enabled,
    ...(description === '' ? {} : { description }),
    ...(type === 'email' ? { to: addressesIn(to) } : {}),
    ...(type === 'pagerduty' ? { routingKey: routingKey.trim() } : {}),
    ...(type === 'email' || (type === 'pagerduty' && url.trim() === '') ? {} : { url: url.trim() }),
  };
}
