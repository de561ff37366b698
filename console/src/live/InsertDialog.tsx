// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { call } from '../api/call.ts';
import { serverNow } from '../api/serverClock.ts';
import { useAction } from '../api/useAction.ts';
import { FormDialog } from '../components/dialogs/FormDialog.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { formFields } from '../components/forms/formFields.ts';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { formatDuration } from '../format/time.ts';
import { timeZone } from '../format/timeZone.ts';
import {
  type InsertionForm,
  type InsertionKind,
  insertionBody,
  insertionEffect,
  localTimeValue,
  maxBreakDuration,
} from './insertion.ts';
import { useViewers } from './useViewers.ts';

type InsertDialogProps = {
  readonly channel: ChannelResponse;
  readonly kind: InsertionKind;
  onClose(): void;
  onInserted(announcement: string): void;
};

const starts: readonly (readonly [InsertionForm['start'], string])[] = [
  ['now', 'Now'],
  ['later', 'At a time'],
];
const shown: readonly (readonly [InsertionKind, string])[] = [
  ['ads', 'Ads'],
  ['blackout', 'Blackout'],
];
/** Seconds, in the fields of a new break. A blackout lasts until it is ended. */
const durations: Readonly<Record<InsertionKind, string>> = { ads: '30', blackout: '' };
/** How far ahead the field for the time starts. */
const AHEAD_MS = 60_000;

/** Inserts a break or a blackout. It states what viewers will see before anything is sent. */
export function InsertDialog({ channel, kind, onClose, onInserted }: InsertDialogProps) {
  const [form, setForm] = useState<InsertionForm>(() => ({
    kind,
    start: 'now',
    asset: '',
    duration: durations[kind],
    startsAt: localTimeValue(serverNow() + AHEAD_MS),
  }));
  const [idempotencyKey] = useState(newIdempotencyKey);
  const viewers = useViewers(channel.id);
  const set = (changed: Partial<InsertionForm>) => setForm((last) => ({ ...last, ...changed }));
  const isBlackout = form.kind === 'blackout';
  const hasNoAds = channel.problems?.find(({ kind: of }) => of === 'ad-server')?.text;
  const insert = useAction(async () => {
    const path = { id: channel.id };
    await call('POST', '/channels/{id}/breaks', { path, body: insertionBody(form), idempotencyKey });
    onInserted(isBlackout ? 'Blackout inserted' : 'Break inserted');
  });
  const { field } = formFields(form, insert.fields, set);
  return (
    <FormDialog
      title={isBlackout ? 'Blackout' : 'Insert break'}
      action={insert}
      label={isBlackout ? 'Start blackout' : 'Insert break'}
      requires="operate"
      onClose={onClose}
    >
      <SegmentedControl
        label="Show"
        value={form.kind}
        options={shown}
        onChange={(next) => set({ kind: next, duration: durations[next] })}
      />
      <div class="pair">
        <TextField
          label="Duration (s)"
          {...field('duration')}
          inputMode="decimal"
          hint={isBlackout ? 'Leave empty to end it yourself.' : `Up to ${formatDuration(maxBreakDuration(channel))}.`}
        />
        {isBlackout ? (
          <TextField
            label="Asset URL"
            type="url"
            {...field('asset')}
            hint="On-demand video, shown in a loop. Leave empty for slate."
          />
        ) : null}
      </div>
      <SegmentedControl label="Start" value={form.start} options={starts} onChange={(start) => set({ start })} />
      {form.start === 'later' ? (
        <TextField
          label="Start time"
          type="datetime-local"
          {...field('startsAt')}
          step={1}
          hint={`Time zone: ${timeZone().replaceAll('_', ' ')}.`}
        />
      ) : null}
      <Notice tone={isBlackout || hasNoAds !== undefined ? 'warn' : 'info'}>
        {insertionEffect(form, viewers, hasNoAds)}
      </Notice>
    </FormDialog>
  );
}

/** A random key. `randomUUID` is missing on pages that are served over plain HTTP. */
const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
