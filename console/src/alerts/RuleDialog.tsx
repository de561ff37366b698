// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import type { AlertRuleResponse } from '../../../src/platform/alerts/contract/alertContract.ts';
import type { WebhookResponse } from '../../../src/platform/alerts/contract/webhookContract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { Dialog } from '../components/dialogs/Dialog.tsx';
import { DialogButtons } from '../components/dialogs/DialogButtons.tsx';
import { Choices } from '../components/forms/Choices.tsx';
import { Form } from '../components/forms/Form.tsx';
import { FormError } from '../components/forms/FormError.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { NumberField } from '../components/forms/NumberField.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import {
  type AlertKind,
  bodyOf,
  formOf,
  kindLabels,
  newRuleForm,
  numberLabels,
  numbersOf,
  ruleInWords,
} from './alertRules.ts';
import { webhookName } from './webhookName.ts';

type RuleDialogProps = {
  readonly rule: AlertRuleResponse | undefined;
  readonly channels: readonly ChannelResponse[];
  readonly webhooks: readonly WebhookResponse[];
  onClose(): void;
};

const outcomeLabels = { failed: 'Errors and timeouts', timeout: 'Timeouts' } as const;
const whenLabels = { failing: 'Failing or stalled', slate: 'Slate shown' } as const;

/** Creates or edits a rule. @param rule undefined for a new one */
export function RuleDialog({ rule, channels, webhooks, onClose }: RuleDialogProps) {
  const [form, setForm] = useState(rule === undefined ? newRuleForm() : formOf(rule));
  const change = (changes: Partial<typeof form>) => setForm({ ...form, ...changes });
  const { kind, numbers } = form;
  const fields = [...(Object.keys(numbersOf[kind]) as (keyof typeof numberLabels)[]), 'repeatMinutes' as const];
  const names = new Map(channels.map(({ id, name }) => [id, name || id]));
  const save = useAction(async () => {
    const body = bodyOf(form);
    if (rule === undefined) await call('POST', '/alert-rules', { body });
    else
      await call('PUT', `/alert-rules/${encodeURIComponent(rule.id)}`, {
        body: { ...body, enabled: rule.enabled },
      });
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
            onChange={(next: AlertKind) => change({ kind: next, numbers: numbersOf[next] })}
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
