// SPDX-License-Identifier: Apache-2.0
import { useId, useState } from 'preact/hooks';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { call } from '../api/call.ts';

import { ConfirmButton } from '../components/dialogs/ConfirmButton.tsx';
import { Badge, StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { formatDateTime, formatTimeOfDay } from '../format/time.ts';
import { BreakDetails } from './BreakDetails.tsx';
import { breakLength, breakSource, breakViewers } from './breakNames.ts';
import type { BreakState } from './breakState.ts';
import { breakState } from './breakState.ts';
import type { LiveBreak } from './liveTypes.ts';
import { maxBreakDuration } from './maxBreakDuration.ts';
import { breakId } from './mergeInserted.ts';

const liveBreakStatuses: Statuses<BreakState> = {
  announced: ['info', 'Announced'],
  onAir: ['ad', 'On air'],
  ended: ['calm', 'Ended'],
  cancelled: ['calm', 'Cancelled'],
};

type BreakRowProps = {
  readonly of: LiveBreak;
  readonly channel: ChannelResponse;
  readonly now: number;
  readonly columns: number;
  onCancelled(announcement: string): void;
};

const DAY_MS = 86_400_000;

export function BreakRow({ of, channel, now, columns, onCancelled }: BreakRowProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const state = breakState(of, now, maxBreakDuration(channel));
  const start = Date.parse(of.startsAt);
  const time = formatTimeOfDay(start);
  const cancel = () =>
    call('POST', `/channels/${encodeURIComponent(channel.id)}/breaks`, {
      body: { action: 'cancel', id: breakId(of) },
    });
  const cancelButton =
    state === 'announced' ? (
      <ConfirmButton
        requires="operate"
        label="Cancel break"
        dismiss="Keep break"
        kind="quiet"
        title="Cancel this break?"
        message={`Viewers will see the content at ${time} instead of ${of.kind === 'blackout' ? 'the blackout' : 'ads'}.`}
        act={cancel}
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
