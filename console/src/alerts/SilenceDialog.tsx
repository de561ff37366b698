// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { Dialog, DialogButtons } from '../components/dialogs/Dialog.tsx';
import { Form, FormError } from '../components/forms/Form.tsx';
import { fieldError } from '../components/forms/fieldErrors.ts';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
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
  const [minutes, setMinutes] = useState<Duration>('60');
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const silence = useAction(async () => {
    const end =
      minutes === 'until' ? { until: new Date(fromLocalText(until) ?? 0).toISOString() } : { minutes: Number(minutes) };
    const body = { ...end, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) };
    if (others.length === 0) await call('POST', '/alerts/{id}/silence', { path: { id: first.id }, body });
    else await call('POST', '/silences', { body: { rule: first.rule, ...body } });
    onSilenced();
  });
  const { rule, channel } = first.event;
  const what = others.length === 0 ? `${rule.name} on ${channel.name ?? channel.id}` : `${rule.name} on all channels`;
  return (
    <Dialog title="Silence" onClose={onClose}>
      <Form onSubmit={() => void silence.run()}>
        <p>{what}: nothing is sent while it is silenced. Alerts that still fire at its end are sent then.</p>
        <SelectField
          label="For"
          value={minutes}
          options={toOptions<Duration>(durations)}
          onChange={(next: Duration) => setMinutes(next)}
        />
        {minutes === 'until' ? (
          <TextField
            label="Until"
            type="datetime-local"
            value={until}
            isRequired
            error={fieldError(silence.fields, '/until')}
            hint={`Time zone: ${timeZone().replaceAll('_', ' ')}.`}
            onInput={setUntil}
          />
        ) : null}
        <TextField label="Reason" value={reason} error={fieldError(silence.fields, '/reason')} onInput={setReason} />
        <FormError error={silence.error} />
        <DialogButtons label="Silence" isBusy={silence.isBusy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
