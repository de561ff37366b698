// SPDX-License-Identifier: Apache-2.0
// What an overview reads from report stores, and the sums of several systems.
import { channelKey } from '../../../channels/channelKey.ts';
import type { Dimension, ReportName } from '../../reports/rules/catalogue.ts';
import type { Cell, Rollup } from '../../reports/rules/ports.ts';
import { addCells, type MutableRollup } from '../../reports/rules/rollup.ts';
import type { OverviewTimes } from './overviewTimes.ts';

type Question = { readonly report: ReportName; readonly span: keyof OverviewTimes; readonly by?: Dimension };

const questions = {
  breaks: { report: 'breaks', span: 'range', by: 'channel' },
  breaksBefore: { report: 'breaks', span: 'before' },
  breaksInHour: { report: 'breaks', span: 'hour' },
  breaksHourBefore: { report: 'breaks', span: 'hourBefore' },
  breaksYesterday: { report: 'breaks', span: 'hourYesterday' },
  viewers: { report: 'viewers', span: 'range' },
  viewersBefore: { report: 'viewers', span: 'before' },
  viewersNow: { report: 'viewers', span: 'minute' },
  viewersYesterday: { report: 'viewers', span: 'minuteYesterday' },
  ads: { report: 'ads', span: 'range' },
  adsBefore: { report: 'ads', span: 'before' },
  requests: { report: 'ad-requests', span: 'range', by: 'channel' },
  requestsBefore: { report: 'ad-requests', span: 'before' },
  adServers: { report: 'ad-requests', span: 'range', by: 'adServer' },
  skips: { report: 'skips', span: 'range', by: 'channel' },
  creatives: { report: 'skips', span: 'range', by: 'creative' },
} as const satisfies Readonly<Record<string, Question>>;
export type QuestionName = keyof typeof questions;

/** By the value of the dimension; of channels by channelKey. */
export type Counts = Readonly<Record<QuestionName, ReadonlyMap<string, Rollup>>>;

/** The answers of one system. */
export type Answers = Readonly<Record<QuestionName, readonly Cell[]>>;

export const questionNames = Object.keys(questions) as QuestionName[];
export const questionOf = (name: QuestionName): Question => questions[name];

/** Adds the answers of systems up. */
export function sumAnswers(all: readonly { readonly tenant: string; readonly answers: Answers }[]): Counts {
  const sums = questionNames.map((name) => {
    const rollups = new Map<string, MutableRollup>();
    for (const { tenant, answers } of all)
      addCells(rollups, answers[name], ({ key }) =>
        questionOf(name).by === 'channel' ? channelKey({ tenant, id: key }) : key,
      );
    return [name, rollups] as const;
  });
  return Object.fromEntries(sums) as Readonly<Record<string, ReadonlyMap<string, Rollup>>> as Counts;
}
