// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { ScheduleResponse } from '../../../src/platform/schedules/contract/scheduleContract.ts';
import type { FieldError } from '../api/apiError.ts';
import { serverNow } from '../api/serverClock.ts';
import { Button } from '../components/buttons/Button.tsx';
import type { Row } from '../schedule/scheduleView.ts';
import { EntryPanel } from './EntryPanel.tsx';
import { type Block, isProgramme, localWarning, warnedEntry } from './programmeBlocks.ts';
import {
  type Draft,
  type Entry,
  entriesOf,
  newId,
  programmeName,
  putEntry,
  putSettings,
  type Rule,
  removeEntry,
  settingsOf,
} from './programmeDraft.ts';
import { RepeatDialog } from './RepeatDialog.tsx';
import { newRule, RulePanel } from './RulePanel.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';
import { WeekGrid } from './WeekGrid.tsx';
import type { Zoom } from './WeekToolbar.tsx';

type WeekEditorProps = {
  readonly days: readonly Row[];
  readonly blocks: readonly Block[];
  readonly warnings: readonly string[];
  readonly now: number;
  readonly visibleHours: number;
  readonly stored: ScheduleResponse;
  readonly draft: Draft;
  readonly errors: readonly FieldError[];
  onEdit(change: (before: Draft) => Draft): void;
  onZoom(zoom: Zoom): void;
};

const iso = (time: number): string => new Date(time).toISOString();

/** The week, next to what is selected in it: a programme, a rule, or the settings of the schedule. */
export function WeekEditor(props: WeekEditorProps) {
  const { days, blocks, warnings, now, visibleHours, stored, draft, errors, onEdit, onZoom } = props;
  /** The id of an entry or a rule. */
  const [selected, setSelected] = useState<string>();
  const [repeating, setRepeating] = useState<{ readonly entry: Entry; readonly start: number }>();
  const entries = entriesOf(stored.entries, draft);
  const settings = settingsOf(stored, draft);
  const { rules = [] } = settings;
  const entry = entries.find(({ id }) => id === selected);
  const rule = rules.find(({ id }) => id === selected);
  const close = () => setSelected(undefined);

  const put = (changed: Entry, after?: string) => onEdit((before) => putEntry(before, stored.entries, changed, after));
  const putRules = (change: (before: readonly Rule[]) => Rule[]) =>
    onEdit((before) => putSettings(before, stored, { rules: change(settingsOf(stored, before).rules ?? []) }));
  const add = (start: number) => {
    const added: Entry = { id: newId('programme'), start: iso(start), source: { url: '' } };
    put(added);
    setSelected(added.id);
  };
  const copy = (id: string, starts: readonly number[]) => {
    const from = entries.find((one) => one.id === id);
    if (from === undefined) return;
    const copies = starts.map((start): Entry => ({ ...from, id: newId(programmeName(from)), start: iso(start) }));
    onEdit((before) => copies.reduce((draftBefore, one) => putEntry(draftBefore, stored.entries, one), before));
    if (copies.length === 1) setSelected(copies[0]?.id);
  };
  const remove = (id: string) => {
    onEdit((before) => removeEntry(before, id));
    if (id === selected) close();
  };
  const blockOf = (id: string | undefined) => blocks.find(({ entryId }) => entryId !== undefined && entryId === id);
  const block = blockOf(entry?.id);
  const change = ({ entryId }: Block, changed: Partial<Entry>) => {
    const of = entries.find(({ id }) => id === entryId);
    if (of !== undefined) put({ ...of, ...changed });
  };
  const startOf = (of: Entry): number =>
    of.start === undefined ? (blockOf(of.id)?.from ?? now) : Date.parse(of.start);

  return (
    <div class="columns week">
      <div class="stack tight">
        <WeekGrid
          days={days}
          blocks={blocks}
          now={now}
          visibleHours={visibleHours}
          selected={selected}
          onSelect={({ entryId, ruleId }) => setSelected(ruleId ?? entryId)}
          onAdd={add}
          onMove={(moved, start) => change(moved, { start: iso(start) })}
          onCopy={(id, start) => copy(id, [start])}
          onResize={(resized, duration) => change(resized, { duration })}
          onRemove={({ entryId }) => entryId !== undefined && remove(entryId)}
          onZoomIn={() => onZoom(visibleHours > 4 ? '4' : '1')}
        />
        <p class="small muted">
          Drag to move, with Ctrl to copy, with Alt by seconds. The lower edge sets the duration. Press ? for the keys.
        </p>
      </div>
      <div class="stack sidebar">
        {warnings.length > 0 ? <ProgrammeWarnings warnings={warnings} onOpen={setSelected} /> : null}
        {rule ? (
          <RulePanel
            key={rule.id}
            rule={rule}
            path={`/rules/${rules.indexOf(rule)}`}
            errors={errors}
            onChange={(next) => putRules((all) => all.map((one) => (one.id === next.id ? next : one)))}
            onRemove={() => {
              putRules((all) => all.filter(({ id }) => id !== rule.id));
              close();
            }}
            onClose={close}
          />
        ) : entry ? (
          <EntryPanel
            key={entry.id}
            entry={entry}
            block={block}
            path={`/entries/${draft.put.findIndex((one) => one.entry.id === entry.id)}`}
            errors={errors}
            previousId={previousId(blocks, block)}
            onChange={put}
            onCopy={() => copy(entry.id, [block?.to ?? startOf(entry)])}
            onRepeat={() => setRepeating({ entry, start: startOf(entry) })}
            onRemove={() => remove(entry.id)}
            onClose={close}
          />
        ) : (
          <>
            <div>
              <Button icon="plus" onClick={() => add(nextStart(days, now))}>
                Add programme
              </Button>
            </div>
            <SettingsPanel
              settings={settings}
              errors={errors}
              onChange={(changed) => onEdit((before) => putSettings(before, stored, changed))}
              onAddRule={() => {
                const added = newRule();
                putRules((all) => [...all, added]);
                setSelected(added.id);
              }}
              onRule={setSelected}
            />
          </>
        )}
      </div>
      {repeating ? (
        <RepeatDialog
          entry={repeating.entry}
          start={repeating.start}
          onRule={(added) => {
            onEdit((before) => {
              const all = settingsOf(stored, before).rules ?? [];
              return putSettings(removeEntry(before, repeating.entry.id), stored, { rules: [...all, added] });
            });
            setSelected(added.id);
          }}
          onCopies={(starts) => copy(repeating.entry.id, starts)}
          onClose={() => setRepeating(undefined)}
        />
      ) : null}
    </div>
  );
}

