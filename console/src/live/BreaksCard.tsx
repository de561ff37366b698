// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import type { LiveBreaks } from '../../../src/http/contract/liveContract.ts';
import { call } from '../api/call.ts';
import { serverNow, useNow } from '../api/serverClock.ts';
import { useAction } from '../api/useAction.ts';
import { POLL, useGet, useGetAll, useLatest } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { ConfirmButton } from '../components/dialogs/ConfirmButton.tsx';
import { FormDialog } from '../components/dialogs/FormDialog.tsx';
import { Badge } from '../components/feedback/Badge.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { formFields } from '../components/forms/formFields.ts';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { Pagination } from '../components/layout/Pagination.tsx';
import { type Column, Table } from '../components/layout/Table.tsx';
import { formatDateTimeSeconds, formatDuration, formatTimecode } from '../format/time.ts';
import { timeZone } from '../format/timeZone.ts';
import { localText } from '../format/zonedTime.ts';
import { useQueryState } from '../navigation/useQueryState.ts';
import { type BreakProps, BreakRow, orderBreak } from './BreakRow.tsx';
import { breakSource, breakViewers } from './breakNames.ts';
import { breakEnd, breakState } from './breakState.ts';
import {
  type InsertionForm,
  type InsertionKind,
  insertionBody,
  insertionEffect,
  maxBreakDuration,
  viewersText,
} from './insertion.ts';
import { breakKey, mergeInserted } from './mergeInserted.ts';

const PAGE_SIZE = 10;
const kinds: readonly InsertionKind[] = ['ads', 'blackout'];

/** The breaks of a channel as they come: what is on air, a list, and buttons to insert and to end one. */
export function BreaksCard({ channel }: { readonly channel: ChannelResponse }) {
  const [offset, setOffset] = useState(0);
  // In the address, so that other pages can open the dialog.
  const [{ insert }, changeQuery] = useQueryState({ insert: '' });
  const inserting = kinds.find((kind) => kind === insert);
  const setInserting = (kind?: InsertionKind) => changeQuery({ insert: kind ?? '' });
  const [announcement, setAnnouncement] = useState('');
  const request = { path: { id: channel.id }, query: { offset, limit: PAGE_SIZE } };
  const breaks = useGet('/channels/{id}/breaks', request, POLL.active);
  const listed = useLatest(breaks.data);
  const now = useNow();
  const longest = maxBreakDuration(channel);
  const items = mergeInserted(listed?.items ?? []);
  const onAir = items.filter((each) => breakState(each, now, longest) === 'onAir');
  const isLive = channel.type === 'live';
  const report = (text: string) => {
    setAnnouncement(text);
    breaks.reload();
  };
  return (
    <section class="card stack tight breaks" aria-label="Breaks">
      <header>
        <h2>{isLive ? 'Breaks' : 'Inserted breaks'}</h2>
        {channel.state === 'disabled' ? null : (
          <div class="actions">
            <Button icon="plus" isSmall requires="operate" onClick={() => setInserting('ads')}>
              Insert break
            </Button>
            <Button isSmall requires="operate" onClick={() => setInserting('blackout')}>
              Blackout
            </Button>
          </div>
        )}
      </header>
      <LoadState of={breaks} lines={2} />
      {onAir.map((each) => (
        <OnAirBreak key={breakKey(each)} of={each} channel={channel} now={now} onEnded={report} />
      ))}
      {listed && items.length === 0 ? <p class="muted">No breaks yet</p> : null}
      {items.length > 0 ? (
        <Table columns={columns} isFocusable>
          {items.map((each) => (
            <BreakRow
              key={breakKey(each)}
              of={each}
              channel={channel}
              now={now}
              columns={columns.length}
              onCancelled={report}
            />
          ))}
        </Table>
      ) : null}
      {listed ? <Pagination offset={offset} limit={PAGE_SIZE} total={listed.total} onChange={setOffset} /> : null}
      <BreakWarnings warnings={listed?.warnings ?? []} />
      <p class="visually-hidden" role="status">
        {announcement}
      </p>
      {inserting === undefined || channel.state === 'disabled' ? null : (
        <InsertDialog
          channel={channel}
          kind={inserting}
          onClose={() => setInserting(undefined)}
          onInserted={(text) => {
            setInserting(undefined);
            report(text);
          }}
        />
      )}
    </section>
  );
}

