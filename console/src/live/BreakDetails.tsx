// SPDX-License-Identifier: Apache-2.0
import { type ComponentChildren, Fragment } from 'preact';
import { StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { asSentence } from '../format/asSentence.ts';
import { formatCount } from '../format/numbers.ts';
import { formatDateTimeSeconds, formatDuration } from '../format/time.ts';
import { breakSource } from './breakNames.ts';
import { actualDuration } from './breakState.ts';
import type { LiveBreak } from './liveTypes.ts';
import { breakId, isInserted } from './mergeInserted.ts';

/** Until the asset is ready, viewers see slate. */
const blackoutAssetStatuses: Statuses<NonNullable<LiveBreak['assetState']>> = {
  preparing: ['info', 'Preparing, slate until then'],
  ready: ['good', 'Ready'],
  failed: ['bad', 'Failed, slate instead'],
};

/** The media of a blackout. Until they are ready, viewers see slate. */
const BlackoutAsset = ({ of: { asset, assetState, assetReason } }: { readonly of: LiveBreak }) => (
  <>
    <span class="url">{asset}</span>
    {assetState === undefined ? null : (
      <>
        {' '}
        <StatusBadge status={blackoutAssetStatuses[assetState]} />
      </>
    )}
    {assetReason === undefined ? null : <div class="reason">{asSentence(assetReason)}</div>}
  </>
);

/** Everything that is known of one break, with the marker as the origin wrote it. */
export function BreakDetails({ of }: { readonly of: LiveBreak }) {
  const { upid, startsAt, announcedAt, duration, raw, line, warning, isInsertionPoint, kind } = of;
  const actual = actualDuration(of);
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['Source', breakSource(of)],
    ['Starts', formatDateTimeSeconds(startsAt)],
    [isInserted(of) ? 'Inserted' : 'Announced', formatDateTimeSeconds(announcedAt)],
    ['Announced length', duration === undefined ? 'None' : formatDuration(duration)],
    ['Actual length', actual === undefined ? 'Not known yet' : formatDuration(actual)],
    ...(kind === 'blackout'
      ? []
      : [
          ['Viewers decided', of.viewers === undefined ? '–' : formatCount(of.viewers.decided)] as const,
          ['With own ads', of.viewers === undefined ? '–' : formatCount(of.viewers.withAds)] as const,
        ]),
    ...(of.asset === undefined ? [] : [['Asset', <BlackoutAsset of={of} />] as const]),
    ...(isInsertionPoint ? [['Replaces', 'Nothing: it is an insertion point'] as const] : []),
    ...(upid === undefined ? [] : [['UPID', upid] as const]),
    ['ID', <code>{breakId(of)}</code>],
  ];
  return (
    <div class="stack tight">
      {warning ? <Notice tone="warn">{warning}</Notice> : null}
      <dl class="facts">
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      {raw && !isInserted(of) ? (
        <figure>
          <figcaption class="small muted">Marker{line === undefined ? '' : `, line ${line}`}</figcaption>
          <pre>{raw}</pre>
        </figure>
      ) : null}
    </div>
  );
}