/** The programme before a block, which it can follow. Entries of rules have others after them each day. */
function previousId(blocks: readonly Block[], block: Block | undefined): string | undefined {
  const before = blocks.filter((one) => isProgramme(one) && block !== undefined && one.from < block.from).at(-1);
  return before?.ruleId === undefined ? before?.entryId : undefined;
}

/** The next full hour, or the start of another week. */
const nextStart = (days: readonly Row[], now: number): number => {
  const hour = Math.ceil(Math.max(now, serverNow()) / 3_600_000) * 3_600_000;
  return Math.max(days[0]?.from ?? hour, (days.at(-1)?.to ?? 0) > hour ? hour : 0);
};

type ProgrammeWarningsProps = { readonly warnings: readonly string[]; onOpen(id: string): void };

/** What will not be shown as planned. Those about a programme lead to it. */
const ProgrammeWarnings = ({ warnings, onOpen }: ProgrammeWarningsProps) => (
  <section class="card week-warnings" aria-label="Warnings">
    <header>
      <h2>Warnings</h2>
      <span class="badge warn">{warnings.length}</span>
    </header>
    <ul class="draft-warnings stack tight">
      {warnings.map((warning) => {
        const id = warnedEntry(warning);
        const text = localWarning(warning);
        return (
          <li key={warning}>
            {id === undefined ? (
              text
            ) : (
              <button type="button" class="link wraps" onClick={() => onOpen(id.replace(/@.*/, ''))}>
                {text}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  </section>
);
