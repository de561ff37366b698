// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ScheduleTimeline } from '../../../src/platform/schedules/contract/scheduleContract.ts';
import { ApiError, isEditConflict } from '../api/apiError.ts';
import { call } from '../api/call.ts';
import { useNow } from '../api/serverClock.ts';
import { useAction } from '../api/useAction.ts';
import { POLL, useGet, useLatest } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { FormError } from '../components/forms/Form.tsx';
import { plural } from '../format/numbers.ts';
import { useLeaveGuard } from '../navigation/unsavedChanges.ts';
import { useQueryState } from '../navigation/useQueryState.ts';
import { useKnownChecks } from '../playlists/useSourceCheck.ts';
import { instantOf, rowsAt, spanOf } from '../schedule/scheduleView.ts';
import { UndoButtons } from '../undo/UndoButtons.tsx';
import { useHistory } from '../undo/useHistory.ts';
import { ConflictDialog } from './ConflictDialog.tsx';
import { ProgrammeHeader } from './ProgrammeHeader.tsx';
import { blocksOf, estimateBlocks, lengthsOf } from './programmeBlocks.ts';
import { countChanges, type Draft, editedField, entriesOf, noChanges, patchOf, rebase } from './programmeDraft.ts';
import { ExportDialog, ImportDialog } from './TransferDialogs.tsx';
import { offerUndo } from './undoChange.ts';
import { WeekEditor } from './WeekEditor.tsx';
import { WeekToolbar, type Zoom, zooms } from './WeekToolbar.tsx';
import './programme.css';

const PATH = '/channels/{id}/schedule';

