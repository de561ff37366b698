// SPDX-License-Identifier: Apache-2.0
// Where an operator sees more of a problem of a channel.
import type { ChannelProblem } from '../../../src/http/contract/statusContract.ts';
import type { reportDefaults } from '../reports/reportRange.ts';
import { noSearch, searchPath } from '../sessions/sessionSearch.ts';

type ProblemLink = { readonly label: string; readonly path: string };

const pathTo = (page: string, query: Readonly<Record<string, string>>): string =>
  `${page}?${new URLSearchParams(query)}`;

const report = (given: Partial<typeof reportDefaults>): string => pathTo('/reports', given);

const emptyBreaks = (channel: string): ProblemLink => ({
  label: 'Sessions with empty breaks',
  path: searchPath({ ...noSearch, channel, range: 'hour', outcome: 'empty' }),
});

export function problemLinks(channel: string, problem: ChannelProblem): readonly ProblemLink[] {
  switch (problem.kind) {
    case 'ad-server':
      return [
        { label: 'Ad requests', path: report({ report: 'ad-requests', channel, by: 'adServer' }) },
        emptyBreaks(channel),
        { label: 'Try ads', path: `/channels/${encodeURIComponent(channel)}?tab=try` },
      ];
    case 'creative': {
      const state = problem.failing > 0 ? 'failing' : 'failed';
      return [
        { label: 'Creatives', path: pathTo('/creatives', { state, channel }) },
        { label: 'Skipped ads', path: report({ report: 'skips', channel, by: 'reason' }) },
      ];
    }
    case 'state':
      return [];
  }
}
