// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { runbookPath } from '../../../src/platform/alerts/contract/alertValues.ts';
import type { SilenceResponse } from '../../../src/platform/alerts/contract/silenceContract.ts';
import { call } from '../api/call.ts';
import { useMe } from '../api/me.ts';
import { useRecordNames } from '../api/recordNames.ts';
import { useAction } from '../api/useAction.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { FormDialog } from '../components/dialogs/FormDialog.tsx';
import { Badge, StatusBadge } from '../components/feedback/Badge.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { formFields } from '../components/forms/formFields.ts';
import { SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { formatDateTime } from '../format/time.ts';
import { timeZone } from '../format/timeZone.ts';
import { fromLocalText } from '../format/zonedTime.ts';
import { type AlertGroup, alertTitle, type FiringAlert, factsOf, groupAlerts } from './alertGroups.ts';
import { severityStatuses } from './severities.ts';
import { useAlerts } from './useAlerts.ts';

/** Channels of a group that are seen at once. */
const FEW = 8;

/** What people have done about an alert. */
const Handling = ({ alert: { acknowledged, silenced } }: { readonly alert: FiringAlert }) => (
  <>
    {acknowledged === undefined ? null : (
      <span class="small">
        <Badge tone="info">Acknowledged</Badge> by {acknowledged.by}, {formatDateTime(acknowledged.at)}{' '}
      </span>
    )}
    {silenced === undefined ? null : (
      <span class="small">
        <Badge tone="calm">Silenced</Badge> by {silenced.by} until {formatDateTime(silenced.until)}
      </span>
    )}
  </>
);

type AlertRowsProps = { readonly alerts: readonly FiringAlert[]; nameOf(channel: string): string };

const AlertRows = ({ alerts, nameOf }: AlertRowsProps) => (
  <ul class="stack tight">
    {alerts.map((alert) => (
      <li key={alert.id}>
        <Link href={`/channels/${encodeURIComponent(alert.channel)}`}>{nameOf(alert.channel)}</Link>{' '}
        <span class="small muted">{factsOf(alert)}</span> <Handling alert={alert} />
      </li>
    ))}
  </ul>
);

/** Acknowledges and silences all alerts of a group. */
function GroupActions({ group, onChanged }: { readonly group: AlertGroup; onChanged(): void }) {
  const [isSilencing, setSilencing] = useState(false);
  const open = group.filter(({ acknowledged }) => acknowledged === undefined);
  const silenced = group.filter((alert) => alert.silenced !== undefined);
  const acknowledge = useAction(async () => {
    for (const { id } of open) await call('POST', '/alerts/{id}/acknowledge', { path: { id } });
    onChanged();
  });
  const unsilence = useAction(async () => {
    const [first, ...others] = group;
    // The API refuses to end a silence of more alerts than this one.
    if (others.length === 0) await call('DELETE', '/alerts/{id}/silence', { path: { id: first.id } });
    else
      for (const id of new Set(silenced.flatMap((alert) => (alert.silenced ? [alert.silenced.id] : []))))
        await call('DELETE', '/silences/{id}', { path: { id } });
    onChanged();
  });
  return (
    <div class="actions end">
      {open.length === 0 ? null : (
        <Button isSmall requires="operate" action={acknowledge}>
          {open.length > 1 ? 'Acknowledge all' : 'Acknowledge'}
        </Button>
      )}
      {silenced.length > 0 ? (
        <Button isSmall requires="operate" action={unsilence}>
          Unsilence
        </Button>
      ) : (
        <Button isSmall requires="operate" onClick={() => setSilencing(true)}>
          Silence…
        </Button>
      )}
      <ErrorNotice error={acknowledge.error ?? unsilence.error} />
      {isSilencing ? (
        <SilenceDialog
          group={group}
          onClose={() => setSilencing(false)}
          onSilenced={() => {
            setSilencing(false);
            onChanged();
          }}
        />
      ) : null}
    </div>
  );
}

type CardProps = { readonly group: AlertGroup; nameOf(channel: string): string; onChanged(): void };

/** The alerts of one rule: what is wrong, on which channels, since when, and what was done about it. */
function AlertCard({ group, nameOf, onChanged }: CardProps) {
  const [first] = group;
  const { severity, event } = first;
  return (
    <li class="card">
      <StatusBadge status={severityStatuses[severity]} />
      <div class="stack tight">
        <h2>{alertTitle(group)}</h2>
        <p class="small muted">Since {formatDateTime(first.since)}</p>
        <AlertRows alerts={group.slice(0, FEW)} nameOf={nameOf} />
        {group.length > FEW ? (
          <details>
            <summary>{group.length - FEW} more</summary>
            <AlertRows alerts={group.slice(FEW)} nameOf={nameOf} />
          </details>
        ) : null}
        <p class="small">
          {/* A rule with a runbook of its own has an absolute URL. */}
          <a href={event.runbook ?? runbookPath(event.rule.kind)} target="_blank" rel="noreferrer">
            Runbook
          </a>
        </p>
      </div>
      <GroupActions group={group} onChanged={onChanged} />
    </li>
  );
}

/** The alerts that are firing, by rule, and the silences. */
export function FiringAlerts() {
  const alerts = useAlerts();
  const groups = alerts.data && groupAlerts(alerts.data);
  const nameOf = useRecordNames('channels', groups?.flatMap((group) => group.map(({ channel }) => channel)) ?? []);
  const [changes, setChanges] = useState(0);
  const changed = () => {
    alerts.reload();
    setChanges((count) => count + 1);
  };
  return (
    <>
      <LoadState of={alerts} />
      {groups?.length === 0 ? (
        <EmptyState icon="check" title="No alerts">
          <p>
            <Link href="/alerts/rules">Rules</Link> define what is checked.
          </p>
        </EmptyState>
      ) : null}
      <ul class="alerts">
        {groups?.map((group) => (
          <AlertCard key={group[0].rule} group={group} nameOf={nameOf} onChanged={changed} />
        ))}
      </ul>
      <Silences key={changes} onChanged={alerts.reload} />
    </>
  );
}

/** By minutes. */
const durations = {
  '30': '30 minutes',
  '60': '1 hour',
  '240': '4 hours',
  '480': '8 hours',
  '720': '12 hours',
  '1440': '1 day',
  '4320': '3 days',
  '10080': '1 week',
  until: 'Until a time',
} as const;

type Duration = keyof typeof durations;

type SilenceDialogProps = { readonly group: AlertGroup; onClose(): void; onSilenced(): void };

/** Silences one alert, or the rule of several. */
function SilenceDialog({ group, onClose, onSilenced }: SilenceDialogProps) {
  const [first, ...others] = group;
  const [form, setForm] = useState({ minutes: '60' as Duration, until: '', reason: '' });
  const { minutes, until, reason } = form;
  const silence = useAction(async () => {
    const end =
      minutes === 'until' ? { until: new Date(fromLocalText(until) ?? 0).toISOString() } : { minutes: Number(minutes) };
    const body = { ...end, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) };
    if (others.length === 0) await call('POST', '/alerts/{id}/silence', { path: { id: first.id }, body });
    else await call('POST', '/silences', { body: { rule: first.rule, ...body } });
    onSilenced();
  });
  const { field, choice } = formFields(form, silence.fields, (changed) => setForm({ ...form, ...changed }));
  const { rule, channel } = first.event;
  const what = others.length === 0 ? `${rule.name} on ${channel.name ?? channel.id}` : `${rule.name} on all channels`;
  return (
    <FormDialog title="Silence" action={silence} label="Silence" onClose={onClose}>
      <p>{what}: nothing is sent while it is silenced. Alerts that still fire at its end are sent then.</p>
      <SelectField label="For" {...choice('minutes', durations)} />
      {minutes === 'until' ? (
        <TextField
          label="Until"
          type="datetime-local"
          {...field('until')}
          isRequired
          hint={`Time zone: ${timeZone().replaceAll('_', ' ')}.`}
        />
      ) : null}
      <TextField label="Reason" {...field('reason')} />
    </FormDialog>
  );
}

