// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { FormDialog } from '../components/dialogs/FormDialog.tsx';
import { formFields } from '../components/forms/formFields.ts';
import { SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { timeZone } from '../format/timeZone.ts';
import { fromLocalText } from '../format/zonedTime.ts';
import type { AlertGroup } from './alertGroups.ts';

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
export function SilenceDialog({ group, onClose, onSilenced }: SilenceDialogProps) {
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
