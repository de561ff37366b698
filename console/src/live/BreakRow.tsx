// SPDX-License-Identifier: Apache-2.0

import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { call } from '../api/call.ts';
import { ConfirmButton } from '../components/dialogs/ConfirmButton.tsx';
import { Badge, StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { Fact } from '../components/layout/Facts.tsx';
import { asSentence } from '../format/asSentence.ts';
import { formatCount, orDash } from '../format/numbers.ts';
import { formatDateTime, formatDateTimeSeconds, formatDuration, formatTimeOfDay } from '../format/time.ts';
import { breakLength, breakSource, breakViewers } from './breakNames.ts';
import { actualDuration, type BreakState, breakState } from './breakState.ts';
import { maxBreakDuration } from './insertion.ts';
import type { LiveBreak } from './liveTypes.ts';
import { breakId, isInserted } from './mergeInserted.ts';

const liveBreakStatuses: Statuses<BreakState> = {
  announced: ['info', 'Announced'],
  onAir: ['ad', 'On air'],
  ended: ['calm', 'Ended'],
  cancelled: ['calm', 'Cancelled'],
};

export type BreakProps = {
  readonly of: LiveBreak;
  readonly channel: ChannelResponse;
  /** Milliseconds. */
  readonly now: number;
};
type BreakRowProps = BreakProps & {
  readonly columns: number;
  onCancelled(announcement: string): void;
};

const DAY_MS = 86_400_000;

/** @param channel its id */
export const orderBreak = (channel: string, action: 'cancel' | 'end', of: LiveBreak) =>
  call('POST', '/channels/{id}/breaks', { path: { id: channel }, body: { action, id: breakId(of) } });

export function BreakRow({ of, channel, now, columns, onCancelled }: BreakRowProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const state = breakState(of, now, maxBreakDuration(channel));
  const start = Date.parse(of.startsAt);
  const time = formatTimeOfDay(start);
  const cancelButton =
    state === 'announced' ? (
      <ConfirmButton
        requires="operate"
        label="Cancel break"
        dismiss="Keep break"
        kind="quiet"
        title="Cancel this break?"
        message={`Viewers will see the content at ${time} instead of ${of.kind === 'blackout' ? 'the blackout' : 'ads'}.`}
        act={() => orderBreak(channel.id, 'cancel', of)}
        onDone={() => onCancelled('Break cancelled')}
      />
    ) : null;
  return (
    <>
      <tr class={isOpen ? 'open' : ''}>
        <td>
          <time dateTime={of.startsAt}>{Math.abs(now - start) < DAY_MS ? time : formatDateTime(start)}</time>
        </td>
        <td>
          <StatusBadge status={liveBreakStatuses[state]} />
          {of.kind === 'blackout' ? <Badge tone="calm">Blackout</Badge> : null}
          {of.warning ? <Badge tone="warn">Warning</Badge> : null}
        </td>
        <td>{breakLength(of)}</td>
        <td class="wide">{breakSource(of)}</td>
        <td class="wide nowrap">{breakViewers(of)}</td>
        <td>
          <div class="actions end">
            <span class="wide">{cancelButton}</span>
            <button
              type="button"
              class="button quiet small bare disclosure"
              aria-expanded={isOpen}
              aria-controls={id}
              aria-label={`Details of ${time}`}
              onClick={() => setOpen(!isOpen)}
            >
              <Icon name="chevron" />
            </button>
          </div>
        </td>
      </tr>
      <tr id={id} hidden={!isOpen} class="details">
        <td colSpan={columns}>
          {isOpen ? <BreakDetails of={of} /> : null}
          {/* A phone has no room for it in the row. */}
          {isOpen ? <div class="narrow">{cancelButton}</div> : null}
        </td>
      </tr>
    </>
  );
}

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
function BreakDetails({ of }: { readonly of: LiveBreak }) {
  const { upid, startsAt, announcedAt, duration, raw, line, warning, isInsertionPoint, kind } = of;
  const actual = actualDuration(of);
  const isBlackout = kind === 'blackout';
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['Source', breakSource(of)],
    ['Starts', formatDateTimeSeconds(startsAt)],
    [isInserted(of) ? 'Inserted' : 'Announced', formatDateTimeSeconds(announcedAt)],
    ['Announced length', duration === undefined ? 'None' : formatDuration(duration)],
    ['Actual length', actual === undefined ? 'Not known yet' : formatDuration(actual)],
    ['Viewers decided', isBlackout ? undefined : orDash(of.viewers?.decided, formatCount)],
    ['With own ads', isBlackout ? undefined : orDash(of.viewers?.withAds, formatCount)],
    ['Asset', of.asset === undefined ? undefined : <BlackoutAsset of={of} />],
    ['Replaces', isInsertionPoint ? 'Nothing: it is an insertion point' : undefined],
    ['UPID', upid],
    ['ID', <code>{breakId(of)}</code>],
  ];
  return (
    <div class="stack tight">
      {warning ? <Notice tone="warn">{warning}</Notice> : null}
      <dl class="facts">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
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