type SilenceRowProps = { readonly silence: SilenceResponse; readonly what: string; onEnded(): void };

function SilenceRow({ silence: { id, until, createdBy, reason }, what, onEnded }: SilenceRowProps) {
  const end = useAction(async () => {
    await call('DELETE', '/silences/{id}', { path: { id } });
    onEnded();
  });
  return (
    <li class="row between">
      <span>
        {what}{' '}
        <span class="small muted">
          until {formatDateTime(until)}, by {createdBy}
          {reason === undefined ? '' : `: ${reason}`}
        </span>
      </span>
      <Button isSmall requires="operate" action={end}>
        End
      </Button>
      <ErrorNotice error={end.error} />
    </li>
  );
}

/** What is silenced, whether it fires or not. */
function Silences({ onChanged }: { onChanged(): void }) {
  const isReadable = useMe()?.channels === undefined;
  const silences = useGet('/silences', isReadable ? {} : null, POLL.minute);
  const rules = useGet('/alert-rules', isReadable && silences.data?.length ? {} : null);
  const all = silences.data ?? [];
  const channelName = useRecordNames(
    'channels',
    all.flatMap(({ channel }) => (channel === undefined ? [] : [channel])),
  );
  const whatOf = ({ rule, channel, label }: SilenceResponse): string =>
    [
      rule === undefined ? 'All rules' : (rules.data?.find(({ id }) => id === rule)?.name ?? rule),
      ...(channel === undefined ? [] : [`on ${channelName(channel)}`]),
      ...(label === undefined ? [] : [`with the label ${label}`]),
    ].join(' ');
  if (all.length === 0) return <ErrorNotice error={silences.error} />;
  return (
    <section class="card silenced">
      <h2>Silences</h2>
      <ul class="stack tight">
        {all.map((silence) => (
          <SilenceRow
            key={silence.id}
            silence={silence}
            what={whatOf(silence)}
            onEnded={() => {
              silences.reload();
              onChanged();
            }}
          />
        ))}
      </ul>
    </section>
  );
}