const MAX_WARNINGS = 5;

/** The newest markers that were not used as written. */
const BreakWarnings = ({ warnings }: Pick<LiveBreaks, 'warnings'>) =>
  warnings.length === 0 ? null : (
    <Notice tone="warn">
      <ul class="small">
        {warnings.slice(0, MAX_WARNINGS).map(({ origin, line, text, at }) => (
          <li key={`${origin} ${line} ${at} ${text}`}>
            {formatDateTimeSeconds(at)}, line {line}: {text}
          </li>
        ))}
      </ul>
    </Notice>
  );

const columns: readonly Column[] = [
  { label: 'Start' },
  { label: 'Status' },
  { label: 'Duration' },
  { label: 'Source', kind: 'wide' },
  { label: 'Viewers', kind: 'wide' },
  { label: 'Actions', isHidden: true },
];

type OnAirBreakProps = BreakProps & { onEnded(announcement: string): void };

/** The break on air, with the time that is left and a button that ends it. */
function OnAirBreak({ of, channel, now, onEnded }: OnAirBreakProps) {
  const viewers = viewersText(useViewers(channel.id));
  const start = Date.parse(of.startsAt);
  const end = breakEnd(of, maxBreakDuration(channel));
  const isBlackout = of.kind === 'blackout';
  const elapsed = Math.max(0, (now - start) / 1000);
  const name = isBlackout ? 'blackout' : 'break';
  return (
    <section class={`break-on-air ${of.kind ?? 'ads'}`} aria-label={isBlackout ? 'Blackout on air' : 'Break on air'}>
      <div class="row">
        <Badge tone={isBlackout ? 'calm' : 'ad'}>{isBlackout ? 'Blackout' : 'Break'} on air</Badge>
        <strong class="number">
          {end === undefined ? formatTimecode(elapsed) : `${formatTimecode(Math.max(0, (end - now) / 1000))} left`}
        </strong>
        <span class="small muted">
          {breakSource(of)}
          {of.viewers && !isBlackout ? `, ${breakViewers(of)}` : ''}
          {end === undefined ? ', until it is ended' : ''}
        </span>
      </div>
      <ConfirmButton
        requires="operate"
        label={`End ${name}`}
        title={`End this ${name}?`}
        message={
          isBlackout
            ? `${viewers} will return to the content at the next segment border.`
            : `${viewers} will return to the content at the next segment border. The ad on air is cut; ads after it are not shown.`
        }
        act={() => orderBreak(channel.id, 'end', of)}
        onDone={() => onEnded(isBlackout ? 'Blackout ends' : 'Break ends')}
      />
      {end === undefined ? null : (
        <progress max={(end - start) / 1000} value={Math.min(elapsed, (end - start) / 1000)} aria-label="Elapsed" />
      )}
    </section>
  );
}

type InsertDialogProps = {
  readonly channel: ChannelResponse;
  readonly kind: InsertionKind;
  onClose(): void;
  onInserted(announcement: string): void;
};

const starts: Readonly<Record<InsertionForm['start'], string>> = { now: 'Now', later: 'At a time' };
const shown: Readonly<Record<InsertionKind, string>> = { ads: 'Ads', blackout: 'Blackout' };
/** Seconds, in the fields of a new break. A blackout lasts until it is ended. */
const durations: Readonly<Record<InsertionKind, string>> = { ads: '30', blackout: '' };
/** How far ahead the field for the time starts. */
const AHEAD_MS = 60_000;

/** Inserts a break or a blackout. It states what viewers will see before anything is sent. */
function InsertDialog({ channel, kind, onClose, onInserted }: InsertDialogProps) {
  const [form, setForm] = useState<InsertionForm>(() => ({
    kind,
    start: 'now',
    asset: '',
    duration: durations[kind],
    startsAt: localText(serverNow() + AHEAD_MS),
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

/** The number of viewers of a channel; undefined until it is known. */
const useViewers = (channelId: string): number | undefined =>
  useGetAll('/on-air', POLL.slow).data?.find(({ id }) => id === channelId)?.viewers;
