// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import type { OverviewResponse } from '../../../src/platform/overview/contract/overviewContract.ts';
import { LinkCard } from '../components/layout/LinkCard.tsx';
import { formatCount, formatPercent, plural } from '../format/numbers.ts';
import { formatDuration } from '../format/time.ts';
import { adServersPath, channelPath, creativePath, reportPath } from './overviewLinks.ts';

type WorstListsProps = { readonly overview: OverviewResponse; readonly hasReports: boolean; readonly label: string };

/** The worst channels, ad servers and creatives. Each row leads to what it is about. */
export function WorstLists({ overview, hasReports, label }: WorstListsProps) {
  const { range, channels, adServers, creatives } = overview;
  return (
    <div class="worst-lists">
      <WorstList
        title="Unfilled break time"
        none="All break time was filled."
        path={hasReports ? reportPath(range, { report: 'breaks', by: 'channel', label }) : undefined}
      >
        {channels.map((channel) => (
          <WorstRow
            key={channel.id}
            name={channel.name ?? channel.id}
            path={channelPath(channel, range, hasReports)}
            value={formatDuration(channel.secondsUnfilled)}
            facts={`${formatPercent(channel.fillRate)} filled. ${channel.reason.text}`}
          />
        ))}
      </WorstList>
      <WorstList
        title="Ad servers"
        none="No ad server was requested."
        path={hasReports ? adServersPath(range, label) : undefined}
      >
        {adServers.map(({ adServer, sent, errors, timeouts, empty, failureShare, latencyP95 }) => (
          <WorstRow
            key={adServer}
            name={adServer}
            path={hasReports ? adServersPath(range, label) : undefined}
            value={`${formatPercent(failureShare, 1)} failed`}
            isBad={failureShare > 0}
            facts={[
              plural(sent, 'request'),
              ...(errors > 0 ? [plural(errors, 'error')] : []),
              ...(timeouts > 0 ? [plural(timeouts, 'timeout')] : []),
              ...(empty > 0 ? [`${formatCount(empty)} empty`] : []),
              ...(latencyP95 > 0 ? [`P95 ${formatCount(latencyP95)} ms`] : []),
            ].join(', ')}
          />
        ))}
      </WorstList>
      <WorstList
        title="Ads lost by creative"
        none="No ad was lost."
        path={hasReports ? reportPath(range, { report: 'skips', by: 'creative', label }) : undefined}
      >
        {creatives.map(({ creative, adsLost, text }) => (
          <WorstRow
            key={creative}
            name={creative}
            path={hasReports ? creativePath(creative) : undefined}
            value={plural(adsLost, 'ad')}
            facts={text}
          />
        ))}
      </WorstList>
    </div>
  );
}

type WorstListProps = {
  readonly title: string;
  /** What an empty list means. */
  readonly none: string;
  /** The whole report. */
  readonly path: string | undefined;
  readonly children: readonly ComponentChildren[];
};

const WorstList = ({ title, none, path, children }: WorstListProps) => (
  <LinkCard title={title} href={children.length === 0 ? undefined : path} link="View report">
    {children.length === 0 ? <p class="muted">{none}</p> : <ol class="worst">{children}</ol>}
  </LinkCard>
);

type WorstRowProps = {
  readonly name: string;
  readonly path: string | undefined;
  readonly value: string;
  readonly isBad?: boolean;
  readonly facts: string;
};

const WorstRow = ({ name, path, value, isBad = true, facts }: WorstRowProps) => (
  <li>
    {path === undefined ? <span>{name}</span> : <Link href={path}>{name}</Link>}
    <span class={`number right ${isBad ? 'bad' : ''}`}>{value}</span>
    <small>{facts}</small>
  </li>
);
