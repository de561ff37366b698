// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { OriginStatus } from './OriginStatus.tsx';

type Hours = '1' | '24' | '168';
const ranges: readonly (readonly [Hours, string])[] = [
  ['1', '1 h'],
  ['24', '24 h'],
  ['168', '7 d'],
];
const formats = ['hls', 'dash'] as const;

/** The origins of a live channel that are on air: how they are now, and how they were. */
export function OriginCard({ channel }: { readonly channel: ChannelResponse }) {
  const [hours, setHours] = useState<Hours>('1');
  const request = { path: { id: channel.id }, query: { limit: 100 } };
  const events = useGet('/channels/{id}/origin-events', request, POLL.normal);
  const onAir = formats.flatMap((format) => {
    const origin = channel.live?.[format];
    return origin === undefined ? [] : [{ format, origin }];
  });
  return (
    <section class="card stack" aria-label="Origin">
      <header>
        <h2>{onAir.length > 1 ? 'Origins' : 'Origin'}</h2>
        {onAir.length === 0 ? null : (
          <SegmentedControl label="Range" value={hours} options={ranges} onChange={(next: Hours) => setHours(next)} />
        )}
      </header>
      <ErrorNotice error={events.error} />
      {onAir.length === 0 ? <p class="muted">Not on air</p> : null}
      {onAir.map(({ format, origin }) => (
        <OriginStatus
          key={format}
          format={format}
          origin={origin}
          range={Number(hours) * 3_600_000}
          events={events.data?.items.filter((each) => each.origin === format)}
        />
      ))}
    </section>
  );
}
