import type { OnAirChannel } from '../../../src/http/consoleContract.ts';
import { concernOf } from '../logic/concern.ts';

type TotalsProps = { readonly channels: readonly OnAirChannel[]; readonly fill: number | undefined };

/** The installation in four numbers. */
export function Totals({ channels, fill }: TotalsProps) {
  const concerns = channels.map(concernOf);
  const onAir = concerns.filter((concern) => concern !== 'off' && concern !== 'preparing').length;
  const inTrouble = concerns.filter((concern) => concern === 'failed' || concern === 'impaired').length;
  const viewers = channels.reduce((sum, channel) => sum + channel.viewers, 0);
  return (
    <dl class="totals">
      <div>
        <dt>On air</dt>
        <dd>
          {onAir} <small>of {channels.length}</small>
        </dd>
      </div>
      <div class={inTrouble > 0 ? 'bad' : ''}>
        <dt>In trouble</dt>
        <dd>{inTrouble}</dd>
      </div>
      <div>
        <dt>Watching now</dt>
        <dd>{viewers.toLocaleString('en-GB')}</dd>
      </div>
      <div>
        <dt>Fill of the last hour</dt>
        <dd>{fill === undefined ? <small>no breaks yet</small> : `${Math.round(fill * 100)} %`}</dd>
      </div>
    </dl>
  );
}
