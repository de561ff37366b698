// SPDX-License-Identifier: Apache-2.0
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { call } from '../api/call.ts';
import { ConfirmButton } from '../components/dialogs/ConfirmButton.tsx';
import { Badge } from '../components/feedback/Badge.tsx';
import { formatTimecode } from '../format/time.ts';
import { breakSource, breakViewers } from './breakNames.ts';
import { breakEnd } from './breakState.ts';
import { viewersText } from './insertion.ts';
import type { LiveBreak } from './liveTypes.ts';
import { maxBreakDuration } from './maxBreakDuration.ts';
import { breakId } from './mergeInserted.ts';
import { useViewers } from './useViewers.ts';

type OnAirBreakProps = {
  readonly of: LiveBreak;
  readonly channel: ChannelResponse;
  /** Milliseconds. */
  readonly now: number;
  onEnded(announcement: string): void;
};

/** The break on air, with the time that is left and a button that ends it. */
export function OnAirBreak({ of, channel, now, onEnded }: OnAirBreakProps) {
  const viewers = viewersText(useViewers(channel.id));
  const start = Date.parse(of.startsAt);
  const end = breakEnd(of, maxBreakDuration(channel));
  const isBlackout = of.kind === 'blackout';
  const elapsed = Math.max(0, (now - start) / 1000);
  const name = isBlackout ? 'blackout' : 'break';
  const endBreak = () =>
    call('POST', `/channels/${encodeURIComponent(channel.id)}/breaks`, {
      body: { action: 'end', id: breakId(of) },
    });
  return (
    <section class={`break-on-air ${of.kind ?? 'ads'}`} aria-label={isBlackout ? 'Blackout on air' : 'Break on air'}>
      <div class="row">
        <Badge tone={isBlackout ? 'calm' : 'ad'}>{isBlackout ? 'Blackout' : 'Break'} on air</Badge>
        <strong class="number">
          {end === undefined ? formatTimecode(elapsed) : `${formatTimecode(Math.max(0, (end - now) / 1000))} left`}
        </strong>
        <span class="small muted">
          {breakSource(of)}
          {of.viewers && !isBlackout ? `, ${breakViewers(of)}` : ''}
          {end === undefined ? ', until it is ended' : ''}
        </span>
      </div>
      <ConfirmButton
        requires="operate"
        label={`End ${name}`}
        title={`End this ${name}?`}
        message={
          isBlackout
            ? `${viewers} will return to the content at the next segment border.`
            : `${viewers} will return to the content at the next segment border. The ad on air is cut; ads after it are not shown.`
        }
        act={endBreak}
        onDone={() => onEnded(isBlackout ? 'Blackout ends' : 'Break ends')}
      />
      {end === undefined ? null : (
        <progress max={(end - start) / 1000} value={Math.min(elapsed, (end - start) / 1000)} aria-label="Elapsed" />
      )}
    </section>
  );
}
