// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { MAX_SOURCES_OF_STEP, MAX_STEPS } from '../../../src/http/contract/channelValues.ts';
import { useGetAll } from '../api/useGet.ts';
import {
  addSource,
  dropOnto,
  moveSource,
  newStep,
  nextPlace,
  type Place,
  placeText,
  removeSource,
  type StepRow,
  type StepRows,
} from '../channels/adSteps.ts';
import type { SettingProps } from '../channels/channelForm.ts';
import { Button } from '../components/buttons/Button.tsx';
import { focusMoveButton, MoveButtons, moveEntry, type Step } from '../components/buttons/MoveButtons.tsx';
import { errorWithin, fieldError } from '../components/forms/fieldErrors.ts';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { RecordPicker } from '../components/pickers/RecordPicker.tsx';
import { Grip } from '../components/pointer/Grip.tsx';
import { useDrag } from '../components/pointer/useDrag.ts';
import { sourceTypes } from '../demand/sourceTypes.ts';
import { limitHint } from '../format/limitHint.ts';
import './steps.css';

const requests: Readonly<Record<StepRow['request'], string>> = { rest: 'Rest of the break', break: 'Whole break' };

/** The steps of a channel, with their ad sources. */
export function StepFields({ form, errors, field, set }: SettingProps) {
  const rows = form.adSteps;
  const sources = useGetAll('/ad-sources');
  const [announcement, setAnnouncement] = useState('');
  const list = useRef<HTMLOListElement>(null);
  /** What to focus after a change: the button that has moved an entry, or the field that adds a source to a step. */
  const focus = useRef<{ readonly place: string; readonly by?: Step }>();
  useLayoutEffect(() => {
    const { place, by } = focus.current ?? {};
    focus.current = undefined;
    const entry = list.current?.querySelector(`[data-place="${place}"]`);
    if (by !== undefined) focusMoveButton(entry, by);
    else entry?.querySelector('input')?.focus();
  });
  const change = (next: StepRows) => set({ adSteps: next });
  const { handlers, isOver } = useDrag((from, to) => change(dropOnto(rows, from, to)));
  const found = new Map(sources.data?.map((source) => [source.id, source]));
  const used = new Set(rows.flatMap((row) => row.sources));
  const changeRow = (step: number, changed: Partial<StepRow>) =>
    change(rows.map((row, index) => (index === step ? { ...row, ...changed } : row)));
  const moveStep = (step: number, by: Step) => {
    focus.current = { place: `${step + by}`, by };
    setAnnouncement(`Moved to step ${step + by + 1} of ${rows.length}`);
    change(moveEntry(rows, step, step + by));
  };
  const move = (from: Place, by: Step) => {
    const to = nextPlace(rows, from, by);
    if (to === undefined) return;
    focus.current = { place: placeText(to), by };
    setAnnouncement(`Moved to position ${to.at + 1} of step ${to.step + 1}`);
    change(moveSource(rows, from, to));
  };
  const changeAt = (next: StepRows, step: number) => {
    focus.current = { place: `${step}` };
    change(next);
  };
  return (
    <>
      <p class="small muted">
        Steps are requested one after the other until the break is full, and the sources of a step at once.{' '}
        <Link href="/ad-sources">Ad sources</Link>
      </p>
      <ol class="ad-steps" ref={list}>
        {rows.map((row, step) => (
          <li
            key={step}
            class="ad-step form"
            aria-label={`Step ${step + 1}`}
            data-over={isOver(`${step}`)}
            {...handlers.target(`${step}`)}
          >
            <header class="row">
              <Grip handlers={handlers} place={`${step}`} />
              <strong class="title">Step {step + 1}</strong>
              <MoveButtons
                name={`step ${step + 1}`}
                isFirst={step === 0}
                isLast={step === rows.length - 1}
                onMove={(by) => moveStep(step, by)}
              />
              {rows.length > 1 ? (
                <Button
                  icon="trash"
                  kind="quiet"
                  label={`Remove step ${step + 1}`}
                  onClick={() => changeAt(rows.toSpliced(step, 1), Math.max(0, step - 1))}
                />
              ) : null}
            </header>
            <ol>
              {row.sources.map((id, at) => {
                const source = found.get(id);
                const name = source?.name || id;
                const place = { step, at };
                return (
                  <li key={id} class="row" data-over={isOver(placeText(place))} {...handlers.target(placeText(place))}>
                    <Grip handlers={handlers} place={placeText(place)} />
                    <span class="title">
                      <Link href={`/ad-sources/${encodeURIComponent(id)}`}>{name}</Link>{' '}
                      <small class="muted">{source ? sourceTypes[source.type] : sources.data && 'Not found'}</small>
                    </span>
                    <MoveButtons
                      name={name}
                      isFirst={nextPlace(rows, place, -1) === undefined}
                      isLast={nextPlace(rows, place, 1) === undefined}
                      onMove={(by) => move(place, by)}
                    />
                    <Button
                      icon="close"
                      kind="quiet"
                      label={`Remove ${name}`}
                      onClick={() => changeAt(removeSource(rows, place), step)}
                    />
                  </li>
                );
              })}
            </ol>
            {row.sources.length < MAX_SOURCES_OF_STEP ? (
              <RecordPicker
                label="Add ad source"
                kind="adSources"
                value=""
                placeholder="Name or ID"
                accept={({ id }) => !used.has(id)}
                error={errorWithin(errors, `/adSteps/${step}/sources`)}
                onChange={(id) => change(addSource(rows, step, id))}
              />
            ) : null}
            <div class="pair">
              {step === 0 ? null : (
                <SelectField
                  label="Request"
                  value={row.request}
                  options={toOptions(requests)}
                  onChange={(request) => changeRow(step, { request })}
                />
              )}
              <TextField
                label="Time share (%)"
                value={row.timeShare}
                error={
                  fieldError(errors, `/adSteps/${step}/timeShare`) ??
                  (row.timeShare === '' ? undefined : fieldError(errors, '/adSteps'))
                }
                placeholder="Equal part"
                onInput={(timeShare) => changeRow(step, { timeShare })}
              />
            </div>
          </li>
        ))}
      </ol>
      {rows.length < MAX_STEPS ? (
        <div>
          <Button icon="plus" isSmall onClick={() => changeAt([...rows, newStep], rows.length)}>
            Add step
          </Button>
        </div>
      ) : null}
      <TextField
        label="Time budget (ms)"
        {...field('adBudget')}
        hint={`For all steps of a break. Steps without a share divide what is left. ${limitHint('adBudgetMs')}`}
      />
      <p class="visually-hidden" role="status">
        {announcement}
      </p>
    </>
  );
}
