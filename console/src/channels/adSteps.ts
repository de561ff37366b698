// SPDX-License-Identifier: Apache-2.0
// The steps of a channel as they are edited, and what moves their ad sources.
import type { ChannelBody } from '../../../src/http/contract/channelContract.ts';
import { channelDefaults } from '../../../src/http/contract/channelValues.ts';
import { moveEntry, type Step } from '../components/buttons/MoveButtons.tsx';
import { filledNumber, textOf } from '../components/forms/settings.ts';
import { givenOnly } from '../format/givenOnly.ts';

type Stored = NonNullable<ChannelBody['adSteps']>;
export type StepRow = {
  /** Ids of ad sources. */
  readonly sources: readonly string[];
  readonly request: NonNullable<Stored[number]['request']>;
  /** Percent; empty for an equal part of what is left. */
  readonly timeShare: string;
};
export type StepRows = readonly StepRow[];

export const newStep: StepRow = { sources: [], request: channelDefaults.stepRequest, timeShare: '' };

export const stepRows = (stored: unknown): StepRows =>
  ((stored ?? []) as Stored).map(({ sources, request = newStep.request, timeShare }) => ({
    sources,
    request,
    timeShare: textOf(timeShare),
  }));

export const stepsOf = (rows: StepRows): object[] =>
  rows.map(({ sources, request, timeShare }) => ({
    sources,
    ...givenOnly({ request: request === newStep.request ? undefined : request, timeShare: filledNumber(timeShare) }),
  }));

/** Where a source is, or where it is put: `at` counts from 0 in its step. */
export type Place = { readonly step: number; readonly at: number };

const withSources = (rows: StepRows, step: number, change: (sources: readonly string[]) => readonly string[]) =>
  rows.map((row, index) => (index === step ? { ...row, sources: change(row.sources) } : row));

export const addSource = (rows: StepRows, step: number, id: string): StepRows =>
  withSources(rows, step, (sources) => [...sources, id]);
export const removeSource = (rows: StepRows, { step, at }: Place): StepRows =>
  withSources(rows, step, (sources) => sources.toSpliced(at, 1));

/** Within a step, a source takes the place of another one; of another step, it is put before the one that is there. */
export function moveSource(rows: StepRows, from: Place, to: Place): StepRows {
  const id = rows[from.step]?.sources[from.at];
  if (id === undefined || rows[to.step] === undefined) return rows;
  if (from.step === to.step) return withSources(rows, from.step, (sources) => moveEntry(sources, from.at, to.at));
  return withSources(removeSource(rows, from), to.step, (sources) => sources.toSpliced(to.at, 0, id));
}

/** The next place up or down: the first source of a step moves to the end of the step before. @returns undefined at an end */
export function nextPlace(rows: StepRows, { step, at }: Place, by: Step): Place | undefined {
  const next = at + by;
  if (next >= 0 && next < (rows[step]?.sources.length ?? 0)) return { step, at: next };
  const other = rows[step + by];
  return other && { step: step + by, at: by < 0 ? other.sources.length : 0 };
}

// Places as texts, for dragging: `1` is a step, `1/0` a source.

export const placeText = ({ step, at }: Place): string => `${step}/${at}`;

/** What dropping does. A source that is dropped onto a step becomes its last one. @param from, to places as texts */
export function dropOnto(rows: StepRows, from: string, to: string): StepRows {
  const [[step = 0, at], [toStep = 0, toAt]] = [from, to].map((text) => text.split('/').map(Number)) as [
    number[],
    number[],
  ];
  if (at === undefined) return moveEntry(rows, step, toStep);
  const last = (rows[toStep]?.sources.length ?? 0) - (step === toStep ? 1 : 0);
  return moveSource(rows, { step, at }, { step: toStep, at: toAt ?? last });
}
