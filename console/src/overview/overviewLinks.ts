// SPDX-License-Identifier: Apache-2.0
// Where the rows of an overview lead: to the lists and reports, filtered by what the row is about.
import type { OverviewResponse } from '../../../src/platform/overview/contract/overviewContract.ts';
import type { OverviewRange } from '../../../src/platform/overview/contract/overviewValues.ts';
import { changeQuery } from '../navigation/queryState.ts';
import { type ReportQuery, reportDefaults } from '../reports/reportRange.ts';
import { noSearch, searchPath } from '../sessions/sessionSearch.ts';

/** The same range on the pages of sessions and reports. */
export const rangeNames = { today: 'today', yesterday: 'yesterday', 'last-7-days': 'week' } as const;

export const reportPath = (range: OverviewRange, filters: Partial<ReportQuery>): string =>
  `/reports?${changeQuery('', reportDefaults, { range: rangeNames[range], ...filters })}`;

type ChannelRow = OverviewResponse['channels'][number];

/** The sessions of a channel with breaks that were not filled, or why its ads were skipped. @param hasReports whether the operator may read reports */
export function channelPath({ id, reason }: ChannelRow, range: OverviewRange, hasReports: boolean): string {
  if (reason.kind === 'ads-skipped' && hasReports) return reportPath(range, { report: 'skips', channel: id });
  const outcome = reason.kind === 'too-few-ads' || reason.kind === 'ads-skipped' ? 'partial' : 'empty';
  return searchPath({ ...noSearch, channel: id, range: rangeNames[range], outcome });
}

export const adServersPath = (range: OverviewRange, label: string): string =>
  reportPath(range, { report: 'ad-requests', by: 'adServer', label });

export const creativePath = (creative: string): string => `/creatives?${new URLSearchParams({ q: creative })}`;
