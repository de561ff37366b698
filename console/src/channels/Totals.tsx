// SPDX-License-Identifier: Apache-2.0
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import { formatCount, formatPercent } from '../format/numbers.ts';
import { channelHealth } from './channelHealth.ts';

type TotalsProps = { readonly channels: readonly OnAirChannel[]; readonly fillRate: number | undefined };

/** The installation in four numbers. */
export function Totals({ channels, fillRate }: TotalsProps) {
  const health = channels.map(channelHealth);
  const linear = channels.filter(({ type }) => type !== 'vod');
  const onAir = linear.map(channelHealth).filter((each) => each !== 'offAir' && each !== 'preparing').length;
  const vod = channels.length - linear.length;
  const issues = health.filter((each) => each === 'failed' || each === 'degraded').length;
  const viewers = channels.reduce((sum, channel) => sum + channel.viewers, 0);
  return (
    <dl class="totals">
      <div>
        <dt>On air</dt>
        <dd>
          {formatCount(onAir)}{' '}
          <small>
            of {formatCount(linear.length)}
            {vod > 0 ? `, ${formatCount(vod)} VoD` : ''}
          </small>
        </dd>
      </div>
      <div class={issues > 0 ? 'bad' : ''}>
        <dt>With problems</dt>
        <dd>{formatCount(issues)}</dd>
      </div>
      <div>
        <dt>Viewers now</dt>
        <dd>{formatCount(viewers)}</dd>
      </div>
      <div>
        <dt>Fill rate, last hour</dt>
        <dd>{fillRate === undefined ? <small>No breaks</small> : formatPercent(fillRate)}</dd>
      </div>
    </dl>
  );
}