/** What is on air and planned in a week of a linear channel, and its changes before they are saved. */
export function WeekPage({ id }: { readonly id: string }) {
  const path = { id };
  const [query, changeQuery] = useQueryState({ week: '', zoom: '12' }, true);
  const now = useNow(POLL.slow);
  const visibleHours = Number(query.zoom in zooms ? query.zoom : '12');
  const week = rowsAt('week', instantOf(query.week, now));
  const { from, to } = spanOf(week);
  const days = useMemo(() => week, [from, to]);
  const range = { from: String(from), to: String(to) };
  const stored = useGet(PATH, { path, query: range });
  const [transfer, setTransfer] = useState<'import' | 'export'>();
  const transferred = { id, week: { from, to }, onClose: () => setTransfer(undefined) };
  const isThisWeek = now >= from && now < to;
  const isMissing = stored.error instanceof ApiError && stored.error.status === 404;
  const timeline = useGet(
    `${PATH}/timeline`,
    stored.data === undefined ? null : { path, query: range },
    isThisWeek ? POLL.minute : undefined,
  );
  const [checked, setChecked] = useState<{ readonly draft: Draft; readonly timeline: ScheduleTimeline }>();
  const history = useHistory<Draft>(noChanges, editedField, () => {
    check.clear();
    save.clear();
  });
  const draft = history.value ?? noChanges;
  const count = countChanges(draft);
  /** The version that the draft changes: that which was read before the first change. */
  const base = useRef<string | null>(null);
  if (count === 0) base.current = stored.etag;
  /** The settings of that version. */
  const settings = useLatest(stored.data);
  const known = useRef(settings);
  if (count === 0) known.current = settings;

  const reload = () => {
    stored.reload();
    timeline.reload();
  };
  const check = useAction(async () => {
    const request = { path, query: { ...range, dryRun: 'true' as const }, body: patchOf(draft), ifMatch: base.current };
    const { body } = await call('PATCH', PATH, request);
    // With `dryRun`, the response is a timeline.
    setChecked({ draft, timeline: body as unknown as ScheduleTimeline });
  });
  const save = useAction(async () => {
    check.clear();
    const response = await call('PATCH', PATH, { path, query: range, body: patchOf(draft), ifMatch: base.current });
    stored.replace(response);
    timeline.reload();
    history.start(noChanges);
    const text = `${plural(count, 'change')} saved.`;
    offerUndo({ id, etag: response.etag, text, undone: 'Changes undone.', onUndone: reload });
  });
  useLeaveGuard(count > 0 && !save.isBusy);
  const edit = (change: (before: Draft) => Draft) => {
    check.clear();
    save.clear();
    history.edit(change);
  };

  const checks = useKnownChecks();
  const blocks = useMemo(() => {
    if (stored.data === undefined || timeline.data === undefined) return undefined;
    const planned = blocksOf(timeline.data, stored.data.entries);
    if (count === 0) return planned;
    const entries = entriesOf(stored.data.entries, draft);
    if (checked?.draft === draft && Date.parse(checked.timeline.from) < to) {
      // A dry run begins now: what was on air before stays.
      const begin = Date.parse(checked.timeline.from);
      const shown = blocksOf(checked.timeline, entries).filter((block) => block.from < to && block.to > from);
      return [...planned.filter((block) => block.to <= begin), ...shown];
    }
    const secondsOf = (url: string) => checks.get(url)?.duration;
    return estimateBlocks(entries, planned, lengthsOf(planned, stored.data.entries), secondsOf, { from, to });
  }, [stored.data, timeline.data, draft, checked, checks, from, to]);
  const warnings = (checked?.draft === draft ? checked.timeline : timeline.data)?.warnings ?? [];
  const error = save.error ?? check.error;

  return (
    <>
      <ProgrammeHeader id={id} current="week">
        {isMissing ? null : (
          <>
            <Button
              isDisabled={count === 0}
              reason="There are no unsaved changes."
              onClick={() => edit(() => noChanges)}
            >
              Discard changes
            </Button>
            <UndoButtons history={history} />
            <Button
              kind="quiet"
              requires="operate"
              isDisabled={count > 0}
              reason="Save or discard your changes first."
              onClick={() => setTransfer('import')}
            >
              Import
            </Button>
            <Button kind="quiet" onClick={() => setTransfer('export')}>
              Export
            </Button>
            <Button requires="operate" isDisabled={count === 0} reason="There are no unsaved changes." action={check}>
              Check
            </Button>
            <Button
              kind="primary"
              requires="operate"
              isDisabled={count === 0}
              reason="There are no unsaved changes."
              action={save}
            >
              Save
            </Button>
          </>
        )}
      </ProgrammeHeader>
      {transfer === 'import' ? <ImportDialog {...transferred} etag={stored.etag} onImported={reload} /> : null}
      {transfer === 'export' ? <ExportDialog {...transferred} /> : null}
      <UnreadSources count={stored.data?.unread ?? 0} onRead={reload} />
      {isMissing ? <NoSchedule id={id} onStarted={reload} /> : <ErrorNotice error={stored.error} onRetry={reload} />}
      {isEditConflict(error) ? (
        <ConflictDialog
          id={id}
          onApply={(latest, etag) => {
            history.start(rebase(draft, known.current ?? {}, latest));
            base.current = etag;
            known.current = latest;
            check.clear();
            save.clear();
            reload();
          }}
          onDiscard={() => {
            edit(() => noChanges);
            reload();
          }}
          onClose={() => {
            check.clear();
            save.clear();
          }}
        />
      ) : (
        <FormError error={error} />
      )}
      {isMissing || stored.error !== undefined ? null : (
        // What is edited while changes are being saved would be lost.
        <section class="stack" aria-label="Week" inert={save.isBusy}>
          <WeekToolbar
            week={days}
            zoom={String(visibleHours) as Zoom}
            isThisWeek={isThisWeek}
            status={statusOf(count, checked?.draft === draft)}
            onZoom={(zoom) => changeQuery({ zoom })}
            onWeek={(next) => changeQuery({ week: next }, count === 0)}
          />
          <ErrorNotice error={timeline.error} onRetry={timeline.reload} />
          {stored.data === undefined || blocks === undefined ? (
            timeline.error === undefined ? (
              <Loading lines={12} />
            ) : null
          ) : (
            <WeekEditor
              days={days}
              blocks={blocks}
              warnings={warnings}
              now={now}
              visibleHours={visibleHours}
              stored={stored.data}
              draft={draft}
              errors={error === save.error ? save.fields : check.fields}
              onEdit={edit}
              onZoom={(zoom) => changeQuery({ zoom })}
            />
          )}
        </section>
      )}
    </>
  );
}

const statusOf = (count: number, isChecked: boolean): string => {
  if (count === 0) return '';
  return `${plural(count, 'unsaved change')}, ${isChecked ? 'checked' : 'not checked'}`;
};

/** The progress of reading the sources of what was imported or added. */
function UnreadSources({ count, onRead }: { readonly count: number; onRead(): void }) {
  useEffect(() => {
    if (count === 0) return;
    const timer = setTimeout(onRead, POLL.urgent);
    return () => clearTimeout(timer);
  });
  if (count === 0) return null;
  return (
    <Notice tone="info">{plural(count, 'source')} are being read. Their programmes get their lengths then.</Notice>
  );
}

/** A channel plays its playlist until it has a schedule. */
function NoSchedule({ id, onStarted }: { readonly id: string; onStarted(): void }) {
  const start = useAction(async () => {
    await call('PUT', PATH, { path: { id }, body: { entries: [] } });
    onStarted();
  });
  return (
    <EmptyState icon="clock" title="No schedule yet">
      <p>
        This channel plays its playlist in a loop. With a schedule, programmes start at their times, and the playlist
        fills the time between them.
      </p>
      <ErrorNotice error={start.error} />
      <Button kind="primary" icon="plus" requires="operate" action={start}>
        Start schedule
      </Button>
    </EmptyState>
  );
}
