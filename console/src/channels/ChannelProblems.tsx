// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import type { ChannelProblem } from '../../../src/http/contract/statusContract.ts';
import { AlertsOf } from '../alerts/AlertsOf.tsx';
import { useNow } from '../api/serverClock.ts';
import { POLL } from '../api/useGet.ts';
import { Notice } from '../components/feedback/Notice.tsx';
import { formatPercent, plural } from '../format/numbers.ts';
import { formatDateTime, formatRelativeTime } from '../format/time.ts';
import type { reportDefaults } from '../reports/reportRange.ts';
import { noSearch, searchPath } from '../sessions/sessionSearch.ts';
import { type ChannelState, problemsOf } from './channelHealth.ts';

/** What it costs, in words: fill of the last hour, or ads. */
function costOf(problem: ChannelProblem): string | undefined {
  if (problem.kind === 'ad-server' && problem.fillRate !== undefined)
    return `Fill in the last hour: ${formatPercent(problem.fillRate)}.`;
  if (problem.kind === 'creative' && problem.adsLost !== undefined && problem.adsLost > 0)
    return `${plural(problem.adsLost, 'ad')} not shown in the last hour.`;
  return undefined;
}

function Problem({ channel, problem }: { readonly channel: ChannelResponse; readonly problem: ChannelProblem }) {
  const now = useNow(POLL.minute);
  const { since, text } = problem;
  return (
    <Notice tone={channel.state === 'failed' && problem.kind === 'state' ? 'bad' : 'warn'}>
      <strong>{text}</strong>{' '}
      {since ? `Since ${formatDateTime(since)}, ${formatRelativeTime(Date.parse(since) - now)}. ` : ''}
      {costOf(problem)}
      <div class="row">
        {problemLinks(channel.id, problem).map(({ label, path }) => (
          <Link key={label} href={path}>
            {label}
          </Link>
        ))}
      </div>
    </Notice>
  );
}

/** What is wrong on a channel, since when, what it costs, and where to look. */
export function ChannelProblems({ channel }: { readonly channel: ChannelResponse }) {
  const { state, stateReason, preparation } = channel;
  const problems = problemsOf(channel);
  const isPreparing = stateReason !== undefined && problems.every(({ kind }) => kind !== 'state');
  return (
    <>
      <AlertsOf channels={[channel.id]} />
      {isPreparing ? <Notice tone={preparation ? 'info' : 'warn'}>{stateReason}</Notice> : null}
      {state === 'disabled'
        ? null
        : problems.map((problem) => (
            <Problem key={`${problem.kind} ${problem.text}`} channel={channel} problem={problem} />
          ))}
    </>
  );
}

/** The same in a card or a row. */
export const ProblemTexts = ({ channel }: { readonly channel: ChannelState }) => {
  const problems = problemsOf(channel);
  // A channel that is being prepared has a reason without a problem.
  const texts = problems.length === 0 ? [channel.stateReason] : problems.map(({ text }) => text);
  return (
    <>
      {texts.map((text) =>
        text === undefined ? null : (
          <p key={text} class="reason">
            {text}
          </p>
        ),
      )}
    </>
  );
};

// Where an operator sees more of a problem of a channel.

type ProblemLink = { readonly label: string; readonly path: string };

const pathTo = (page: string, query: Readonly<Record<string, string>>): string =>
  `${page}?${new URLSearchParams(query)}`;

const report = (given: Partial<typeof reportDefaults>): string => pathTo('/reports', given);

const emptyBreaks = (channel: string): ProblemLink => ({
  label: 'Sessions with empty breaks',
  path: searchPath({ ...noSearch, channel, range: 'hour', outcome: 'empty' }),
});

function problemLinks(channel: string, problem: ChannelProblem): readonly ProblemLink[] {
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
