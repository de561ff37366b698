// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { AlertRuleResponse } from '../../../src/platform/alerts/contract/alertContract.ts';
import { defaultSeverities } from '../../../src/platform/alerts/contract/alertValues.ts';
import type { WebhookResponse } from '../../../src/platform/alerts/contract/webhookContract.ts';
import { call } from '../api/call.ts';
import { useRecordNames } from '../api/recordNames.ts';
import { useAction } from '../api/useAction.ts';
import { useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { ConfirmButton } from '../components/dialogs/ConfirmButton.tsx';
import { FormDialog } from '../components/dialogs/FormDialog.tsx';
import { StatusBadge } from '../components/feedback/Badge.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { errorWithin, fieldError } from '../components/forms/fieldErrors.ts';
import { formFields } from '../components/forms/formFields.ts';
import { NumberField } from '../components/forms/NumberField.tsx';
import { SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';
import { LabelsField } from '../components/pickers/LabelsField.tsx';
import { RecordChoices } from '../components/pickers/RecordChoices.tsx';
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
import { severityLabels, severityStatuses } from './severities.ts';

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
          <strong>{rule.name}</strong> <StatusBadge status={severityStatuses[rule.severity]} />
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
  const webhooks = useGet('/webhooks');
  const [edited, setEdited] = useState<AlertRuleResponse | 'new'>();
  const nameOf = useRecordNames('channels', rules.data?.flatMap(({ channels }) => channels) ?? []);
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
            nameOf={nameOf}
            webhookOf={(id) => webhookNames.get(id) ?? id}
            onEdit={() => setEdited(rule)}
            onChanged={rules.reload}
          />
        ))}
      </ul>
      {edited === undefined ? null : (
        <RuleDialog rule={edited === 'new' ? undefined : edited} webhooks={webhooks.data ?? []} onClose={close} />
      )}
    </>
  );
}

type RuleDialogProps = {
  readonly rule: AlertRuleResponse | undefined;
  readonly webhooks: readonly WebhookResponse[];
  onClose(): void;
};

const outcomeLabels = { failed: 'Errors and timeouts', timeout: 'Timeouts' } as const;
const whenLabels = { failing: 'Failing or stalled', slate: 'Slate shown' } as const;

/** Creates or edits a rule. @param rule undefined for a new one */
function RuleDialog({ rule, webhooks, onClose }: RuleDialogProps) {
  const [form, setForm] = useState(rule === undefined ? newRuleForm() : formOf(rule));
  const change = (changes: Partial<typeof form>) => setForm({ ...form, ...changes });
  const { kind, numbers } = form;
  const fields = [...(Object.keys(numbersOf(kind)) as (keyof typeof numberLabels)[]), 'repeatMinutes' as const];
  const nameOf = useRecordNames('channels', form.channels);
  const save = useAction(async () => {
    const body = bodyOf(form);
    if (rule === undefined) await call('POST', '/alert-rules', { body });
    else await call('PUT', '/alert-rules/{id}', { path: { id: rule.id }, body: { ...body, enabled: rule.enabled } });
    onClose();
  });
  const { field, choice } = formFields(form, save.fields, change);
  return (
    <FormDialog title={rule === undefined ? 'Add rule' : 'Edit rule'} action={save} onClose={onClose}>
      <div class="pair">
        <SelectField
          label="Kind"
          {...choice('kind', kindLabels)}
          onChange={(next: AlertKind) =>
            change({ kind: next, numbers: numbersOf(next), severity: defaultSeverities[next] })
          }
        />
        <TextField label="Name" {...field('name')} placeholder="From its fields" />
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
        {kind === 'ad-server' ? <SelectField label="Counted" {...choice('outcome', outcomeLabels)} /> : null}
        {kind === 'origin' ? <SelectField label="When" {...choice('when', whenLabels)} /> : null}
      </div>
      <RecordChoices
        label="Channels"
        kind="channels"
        none={form.labels.length === 0 ? 'All channels' : 'Those with the labels'}
        chosen={form.channels}
        error={errorWithin(save.fields, '/channels')}
        onChange={(chosen) => change({ channels: chosen })}
      />
      <LabelsField
        label="Labels"
        kind="channels"
        labels={form.labels}
        hint="Channels that have one of them are checked, too."
        error={errorWithin(save.fields, '/labels')}
        onChange={(labels) => change({ labels })}
      />
      <div class="pair">
        <SelectField label="Severity" {...choice('severity', severityLabels)} />
        <TextField label="Runbook" type="url" {...field('runbook')} placeholder="The page for the kind" />
      </div>
      <Choices
        label="Receivers"
        none="None; see the receivers tab"
        options={webhooks.map((webhook) => [webhook.id, webhookName(webhook)])}
        chosen={form.webhooks}
        onChange={(chosen) => change({ webhooks: chosen })}
      />
      <p class="small muted">{ruleInWords(bodyOf(form), nameOf)}</p>
    </FormDialog>
  );
}

type ChoicesProps = {
  readonly label: string;
  /** Shown while nothing is chosen. */
  readonly none: string;
  readonly options: readonly (readonly [id: string, name: string])[];
  readonly chosen: readonly string[];
  onChange(chosen: string[]): void;
};

/** Any number of several options. Chosen ones that no longer exist can be removed. */
function Choices({ label, none, options, chosen, onChange }: ChoicesProps) {
  const known = new Set(options.map(([id]) => id));
  const all = [...options, ...chosen.filter((id) => !known.has(id)).map((id) => [id, `${id} (deleted)`] as const)];
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      {chosen.length === 0 ? <p class="small muted">{none}</p> : null}
      {all.map(([id, name]) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(checked ? [...chosen, id] : chosen.filter((one) => one !== id))
            }
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
