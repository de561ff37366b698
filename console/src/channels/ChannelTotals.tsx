// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import { Figure } from '../components/layout/Facts.tsx';
import { formatCount, formatPercent } from '../format/numbers.ts';
import { channelHealth, problemsOf } from './channelHealth.ts';

type TotalsProps = { readonly channels: readonly OnAirChannel[]; readonly fillRate: number | undefined };

/** The installation in four numbers. */
export function ChannelTotals({ channels, fillRate }: TotalsProps) {
  const linear = channels.filter(({ type }) => type !== 'vod');
  const onAir = linear.map(channelHealth).filter((each) => each !== 'offAir' && each !== 'preparing').length;
  const vod = channels.length - linear.length;
  const issues = channels.filter((channel) => problemsOf(channel).length > 0).length;
  const viewers = channels.reduce((sum, channel) => sum + channel.viewers, 0);
  return (
    <dl class="totals">
      <Figure name="On air">
        {formatCount(onAir)} <small>of {formatCount(linear.length)}</small>{' '}
        {vod > 0 ? <small>+ {formatCount(vod)} VoD</small> : null}
      </Figure>
      <Figure name="With problems" class={issues > 0 ? 'bad' : ''}>
        {issues === 0 ? 0 : <Link href="/?problem=any">{formatCount(issues)}</Link>}
      </Figure>
      <Figure name="Viewers now">{formatCount(viewers)}</Figure>
      <Figure name="Fill rate, last hour">
        {fillRate === undefined ? <small>No breaks</small> : formatPercent(fillRate)}
      </Figure>
    </dl>
  );
}
