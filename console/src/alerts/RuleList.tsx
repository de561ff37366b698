// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import type { AlertRuleResponse } from '../../../src/platform/alerts/contract/alertContract.ts';
import type { WebhookResponse } from '../../../src/platform/alerts/contract/webhookContract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { useGet, useGetAll } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { ConfirmButton } from '../components/dialogs/ConfirmButton.tsx';
import { Dialog, DialogButtons } from '../components/dialogs/Dialog.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { Choices } from '../components/forms/Choices.tsx';
import { Form, FormError } from '../components/forms/Form.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { NumberField } from '../components/forms/NumberField.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';
import {
  type AlertKind,
  bodyOf,
  formOf,
  kindLabels,
  newRuleForm,
  numberLabels,
  numbersOf,
  ruleInWords,
  webhookName,
} from './alertRules.ts';

type RuleCardProps = {
  readonly rule: AlertRuleResponse;
  readonly nameOf: (id: string) => string;
  readonly webhookOf: (id: string) => string;
  onEdit(): void;
  onChanged(): void;
};

function RuleCard({ rule, nameOf, webhookOf, onEdit, onChanged }: RuleCardProps) {
  const { id } = rule;
  const change = useAction(async (enabled: boolean) => {
    await call('PATCH', '/alert-rules/{id}', { path: { id }, body: { enabled } });
    onChanged();
  });
  const remove = async () => {
    await call('DELETE', '/alert-rules/{id}', { path: { id } });
    onChanged();
  };
  return (
    <li class="card">
      <Toggle label="On" isOn={rule.enabled} isDisabled={change.isBusy} onChange={(isOn) => void change.run(isOn)} />
      <div>
        <p>
          <strong>{rule.name}</strong>
        </p>
        <p class="small muted">
          {ruleInWords(rule, nameOf)}
          {rule.webhooks.length === 0 ? '' : `; sent to ${rule.webhooks.map(webhookOf).join(', ')}`}
        </p>
        <ErrorNotice error={change.error} />
      </div>
      <div class="actions end">
        <Button isSmall onClick={onEdit}>
          Edit
        </Button>
        <ConfirmButton
          label="Delete"
          kind="quiet"
          title={`Delete ${rule.name}?`}
          message="Its alerts resolve. Events that it has made are kept."
          act={remove}
        />
      </div>
    </li>
  );
}

/** What is checked. */
export function RuleList() {
  const rules = useGet('/alert-rules');
  const channels = useGetAll('/channels');
  const webhooks = useGet('/webhooks');
  const [edited, setEdited] = useState<AlertRuleResponse | 'new'>();
  const names = new Map(channels.data?.map(({ id, name }) => [id, name || id]));
  const webhookNames = new Map(webhooks.data?.map((webhook) => [webhook.id, webhookName(webhook)]));
  const close = () => {
    setEdited(undefined);
    rules.reload();
  };
  return (
    <>
      <div class="alert-filter">
        <Button kind="primary" icon="plus" onClick={() => setEdited('new')}>
          Add rule
        </Button>
      </div>
      <LoadState of={rules} />
      {rules.data?.length === 0 ? (
        <EmptyState icon="alert" title="No rules">
          <p>Add a rule to be notified when fill is low or a channel fails.</p>
        </EmptyState>
      ) : null}
      <ul class="alerts">
        {rules.data?.map((rule) => (
          <RuleCard
            key={rule.id}
            rule={rule}
            nameOf={(id) => names.get(id) ?? id}
            webhookOf={(id) => webhookNames.get(id) ?? id}
            onEdit={() => setEdited(rule)}
            onChanged={rules.reload}
          />
        ))}
      </ul>
      {edited === undefined ? null : (
        <RuleDialog
          rule={edited === 'new' ? undefined : edited}
          channels={channels.data ?? []}
          webhooks={webhooks.data ?? []}
          onClose={close}
        />
      )}
    </>
  );
}

type RuleDialogProps = {
  readonly rule: AlertRuleResponse | undefined;
  readonly channels: readonly ChannelResponse[];
  readonly webhooks: readonly WebhookResponse[];
  onClose(): void;
};

const outcomeLabels = { failed: 'Errors and timeouts', timeout: 'Timeouts' } as const;
const whenLabels = { failing: 'Failing or stalled', slate: 'Slate shown' } as const;

/** Creates or edits a rule. @param rule undefined for a new one */
function RuleDialog({ rule, channels, webhooks, onClose }: RuleDialogProps) {
  const [form, setForm] = useState(rule === undefined ? newRuleForm() : formOf(rule));
  const change = (changes: Partial<typeof form>) => setForm({ ...form, ...changes });
  const { kind, numbers } = form;
  const fields = [...(Object.keys(numbersOf(kind)) as (keyof typeof numberLabels)[]), 'repeatMinutes' as const];
  const names = new Map(channels.map(({ id, name }) => [id, name || id]));
  const save = useAction(async () => {
    const body = bodyOf(form);
    if (rule === undefined) await call('POST', '/alert-rules', { body });
    else await call('PUT', '/alert-rules/{id}', { path: { id: rule.id }, body: { ...body, enabled: rule.enabled } });
    onClose();
  });
  return (
    <Dialog title={rule === undefined ? 'Add rule' : 'Edit rule'} onClose={onClose}>
      <Form onSubmit={() => void save.run()}>
        <div class="pair">
          <SelectField
            label="Kind"
            value={kind}
            options={toOptions(kindLabels)}
            onChange={(next: AlertKind) => change({ kind: next, numbers: numbersOf(next) })}
          />
          <TextField
            label="Name"
            value={form.name}
            placeholder="From its fields"
            error={fieldError(save.fields, '/name')}
            onInput={(name) => change({ name })}
          />
        </div>
        <div class="pair">
          {fields.map((name) => (
            <NumberField
              key={name}
              label={numberLabels[name]}
              value={numbers[name]}
              error={fieldError(save.fields, `/${name}`)}
              onInput={(value) => {
                const { [name]: _, ...others } = numbers;
                change({ numbers: value === undefined ? others : { ...others, [name]: value } });
              }}
            />
          ))}
          {kind === 'ad-server' ? (
            <SelectField
              label="Counted"
              value={form.outcome}
              options={toOptions(outcomeLabels)}
              onChange={(outcome: typeof form.outcome) => change({ outcome })}
            />
          ) : null}
          {kind === 'origin' ? (
            <SelectField
              label="When"
              value={form.when}
              options={toOptions(whenLabels)}
              onChange={(when: typeof form.when) => change({ when })}
            />
          ) : null}
        </div>
        <Choices
          label="Channels"
          none="All channels"
          options={[...names]}
          chosen={form.channels}
          onChange={(chosen) => change({ channels: chosen })}
        />
        <Choices
          label="Webhooks"
          none="None; see the webhooks tab"
          options={webhooks.map((webhook) => [webhook.id, webhookName(webhook)])}
          chosen={form.webhooks}
          onChange={(chosen) => change({ webhooks: chosen })}
        />
        <p class="small muted">{ruleInWords(bodyOf(form), (id) => names.get(id) ?? id)}</p>
        <FormError error={save.error} />
        <DialogButtons isBusy={save.isBusy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
