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
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';
import { ruleInWords } from './alertRules.ts';
import { RuleDialog } from './RuleDialog.tsx';
import { webhookName } from './webhookName.ts';

type RuleCardProps = {
  readonly rule: AlertRuleResponse;
  readonly nameOf: (id: string) => string;
  readonly webhookOf: (id: string) => string;
  onEdit(): void;
  onChanged(): void;
};

function RuleCard({ rule, nameOf, webhookOf, onEdit, onChanged }: RuleCardProps) {
  const path = `/alert-rules/${encodeURIComponent(rule.id)}`;
  const change = useAction(async (enabled: boolean) => {
    await call('PATCH', path, { body: { enabled } });
    onChanged();
  });
  const remove = async () => {
    await call('DELETE', path);
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
  const rules = useGet<AlertRuleResponse[]>('/alert-rules');
  const channels = useGetAll<ChannelResponse>('/channels');
  const webhooks = useGet<WebhookResponse[]>('/webhooks');
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
