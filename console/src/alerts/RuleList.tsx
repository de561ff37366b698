// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { AlertRuleResponse } from '../../../src/platform/alerts/contract/alertContract.ts';
import { call } from '../api/call.ts';
import { useRecordNames } from '../api/recordNames.ts';
import { useAction } from '../api/useAction.ts';
import { useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { ConfirmButton } from '../components/dialogs/ConfirmButton.tsx';
import { StatusBadge } from '../components/feedback/Badge.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';
import { ruleInWords, webhookName } from './alertRules.ts';
import { RuleDialog } from './RuleDialog.tsx';
import { severityStatuses } from './severities.ts';

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
